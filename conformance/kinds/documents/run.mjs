import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDebian } from '../../../tools/installDebian.mjs';
import { installPackages } from '../../../tools/installPackages.mjs';
import { asCommand, environment } from '../../../tools/python.mjs';

/**
 * `npm run documents`: reads both published documents, 3.1 and 3.0, with readers by others in three
 * languages, each installed into a folder of its own. Exit codes: 0 all take both, 1 one finds a
 * fault, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../../..');
const cache = join(root, 'node_modules/.cache/documents');
const documents = ['openapi.json', 'openapi-3.0.json'].map((name) => join(root, 'generated', name));

const READERS = {
  'PyYAML and openapi-spec-validator': () => {
    const python = join(environment(join(here, 'requirements.txt'), cache), 'python');
    return [python, [join(here, 'read.py'), ...documents]];
  },
  'kin-openapi and libopenapi': () => {
    installDebian('documents', [['go', 'golang-go']]);
    const program = join(cache, 'read');
    const env = { ...process.env, GOFLAGS: '-mod=readonly' };
    const words = ['build', '-o', program, '.'];
    execFileSync('go', words, { cwd: join(here, 'go'), env, stdio: 'inherit' });
    return [program, documents];
  },
  'swagger-parser': () => {
    installPackages(join(here, 'npm'), 'swagger-parser');
    return [process.execPath, [join(here, 'npm/read.mjs'), ...documents]];
  },
  Redocly: () => {
    const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const config = `--config=${join(here, 'redocly.yaml')}`;
    return [process.execPath, [cli, 'lint', ...documents, config, '--format=stylish']];
  },
};

await asCommand(() => {
  mkdirSync(cache, { recursive: true });
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const faulty = Object.entries(READERS).filter(([, reader]) => {
    const [program, words] = reader();
    return spawnSync(program, words, { env, stdio: 'inherit' }).status !== 0;
  });
  for (const [name] of faulty) process.stdout.write(`${name} found a fault\n`);
  return Promise.resolve(faulty.length === 0 ? 0 : 1);
});
