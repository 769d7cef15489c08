import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build, transform } from 'esbuild';
import vectors from '../../spec/vectors/time.json' with { type: 'json' };
import { openFixture } from '../../conformance/harness/fixture.ts';
import { mustOk } from '../../conformance/harness/must.ts';
import { pack } from '../../tools/pack.mjs';
import { at, scriptedHub, type ScriptedHub } from './fixture.ts';

const run = promisify(execFile);
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const LONGEST_MS = 180_000;
const TARBALL = 'client.tgz';
/** The share of the code without the verifier, which is nearly half of it. */
const SHARE_WITHOUT_VERIFY = 0.65;

const CONSUMER = `import { createHub, HubRefusal, isRefusal, unwrap, work } from '@agent-exchange/client';
import type { components, Facts, Hub, Refused } from '@agent-exchange/client';
import { fileKeys, keys, verify } from '@agent-exchange/client/node';

export async function main(): Promise<string> {
  const key = await keys.loadOrGenerate('agent.key');
  const hub: Hub = createHub({ baseUrl: 'http://localhost', key, keepKeys: await fileKeys('keys') });
  const { tasks } = unwrap(await hub.GET('/api/v1/tasks', { params: { query: { limit: 5 } } }));
  const requesters: string[] = tasks.map((task) => task.requester);
  const path = { owner: key.account };
  try {
    unwrap(await hub.POST('/api/v1/wallet/{owner}/pay', { params: { path }, body: { to: 'hub:fees', amount: '5' } }));
  } catch (error) {
    if (!isRefusal(error, 'insufficient-funds')) throw error;
    const refusal: HubRefusal = error;
    return refusal.hint;
  }
  for await (const { task, outcome } of work(hub, { skills: ['x'] }, ({ deliver }) => deliver.leaseEndsAt)) {
    const rule: components['schemas']['AcceptanceRule'] | undefined = task.acceptance;
    if (rule?.kind === 'all') return rule.of.length + outcome.state;
  }
  const checked: Facts | Refused = await verify.file(tasks, {});
  if (!checked.ok) return checked.reason + checked.at;
  if (checked.kind === 'pulse') return checked.minute;
  return requesters.join();
}
`;
/** Each line is wrong in one way, and the compiler must say so there. */
const MISTAKES = `import { createHub, isRefusal, unwrap, verify } from '@agent-exchange/client';
const hub = createHub({ baseUrl: 'http://localhost' });
const path = { owner: 'key:x' };
void hub.POST('/api/v1/wallet/{owner}/pay', { params: { path }, body: { to: 'x', amount: '5', amuont: '5' } });
void hub.POST('/api/v1/wallet/{owner}/pay', { params: { path }, body: { to: 'x', amount: 5 } });
void hub.POST('/api/v1/wallet/{owner}/pay', { params: { path }, body: { amount: '5' } });
void hub.GET('/api/v1/tasks', { params: { query: { limit: 'five' } } });
void hub.GET('/api/v1/task');
void hub.GET('/api/v1/tasks').then((answer) => unwrap(answer).task);
isRefusal(1, 'insufficient-fund');
void verify.pulse({}, {}).then((checked) => checked.seq);
`;
const MISTAKEN_LINES = [4, 5, 6, 7, 8, 9, 10, 11];

const RUNS = `
const key = await generateKey();
const hub = createHub({ baseUrl: process.argv[2], key });
const answer = unwrap(await hub.GET('/api/v1/me'));
await follow(hub, { method: 'POST', path: '/api/v1/wallet/x/pay', body: { to: 'y', amount: '5' } });
console.log(JSON.stringify({ answer, keyId: key.keyId }));
`;
const NAMES = 'createHub, follow, generateKey, HubRefusal, unwrap';

/** Runs the bundle with only the globals of a page, so that a use of Node throws. */
const BROWSER = `
import vm from 'node:vm';
import { readFile } from 'node:fs/promises';
const names = ['AbortController', 'AbortSignal', 'FormData', 'Headers', 'ReadableStream', 'Request',
  'Response', 'TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'atob', 'btoa', 'clearTimeout',
  'crypto', 'fetch', 'performance', 'setTimeout'];
const page = Object.fromEntries(names.map((name) => [name, globalThis[name]]));
const context = vm.createContext({ ...page, baseUrl: process.argv[2], vectors: process.argv[3] });
const code = await readFile(new URL(import.meta.resolve('@agent-exchange/client/browser')), 'utf8');
const bundle = new vm.SourceTextModule(code, { context });
const nothing = (name) => { throw new Error('the bundle imports ' + name); };
await bundle.link(nothing);
await bundle.evaluate();
const user = new vm.SourceTextModule(\`
  import { createHub, generateKey, unwrap, verify } from 'client';
  if (typeof process !== 'undefined' || typeof Buffer !== 'undefined') throw new Error('Node is here');
  const key = await generateKey();
  const hub = createHub({ baseUrl, key });
  const answer = unwrap(await hub.POST('/api/v1/wallet/{owner}/pay', {
    params: { path: { owner: key.account } }, body: { to: 'hub:fees', amount: '5' },
  }));
  const { keys, pulses, proofs } = JSON.parse(vectors);
  const objects = [...pulses, ...proofs].map(({ object }) => object);
  const verdicts = await Promise.all(objects.map((object) => verify.file(object, keys)));
  if (!verdicts.every(({ ok }) => ok)) throw new Error(JSON.stringify(verdicts));
  export const result = { answer, keyId: key.keyId };
\`, { context });
await user.link((name) => (name === 'client' ? bundle : nothing(name)));
await user.evaluate();
console.log(JSON.stringify(user.namespace.result));
`;

describe('the packed client', function () {
  this.timeout(LONGEST_MS);
  let folder: string;
  let scripted: ScriptedHub;
  let integrity: string;
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'consumer-'));
    scripted = await scriptedHub();
    await mkdir(join(folder, 'web'));
    integrity = await pack('client', join(folder, 'web', TARBALL));
    await write('web/index.html', '<!doctype html>');
    await write('package.json', '{"name":"consumer","private":true}');
    // Offline and into an empty project: the package must bring everything that it needs.
    const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
    await run('npm', ['install', ...flags, `./web/${TARBALL}`], { cwd: folder });
  });
  after(async () => {
    await scripted.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a script of the consumer against the scripted hub and checks what it was sent. */
  async function runs(file: string, ...flags: readonly string[]): Promise<void> {
    scripted.play({ status: 200, body: { fine: true } });
    const words = ['--no-warnings', ...flags, file, scripted.baseUrl, JSON.stringify(vectors)];
    const { stdout } = await run(process.execPath, words, { cwd: folder });
    const printed: unknown = JSON.parse(stdout);
    assert.deepEqual(at(printed, 'answer'), { fine: true });
    assert.ok(scripted.received().length > 0);
    for (const { inspection } of scripted.received()) {
      assert.ok(inspection.kind === 'verified', JSON.stringify(inspection));
      assert.equal(inspection.keyId, at(printed, 'keyId'));
      assert.ok(inspection.covered.includes('@authority'));
    }
  }

  async function compile(options: object, files: readonly string[]): Promise<readonly string[]> {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      target: 'ES2022',
      types: [],
      ...options,
    };
    await write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    const words = [TSC, '-p', '.', '--pretty', 'false'];
    const failed = await run(process.execPath, words, { cwd: folder }).catch((error: unknown) =>
      String(at(error, 'stdout')),
    );
    return typeof failed === 'string'
      ? failed.split('\n').filter((line) => /error TS/.test(line))
      : [];
  }

  it('brings no dependency and its notices', async () => {
    assert.deepEqual(await readdir(join(folder, 'node_modules')), [
      '.bin',
      '.package-lock.json',
      '@agent-exchange',
    ]);
    const dist = join(folder, 'node_modules/@agent-exchange/client/dist');
    assert.match(await readFile(join(dist, 'LICENSES.txt'), 'utf8'), /openapi-fetch/);
    for (const name of await readdir(dist)) {
      if (name.startsWith('node.') || name === 'cli.js') continue;
      // Comments hold examples of the contract, some of which are programs for Node.
      const text = (await readFile(join(dist, name), 'utf8')).replaceAll(/\/\*[^]*?\*\//g, '');
      assert.doesNotMatch(text, /\bnode:|require\(['"]/, name);
    }
  });

  it('compiles strictly with its declarations and the examples of its readme', async () => {
    await write('consumer.mts', CONSUMER);
    await write('consumer.cts', CONSUMER);
    await write('mistakes.mts', MISTAKES);
    const readme = await readFile('clients/typescript/README.md', 'utf8');
    const examples = [...readme.matchAll(/```ts\n([^]*?)```/g)].map((found) => found[1] ?? '');
    assert.ok(examples.length >= 5);
    const names = examples.map((_, index) => `readme${index}.mts`);
    await Promise.all(examples.map((text, index) => write(names[index] ?? '', text)));
    const web = { lib: ['ES2023', 'DOM', 'DOM.AsyncIterable'], module: 'NodeNext' };
    const found = await compile(web, ['consumer.mts', 'consumer.cts', 'mistakes.mts', ...names]);
    const lines = found.map((line) => /^mistakes\.mts\((\d+),/.exec(line)?.[1] ?? line);
    assert.deepEqual([...new Set(lines)], MISTAKEN_LINES.map(String), found.join('\n'));
  });

  it('runs the examples of its readme against a hub that answers', async () => {
    const readme = await readFile('clients/typescript/README.md', 'utf8');
    const examples = [...readme.matchAll(/<!-- runs -->\n\n```ts\n([^]*?)```/g)];
    assert.ok(examples.length >= 4);
    const world = await openFixture();
    world.hub.clock.jump(Date.now() - world.hub.clock.now());
    try {
      for (const [index, [, text = '']] of examples.entries()) {
        const built = await transform(text, { loader: 'ts', format: 'esm' });
        const code = built.code.replaceAll('http://127.0.0.1:4020', world.hub.url);
        await write(`example${index}.mjs`, code);
        await run(process.execPath, [`example${index}.mjs`], { cwd: folder });
      }
    } finally {
      await world.close();
    }
  });

  it('brings the command line, which npx runs from the package alone', async () => {
    const env = { ...process.env, npm_config_offline: 'true', NO_COLOR: '1' };
    const { stdout } = await run('npx', ['hub', 'help'], { cwd: folder, env });
    assert.match(stdout, /hub work {2}/);
    const made = await run('npx', ['hub', 'init', '--hub', 'http://127.0.0.1:9', '--json'], {
      cwd: folder,
      env,
    });
    assert.equal(at(JSON.parse(made.stdout), 'isMet'), false);
    const { stdout: listed } = await run('npx', ['hub', 'api'], { cwd: folder, env });
    assert.match(listed, /tasks\.publish +signed/);
  });

  it('is served by a hub, which npx installs it from and which its command then asks', async () => {
    const world = await openFixture({ webFolder: join(folder, 'web') });
    try {
      const { client } = mustOk(await world.anyone.get('/api/v1'));
      const url = `${world.hub.url}/client.tgz`;
      assert.deepEqual(client, { url, integrity, run: `npx ${url} work` });
      const empty = await mkdtemp(join(tmpdir(), 'npx-'));
      const npx = async (...words: readonly string[]): Promise<unknown> => {
        const env = { ...process.env, npm_config_cache: join(empty, 'cache'), NO_COLOR: '1' };
        const command = ['--yes', url, ...words, '--json'];
        return JSON.parse((await run('npx', command, { cwd: empty, env })).stdout);
      };
      try {
        assert.equal(at(await npx('init'), 'hub'), world.hub.url);
        assert.equal(at(await npx('init'), 'isMet'), true);
        const other = await npx('init', '--hub', 'http://127.0.0.1:9', '--home', 'other');
        assert.equal(at(other, 'hub'), 'http://127.0.0.1:9');
        const kept: unknown = await npx('init', '--home', 'other');
        assert.equal(at(kept, 'hub'), 'http://127.0.0.1:9', 'the folder goes before the package');
      } finally {
        await rm(empty, { recursive: true, force: true });
      }
    } finally {
      await world.close();
    }
  });

  it('carries the licence, and in a release the address of its source', async () => {
    const manifestIn = async (file: string): Promise<unknown> => {
      const words = ['-xzOf', join(folder, file), 'package/package.json'];
      return JSON.parse((await run('tar', words)).stdout);
    };
    const installed = join(folder, 'node_modules/@agent-exchange/client');
    const licence = await readFile(join(installed, 'LICENSE'), 'utf8');
    assert.equal(licence, await readFile('LICENSE', 'utf8'));
    assert.equal(at(await manifestIn(`web/${TARBALL}`), 'repository'), undefined);
    const repository = 'https://git.example.org/owner/name.git';
    await pack('client', join(folder, 'release.tgz'), { repository, isBuilt: true });
    const released = await manifestIn('release.tgz');
    assert.equal(at(released, 'homepage'), 'https://git.example.org/owner/name#readme');
    assert.deepEqual(at(released, 'repository'), {
      type: 'git',
      url: 'git+https://git.example.org/owner/name.git',
      directory: 'clients/typescript',
    });
    const plain = { repository: 'http://git.example.org', isBuilt: true };
    await assert.rejects(pack('client', join(folder, 'no.tgz'), plain), /https address/);
  });

  it('lets a bundler leave out the checks that a page does not use', async () => {
    const sizeOf = async (names: string): Promise<number> => {
      const contents = `import { ${names} } from '@agent-exchange/client'; console.log(${names});`;
      const options = { bundle: true, minify: true, write: false, format: 'esm' } as const;
      const built = await build({ stdin: { contents, resolveDir: folder }, ...options });
      return built.outputFiles[0]?.contents.length ?? 0;
    };
    const [without, whole] = [await sizeOf('createHub'), await sizeOf('createHub, verify')];
    assert.ok(without < whole * SHARE_WITHOUT_VERIFY, `${without} of ${whole} bytes`);
  });

  it('compiles on Node types without the DOM, and for a bundler', async () => {
    await write('consumer.ts', CONSUMER);
    await mkdir(join(folder, 'types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types']) {
      await cp(resolve('node_modules', name), join(folder, 'node_modules', name), {
        recursive: true,
      });
    }
    const node = {
      lib: ['ES2023'],
      types: ['node'],
      module: 'ESNext',
      moduleResolution: 'Bundler',
    };
    assert.deepEqual(await compile(node, ['consumer.ts']), []);
  });

  it('runs as a module', async () => {
    await write('run.mjs', `import { ${NAMES} } from '@agent-exchange/client';\n${RUNS}`);
    await runs('run.mjs');
  });

  it('runs as CommonJS', async () => {
    const required = `const { ${NAMES} } = require('@agent-exchange/client');`;
    await write('run.cjs', `${required}\n(async () => {${RUNS}})();`);
    await runs('run.cjs');
  });

  it('runs in a page, where nothing is Node', async () => {
    await write('page.mjs', BROWSER);
    await runs('page.mjs', '--experimental-vm-modules');
  });

  it('gives the file helpers to both kinds of module, with the same classes', async () => {
    const check = `
      const key = await keys.loadOrGenerate(process.argv[2] + '.key');
      const again = await keys.load(process.argv[2] + '.key');
      if (again.keyId !== key.keyId || generateKey !== keys.generate) process.exit(3);
      const { keys: list, pulses } = JSON.parse(process.argv[3]);
      const verdict = await verify.pulses(pulses.map(({ object }) => object), list);
      if (!verdict.ok) process.exit(4);`;
    const imports = `import { generateKey } from '@agent-exchange/client';
      import { keys, verify } from '@agent-exchange/client/node';`;
    const requires = `const { generateKey } = require('@agent-exchange/client');
      const { keys, verify } = require('@agent-exchange/client/node');`;
    await write('files.mjs', imports + check);
    await write('files.cjs', `${requires}(async () => {${check}})();`);
    for (const file of ['files.mjs', 'files.cjs']) {
      await run(process.execPath, [file, file, JSON.stringify(vectors)], { cwd: folder });
    }
  });
});
