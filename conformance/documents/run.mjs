import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asCommand, environment } from '../harness/python.mjs';

/**
 * Reads both published documents with PyYAML and openapi-spec-validator. Exit codes: 0 both are
 * taken, 1 one is not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');

await asCommand(async () => {
  const cache = join(root, 'node_modules/.cache/documents');
  const python = join(environment(join(here, 'requirements.txt'), cache), 'python');
  const documents = ['openapi.json', 'openapi-3.0.json'].map((name) =>
    join(root, 'generated', name),
  );
  execFileSync(python, [join(here, 'read.py'), ...documents], { stdio: 'inherit' });
  return 0;
});
