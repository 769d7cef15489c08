import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { operations } from '../../harness/contract.ts';

/** Integrators make their own SDKs from the document; the usual generator must manage it whole. */
describe('an SDK made from the contract by @hey-api/openapi-ts', () => {
  let folder = '';
  before(async function generate() {
    this.timeout(120_000);
    // Beside the sources, so that the compiler resolves types as an integrator's project would.
    folder = mkdtempSync(join('conformance', 'kinds', 'sdk', 'made-'));
    await createClient({
      input: './generated/openapi.json',
      output: { path: folder, importFileExtension: '.js' },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent' },
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has a function for every operation', () => {
    const made = readFileSync(join(folder, 'sdk.gen.ts'), 'utf8');
    const count = [...made.matchAll(/^export const [A-Za-z0-9]+ = </gm)].length;
    assert.equal(count, operations.length);
  });

  it('compiles in strict mode', function compile() {
    this.timeout(120_000);
    const config = join(folder, 'tsconfig.json');
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: 'ES2022',
      module: 'NodeNext',
      lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    };
    writeFileSync(config, JSON.stringify({ compilerOptions, include: ['./**/*.ts'] }));
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', config]);
    assert.ok(existsSync(join(folder, 'index.ts')));
  });
});
