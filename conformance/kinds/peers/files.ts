// Files of 32 MB up and down: the hub (signed, charged, durable, base64) against bare Koa routes,
// and the memory of eight uploads at once.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { freePort } from '../../../clients/examples/freePort.ts';
import { median } from '../bench/harness.mjs';
import { digestOf, fund, newSigner, startHub, type Signed } from '../bench/taskClient.ts';

const MEGABYTE = 2 ** 20;
const BYTES = 32 * MEGABYTE;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7);
const AIM = 0.7;
const AT_ONCE = 8;
const FILES = '/api/v1/files';

const line = (text: string): void => void process.stdout.write(`${text}\n`);

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
}

/** Sends a request and reads its answer to the end, keeping nothing of it. */
function exchange(port: number, { method, path, headers, body }: Asked): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': body.length };
    const options = { host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } };
    const sent = request({ ...options, agent: false }, (answer) => {
      let first = '';
      answer.on('data', (piece: Buffer) => (first ||= piece.toString('latin1', 0, 300)));
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${first}`));
      });
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

interface Upload {
  readonly body: Buffer;
  readonly digest: string;
}

function uploadOf(owner: Signed, key: string, bytes: Buffer): Upload {
  const contentBase64 = bytes.toString('base64');
  const body = Buffer.from(JSON.stringify({ owner: owner.account, key, contentBase64 }));
  return { body, digest: digestOf(body) };
}

function putTo(port: number, owner: Signed, { body, digest }: Upload): Promise<void> {
  const headers = owner.headersOf({ method: 'POST', target: FILES, digest });
  return exchange(port, { method: 'POST', path: FILES, headers, body });
}

/** A field of /proc/PID/status, in megabytes; NaN where there is no such file. */
function memoryOf({ pid }: ChildProcess, field: 'VmRSS' | 'VmHWM'): number {
  if (process.platform !== 'linux') return NaN;
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

const folder = await mkdtemp(join(tmpdir(), 'hub-bench-'));
const hub = await startHub(`sqlite:${join(folder, 'hub.sqlite')}`, folder);
const bare = await freePort();
const script = new URL('./servers/koaFiles.ts', import.meta.url);
const koa = fork(script, [String(bare), folder], { execArgv: ['--import=tsx'] });
await once(koa, 'message');
try {
  const owner = newSigner(hub.port);
  await fund(hub.port, owner, 1);
  // Other bytes each time, so that nothing is stored already.
  const bytes = Array.from({ length: 3 }, () => randomBytes(BYTES));
  const uploads = bytes.map((each) => uploadOf(owner, 'bench', each));
  let turn = 0;
  const path = `${FILES}/${owner.account}/bench`;
  const loads: Readonly<Record<string, () => Promise<void>>> = {
    'hub up': () => putTo(hub.port, owner, uploads[(turn += 1) % 3] as Upload),
    'koa up, the same JSON': () =>
      exchange(bare, { method: 'POST', path: '/json', body: (uploads[turn % 3] as Upload).body }),
    'koa up, plain bytes': () =>
      exchange(bare, { method: 'POST', path: '/raw', body: bytes[turn % 3] as Buffer }),
    'hub down': () => {
      const headers = owner.headersOf({ method: 'GET', target: path });
      return exchange(hub.port, { method: 'GET', path, headers });
    },
    'koa down, the same JSON': () => exchange(bare, { method: 'GET', path: '/json' }),
    'koa down, plain bytes': () => exchange(bare, { method: 'GET', path: '/raw' }),
  };
  const times = new Map(Object.keys(loads).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, load] of Object.entries(loads)) {
      const began = performance.now();
      await load();
      if (round > 0) times.get(name)?.push(performance.now() - began);
    }
  }
  const ms = (name: string): number => median(times.get(name) ?? []);
  line(`a file of 32 MB, ms (median of ${ROUNDS} interleaved rounds)`);
  for (const name of times.keys()) line(`  ${name}: ${ms(name).toFixed(0)}`);
  for (const way of ['up', 'down']) {
    const ratio = ms(`koa ${way}, the same JSON`) / ms(`hub ${way}`);
    const verdict = ratio >= AIM ? 'met' : 'MISSED';
    line(`  ${way}, hub against the same JSON: ${ratio.toFixed(2)} (aim >= ${AIM}) ${verdict}`);
    const plain = ms(`koa ${way}, plain bytes`) / ms(`hub ${way}`);
    line(`  ${way}, hub against plain bytes: ${plain.toFixed(2)}`);
  }
  await manyAtOnce();
} finally {
  hub.child.disconnect();
  koa.disconnect();
  await rm(folder, { recursive: true, force: true });
}

async function manyAtOnce(): Promise<void> {
  const before = memoryOf(hub.child, 'VmHWM');
  const began = performance.now();
  const each = Array.from({ length: AT_ONCE }, async () => {
    const owner = newSigner(hub.port);
    await fund(hub.port, owner, 1);
    await putTo(hub.port, owner, uploadOf(owner, 'many', randomBytes(BYTES)));
  });
  await Promise.all(each);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const after = memoryOf(hub.child, 'VmHWM');
  line(
    `  ${AT_ONCE} uploads at once: ${seconds} s; most memory of the hub ${after.toFixed(0)} MB, ` +
      `${(after - before).toFixed(0)} MB above one at a time (${AT_ONCE * 43} MB of bodies)`,
  );
}
