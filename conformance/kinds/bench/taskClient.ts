import { createHash, randomBytes } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../clients/examples/freePort.ts';
import { startPostgres } from '../../harness/postgres.ts';
import { program } from '../../harness/program.ts';
import { signatureBase, signatureParams } from '../../../domain/httpsig/base.ts';
import { hubKey, newSeed } from '../../../workflows/kernel/keys/ed25519.ts';

/** A task that is paid as soon as it is delivered. */
export const TERMS = {
  title: 'Say done',
  rewardAmount: '100000',
  acceptance: { kind: 'contains', values: ['done'] },
  disputeWindowSeconds: 0,
};

/**
 * Measures on SQLite and then on a durable PostgreSQL. Each call of `database` gives the address of
 * a new one; `folder` is removed at the end.
 */
export async function onBothDatabases(
  measure: (
    title: 'SQLite' | 'PostgreSQL',
    database: () => Promise<string>,
    folder: string,
  ) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const postgres = await startPostgres(true);
  let made = 0;
  const sqlite = async () => `sqlite:${join(folder, `${(made += 1)}.sqlite`)}`;
  try {
    await measure('SQLite', sqlite, folder);
    await measure('PostgreSQL', () => postgres.freshDatabase(), folder);
  } finally {
    closeCallers();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A hub in a process of its own, and callers that sign as cheaply as Node can. */
export interface BenchHub {
  readonly port: number;
  readonly child: ChildProcess;
}

/** `more` are settings beside those that every bench has. */
export async function startHub(
  database: string,
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<BenchHub> {
  return start('conformance/kinds/bench/servers/taskHub.ts', [
    database,
    folder,
    JSON.stringify(more),
  ]);
}

/** Starts a server that says when it is ready, as one file, with its port before the other words. */
export async function start(path: string, more: readonly string[]): Promise<BenchHub> {
  const port = await freePort();
  // As `npm start` runs it; from source, each new function would be named again at run time.
  const script = await program(path);
  const words = [String(port), ...more];
  const profiles = process.env['BENCH_PROFILES'];
  const profiled = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const child = fork(script, words, { execArgv: ['--expose-gc', ...profiled] });
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${path} ended with ${String(code)}`)));
  });
  return { port, child };
}

export type Body = Readonly<Record<string, unknown>>;
export interface Caller {
  readonly account: string;
  get(path: string): Promise<Body>;
  post(path: string, body: object): Promise<Body>;
}

/** Every loopback address may have 64 long polls open (choices pipeline.limits). */
const ADDRESSES = 24;
const agents = Array.from(
  { length: ADDRESSES },
  (_, n) => new Agent({ keepAlive: true, localAddress: `127.0.0.${n + 1}` }),
);
let callers = 0;

/** A request to sign; `digest` is the Content-Digest of its body, if it has one. */
export interface Unsigned {
  readonly method: string;
  readonly target: string;
  readonly digest?: string | undefined;
}

export interface Signed {
  readonly account: string;
  headersOf(request: Unsigned): Record<string, string>;
}

export function newSigner(port: number): Signed {
  const key = hubKey(newSeed());
  const authority = `127.0.0.1:${port}`;
  return {
    account: `key:${key.keyId}`,
    headersOf({ method, target, digest }) {
      const [path = '', query] = target.split('?');
      const hasBody = digest !== undefined;
      const covered = [
        '@method',
        '@authority',
        '@path',
        ...(hasBody ? ['content-digest'] : []),
        ...(query === undefined ? [] : ['@query']),
      ];
      const params = signatureParams(covered, {
        createdSeconds: Math.floor(Date.now() / 1000),
        keyId: key.keyId,
        nonce: randomBytes(12).toString('hex'),
      });
      const message = {
        method,
        authority,
        scheme: 'http',
        path,
        target,
        query,
        hasBody,
        field: (name: string) => (name === 'content-digest' ? digest : undefined),
      };
      const base = signatureBase(message, covered, params);
      if (!base.ok) throw new Error(`cannot sign ${target}`);
      const signature = Buffer.from(key.sign(Buffer.from(base.text))).toString('base64');
      return {
        ...(hasBody && { 'content-type': 'application/json', 'content-digest': digest }),
        'signature-input': `sig1=${params}`,
        signature: `sig1=:${signature}:`,
      };
    },
  };
}

export function digestOf(body: string | Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}

export function newCaller(port: number): Caller {
  const { account, headersOf } = newSigner(port);
  const agent = agents[callers % ADDRESSES];
  callers += 1;
  const ask = (method: 'GET' | 'POST', target: string, content?: object): Promise<Body> => {
    const body = content === undefined ? undefined : JSON.stringify(content);
    const signed = headersOf({ method, target, digest: body && digestOf(body) });
    const headers = { ...signed, ...(body && { 'content-length': Buffer.byteLength(body) }) };
    return send({ method, port, path: target, headers, ...(agent && { agent }) }, body);
  };
  return {
    account,
    get: (target) => ask('GET', target),
    post: (target, content) => ask('POST', target, content),
  };
}

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly port: number;
  readonly path: string;
  readonly headers: Record<string, string | number>;
  readonly agent?: Agent;
}

function send(options: Sent, body = ''): Promise<Body> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', ...options }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => (text += piece));
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(JSON.parse(text) as Body);
        else reject(new Error(`${options.path}: ${answer.statusCode} ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Test money for a caller; the route is not signed. */
export async function fund(
  port: number,
  { account }: Pick<Caller, 'account'>,
  times: number,
): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const body = JSON.stringify({ amount: '1000000000', idempotencyKey: `bench-${n}` });
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    await send({ method: 'POST', port, path: `/api/v1/wallet/${account}/credit`, headers }, body);
  }
}

export function closeCallers(): void {
  for (const agent of agents) agent.destroy();
}
