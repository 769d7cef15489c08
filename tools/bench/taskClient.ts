import { createHash, randomBytes } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { Agent, request } from 'node:http';
import { freePort } from '../../clients/examples/freePort.ts';
import { signatureBase, signatureParams } from '../../domain/httpsig/base.ts';
import { hubKey, newSeed } from '../../server/hub/keys/ed25519.ts';

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
  const port = await freePort();
  const script = new URL('./servers/taskHub.ts', import.meta.url);
  const words = [String(port), database, folder, JSON.stringify(more)];
  const child = fork(script, words, { execArgv: ['--import=tsx'] });
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the hub ended with ${String(code)}`)));
  });
  return { port, child };
}

export type Body = Readonly<Record<string, unknown>>;
export interface Caller {
  readonly account: string;
  post(path: string, body: object): Promise<Body>;
}

const COVERED = ['@method', '@authority', '@path', 'content-digest'];
const COVERED_WITH_QUERY = [...COVERED, '@query'];
/** Every loopback address may have 64 long polls open (choices pipeline.limits). */
const ADDRESSES = 16;
const agents = Array.from(
  { length: ADDRESSES },
  (_, n) => new Agent({ keepAlive: true, localAddress: `127.0.0.${n + 1}` }),
);
let callers = 0;

export function newCaller(port: number): Caller {
  const key = hubKey(newSeed());
  const agent = agents[callers % ADDRESSES];
  callers += 1;
  const authority = `127.0.0.1:${port}`;
  return {
    account: `key:${key.keyId}`,
    post(target, content) {
      const [path = '', query] = target.split('?');
      const body = JSON.stringify(content);
      const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
      const covered = query === undefined ? COVERED : COVERED_WITH_QUERY;
      const params = signatureParams(covered, {
        createdSeconds: Math.floor(Date.now() / 1000),
        keyId: key.keyId,
        nonce: randomBytes(12).toString('hex'),
      });
      const message = {
        ...{ method: 'POST', authority, scheme: 'http', path, target, query, hasBody: true },
        field: (name: string) => (name === 'content-digest' ? digest : undefined),
      };
      const base = signatureBase(message, covered, params);
      if (!base.ok) throw new Error(`cannot sign ${target}`);
      const signature = Buffer.from(key.sign(Buffer.from(base.text))).toString('base64');
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'content-digest': digest,
        'signature-input': `sig1=${params}`,
        signature: `sig1=:${signature}:`,
      };
      return send({ port, path: target, headers, ...(agent && { agent }) }, body);
    },
  };
}

interface Sent {
  readonly port: number;
  readonly path: string;
  readonly headers: Record<string, string | number>;
  readonly agent?: Agent;
}

function send(options: Sent, body: string): Promise<Body> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', method: 'POST', ...options }, (answer) => {
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
export async function fund(port: number, { account }: Caller, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const body = JSON.stringify({ amount: '1000000000', idempotencyKey: `bench-${n}` });
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    await send({ port, path: `/api/v1/wallet/${account}/credit`, headers }, body);
  }
}

export function closeCallers(): void {
  for (const agent of agents) agent.destroy();
}
