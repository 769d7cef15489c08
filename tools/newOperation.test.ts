import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { tracked } from './tree.ts';

const COPIED =
  /^(clients|conformance|db|domain|generated|handlers|server|spec|tools|workflows)\/.+\.(ts|mjs|mts|yaml|json|js|wat)$|^[^/]+\.json$|^\.prettierrc/;
const MS_MAX = 480_000;
/** The worker of the tests says that it is alive while the programs of npm run new work. */
const execute = promisify(execFile);

describe('npm run new', function suite() {
  this.timeout(MS_MAX);
  const [root, node] = [process.cwd(), process.execPath];
  let copy = '';
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'hub-new-'));
    for (const path of tracked.filter((each) => COPIED.test(each)))
      cpSync(path, join(copy, path), { recursive: true });
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  });
  after(() => rmSync(copy, { recursive: true, force: true }));
  const program = async (...words: readonly string[]): Promise<string> =>
    (await execute(node, words, { cwd: copy })).stdout;
  const run = (...words: readonly string[]) => program('tools/newOperation.mjs', ...words);

  it('refuses what is no operation, is there, or has no area, and writes nothing', async () => {
    const before = readFileSync(join(copy, 'spec/openapi.yaml'), 'utf8');
    const wrong = [[], ['tasks'], ['tasks.list'], ['moon.fly'], ['tasks.fly', 'PUT']];
    for (const words of [...wrong, ['tasks.fly', 'GET', '/api/v1/tasks']])
      await assert.rejects(run(...words), words.join(' '));
    assert.equal(readFileSync(join(copy, 'spec/openapi.yaml'), 'utf8'), before);
  });

  it('makes operations that the contract, the generator and the compiler take', async () => {
    const remind = await run('tasks.remind', 'POST', '/api/v1/tasks/{id}/remind');
    const made = [remind, await run('worlds.export')];
    const files = made.flatMap((text) => text.match(/^\S+\.(?:ts|yaml)$/gm) ?? []);
    assert.equal(files.length, 6);
    await program('--import', tsx(root), 'tools/generate.ts');
    await program('--import', tsx(root), 'tools/lint.ts');
    const routes = readFileSync(join(copy, 'generated/routes.txt'), 'utf8');
    assert.match(routes, /^tasks\.remind\tPOST\t\/api\/v1\/tasks\/\{id\}\/remind\tsigned\t/m);
    assert.match(routes, /^worlds\.export\tGET\t\/api\/v1\/worlds\/export\tsigned\t/m);
    const sources = files.filter((path) => path.endsWith('.ts'));
    assert.deepEqual(faultsOf(copy, ['handlers/index.ts', ...sources]), []);
    const checked = ['--check', ...files, 'handlers/tasks/index.ts', 'handlers/worlds/index.ts'];
    await program('node_modules/prettier/bin/prettier.cjs', ...checked);
  });
});

const tsx = (root: string): string =>
  pathToFileURL(join(root, 'node_modules/tsx/dist/loader.mjs')).href;

/** The complaints of the compiler about files of a folder and what they import. */
function faultsOf(folder: string, paths: readonly string[]): readonly string[] {
  const config = ts.getParsedCommandLineOfConfigFile(join(folder, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => assert.fail(String(messageText)),
  });
  assert.ok(config);
  const roots = paths.map((path) => join(folder, path));
  const program = ts.createProgram(roots, config.options);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
