import { createHash, randomBytes } from 'node:crypto';
import { Agent, request as open, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { signatureBase, signatureParams } from '../../../domain/httpsig/base.ts';
import { hubKey, newSeed, type HubKey } from '../../../workflows/kernel/keys/ed25519.ts';

/** A key with connections of its own, which it keeps open like the client of a program. */
export interface Caller {
  readonly account: string;
  /** Signs and sends. Rejects when no whole answer came. */
  post(url: string, path: string, body: unknown): Promise<Answer>;
  close(): void;
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly isLast: boolean;
}

const COVERED = ['@method', '@authority', '@path', 'content-digest'];
const TIMEOUT_MS = 45_000;

export function newCaller(): Caller {
  const key = hubKey(newSeed());
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    account: `key:${key.keyId}`,
    async post(url, path, body) {
      const message = JSON.stringify(body);
      const { hostname, port, host } = new URL(url);
      const headers = signedHeaders(key, host, path, message);
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const options = { agent, hostname, port, path, method: 'POST', headers };
        const sent = open({ ...options, timeout: TIMEOUT_MS }, resolve);
        sent.once('timeout', () => sent.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
        sent.once('error', reject);
        sent.end(message);
      });
      const got = await text(answer);
      const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
      return {
        status: answer.statusCode ?? 0,
        body: (isJson ? JSON.parse(got) : {}) as Record<string, unknown>,
        isLast: answer.headers.connection === 'close',
      };
    },
    close: () => agent.destroy(),
  };
}

function signedHeaders(key: HubKey, authority: string, path: string, body: string) {
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const target = path.split('?');
  const message = {
    method: 'POST',
    authority,
    scheme: 'http',
    path: target[0] ?? path,
    target: path,
    query: target[1],
    hasBody: true,
    field: (name: string) => (name === 'content-digest' ? digest : undefined),
  };
  const covered = target[1] === undefined ? COVERED : [...COVERED, '@query'];
  const params = signatureParams(covered, {
    createdSeconds: Math.floor(Date.now() / 1_000),
    keyId: key.keyId,
    nonce: randomBytes(12).toString('hex'),
  });
  const base = signatureBase(message, covered, params);
  if (!base.ok) throw new Error(`${base.missing} cannot be signed`);
  const signature = Buffer.from(key.sign(Buffer.from(base.text))).toString('base64');
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'content-digest': digest,
    'signature-input': `sig1=${params}`,
    signature: `sig1=:${signature}:`,
  };
}
