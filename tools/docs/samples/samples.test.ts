import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  scriptedHub,
  type Received,
  type ScriptedHub,
} from '../../../clients/typescript/fixture.ts';
import { createHub, generateKey, unwrap } from '../../../clients/typescript/index.ts';
import { runHub } from '../../../clients/typescript/cli/hub.ts';
import type { Document } from '../../generate/document.ts';
import type { SampleCall } from './call.ts';
import { readInPython } from './readPython.ts';
import { runTypeScript } from './runTypeScript.ts';
import { LANGUAGES, samplesOf, SETUPS, type Language, type Sample } from './samples.ts';

/** Runs every sample of the contract page and checks the request that it sends. */
const ALL_MS_MAX = 120_000;
const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document;

describe('the samples of the contract', function () {
  this.timeout(ALL_MS_MAX);
  let samples: readonly Sample[];
  let scripted: ScriptedHub;
  let folder: string;
  before(async () => {
    samples = [...(await samplesOf(document)).values()];
    scripted = await scriptedHub();
    folder = mkdtempSync(join(tmpdir(), 'hub-samples-'));
  });
  after(async () => {
    await scripted.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const textsOf = (language: Language): readonly string[] =>
    samples.map(({ text }) => text[language]);

  it('are there for every operation in every client', () => {
    assert.ok(samples.length > 150);
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      assert.ok(
        textsOf(language).every((text) => /hub|curl/.test(text)),
        language,
      );
    }
  });

  it('compile with the typed client as they are', async () => {
    const mistake = `unwrap(await hub.GET('/api/v1/tasks', { params: { query: { limt: 5 } } }));`;
    const faults = await compileFaults(folder, programOf([...textsOf('typescript'), mistake]));
    assert.equal(faults.length, 1, `the mistake, and nothing else: ${faults.join(', ')}`);
    assert.match(faults[0] ?? '', /'limt' does not exist/);
  });

  it('send the call of the contract with the typed client', async () => {
    const key = await generateKey();
    for (const { call, text } of samples) {
      scripted.play({ status: 200, body: {} });
      const hub = createHub({ baseUrl: scripted.baseUrl, key });
      await runTypeScript(text.typescript, { hub, unwrap, key });
      mustHaveSent(scripted.received(), call, key.account);
    }
  });

  it('send the same by the command line, as a shell reads it', async () => {
    const env = { AGENT_HUB: scripted.baseUrl, AGENT_HOME: folder };
    const run = async (words: readonly string[]): Promise<void> => {
      let output = '';
      const hear = (text: string): void => void (output += text);
      const isTerminal = { out: false, err: false };
      const { signal } = new AbortController();
      const io = { out: hear, err: hear, env, stdin: nothing(), isTerminal, signal };
      assert.equal(await runHub(words, io), 0, output);
    };
    scripted.play({ status: 200, body: { keys: [] } });
    await run(['init']);
    const account = 'key:8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR';
    const lines = shellWords(textsOf('terminal'));
    assert.equal(lines.length, samples.length);
    for (const [index, { signedCall }] of samples.entries()) {
      const [npx, no, hub, ...words] = lines[index] ?? [];
      assert.deepEqual([npx, no, hub], ['npx', '--no', 'hub']);
      scripted.play({ status: 200, body: { owner: account } });
      await run(words);
      mustHaveSent(scripted.received(), signedCall, account);
    }
  });

  it('send the same with curl, as bash reads it', () => {
    const account = 'key:8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR';
    const calls = curlCalls(textsOf('curl'), account);
    assert.equal(calls.length, samples.length);
    for (const [index, { call }] of samples.entries()) {
      const sent = calls[index];
      const isSigned = call.operation['x-auth'] === 'signed';
      assert.equal(sent?.command, isSigned ? 'hub' : 'curl', call.operation.operationId);
      mustHaveSent(sent === undefined ? [] : [sent], call, account);
    }
  });

  it('call methods of the Python client, with the arguments that they take', function () {
    const given = samples.map(({ signedCall, text }) => ({
      id: signedCall.operation.operationId,
      text: text.python,
    }));
    const read = readInPython(SETUPS.python, given);
    if (read === undefined) {
      console.log('The samples in Python were not read: there is no Python here');
      this.skip();
    }
    assert.equal(read.output, `${samples.length} calls read\n`);
    assert.equal(read.status, 0);
  });
});

async function* nothing(): AsyncGenerator<Uint8Array> {
  // Standard input has ended.
}

/** All of them in one file, each in a block of its own, after what they take for granted. */
function programOf(texts: readonly string[]): string {
  const blocks = texts.map((text) => `{\n${text}\n}`).join('\n');
  return `${SETUPS.typescript}\n${blocks}`;
}

/** In a process of its own: the worker of the tests would be busy for all of it. */
async function compileFaults(folder: string, text: string): Promise<readonly string[]> {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    typeRoots: [resolve('node_modules/@types')],
    types: ['node'],
    paths: {
      '@agent-exchange/client': [resolve('clients/typescript/index.ts')],
      '@agent-exchange/client/node': [resolve('clients/typescript/node.ts')],
    },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  writeFileSync(join(folder, 'samples.ts'), text);
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const ran = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
    (failed: { readonly stdout: string }) => failed,
  );
  return ran.stdout.split('\n').filter((line) => line !== '');
}

/** Returns the words of each line, by a shell that prints its commands instead of running them. */
function shellWords(lines: readonly string[]): readonly (readonly string[])[] {
  const script = `npx() { printf '%s\\0' npx "$@"; printf '\\n\\0'; }\n${lines.join('')}`;
  const { stdout, status } = spawnSync('sh', ['-s'], { input: script, encoding: 'utf8' });
  assert.equal(status, 0);
  return stdout
    .split('\n\0')
    .slice(0, -1)
    .map((line) => line.split('\0').slice(0, -1));
}

interface Printed {
  readonly command: string;
  readonly method: string;
  readonly target: string;
  readonly body: unknown;
}

/** Returns the calls that bash would have started, with functions in place of the two commands. */
function curlCalls(lines: readonly string[], account: string): readonly Printed[] {
  const prints = (name: string): string =>
    `${name}() { printf '%s\\0' ${name} "$@"; printf '\\n\\0'; }`;
  const script = [
    `me=${account}`,
    'openssl() { printf k; }',
    prints('hub'),
    prints('curl'),
    ...lines,
  ];
  const ran = spawnSync('bash', ['-s'], { input: script.join('\n'), encoding: 'utf8' });
  assert.equal(ran.status, 0, ran.stderr);
  return ran.stdout
    .split('\n\0')
    .slice(0, -1)
    .map((text) => {
      const [command = '', ...words] = text.split('\0').slice(0, -1);
      const after = (name: string): string | undefined =>
        words.includes(name) ? words[words.indexOf(name) + 1] : undefined;
      const url = words.find((word) => word.startsWith('http'));
      const [method, target, body] =
        command === 'hub' ? words : [after('-X') ?? 'GET', url, after('--data-raw')];
      const { pathname, search } = new URL(target ?? '', 'http://127.0.0.1:4020');
      return {
        command,
        method: method ?? '',
        target: pathname + search,
        body: body === undefined ? undefined : (JSON.parse(body) as unknown),
      };
    });
}

function mustHaveSent(
  received: readonly Pick<Received, 'method' | 'target' | 'body'>[],
  call: SampleCall,
  account: string,
): void {
  const { operation, method, path, values, owner, hasBody } = call;
  const own = (place: string): object => (owner?.place === place ? { [owner.name]: account } : {});
  const at = { ...values.path, ...own('path') } as Readonly<Record<string, unknown>>;
  const query = { ...values.query, ...own('query') };
  const sent = received.at(-1);
  assert.ok(sent !== undefined, operation.operationId);
  const { pathname, searchParams } = new URL(sent.target, 'http://hub');
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => String(at[name]));
  const body = hasBody ? { ...values.body, ...own('body') } : undefined;
  const { [keyOf(operation)]: _key, ...plain } = (sent.body ?? {}) as Record<string, unknown>;
  assert.deepEqual(
    {
      method: sent.method,
      path: decodeURIComponent(pathname),
      query: Object.fromEntries(searchParams),
      body: hasBody ? plain : undefined,
    },
    {
      method,
      path: target,
      query: Object.fromEntries(Object.entries(query).map(([name, each]) => [name, String(each)])),
      body,
    },
    operation.operationId,
  );
}

function keyOf(operation: SampleCall['operation']): string {
  return operation['x-idempotency']?.replace(/^body\./, '') ?? '';
}
