import { generateKey, signer, signRequest, type Signer } from '../../clients/typescript/sign.ts';
import { fixtureKey } from '../../domain/httpsig/fixture.ts';
import { noteAnswer } from './answered.ts';
import { faultsOf, operationOf } from './contract.ts';
import { deadEnds } from './hints.ts';
import { offerFaults } from './offers.ts';
import { patiently } from './patience.ts';
import { noteRefusal } from './refused.ts';
import { postTwice } from './twice.ts';
import { undeclared } from '../../tools/test/undeclared.ts';

/** A raw answer: assertions read the JSON that came, never the server's own types. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  readonly text: string;
}

/** A client of a hub: signs when it has a key, and checks every answer it gets. */
export interface Agent {
  readonly account: string;
  readonly keyId: string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  send(request: Request): Promise<Answer>;
  /** The signed request, not sent: to move, replay or break it. */
  signed(method: string, path: string, body?: unknown, headers?: Headed): Promise<Request>;
}

/** Headers that the signature covers where its rules name them, such as `prefer`. */
type Headed = Readonly<Record<string, string>>;
export const DRY_RUN: Headed = { prefer: 'dry-run' };

/** Tries a call, of which the hub keeps nothing. */
export async function tried(agent: Agent, path: string, body: unknown): Promise<Answer> {
  return agent.send(await agent.signed('POST', path, body, DRY_RUN));
}

export interface Place {
  readonly url: string;
  readonly clock: { now(): number };
}

export async function newAgent(place: Place): Promise<Agent> {
  return agentWith(place, await generateKey());
}

export function agentWith(
  place: Place,
  key: { readonly secretKey: Uint8Array; readonly keyId: string; readonly account: string },
): Agent {
  // A run signs tens of thousands of requests, so OpenSSL does it in place of the client's curve.
  const signing: Signer = signer({ keyId: key.keyId, sign: fixtureKey(key.secretKey).sign });
  const signed: Agent['signed'] = (method, path, body, headers = {}) => {
    const bare = plain(place, method, path, body);
    for (const [name, value] of Object.entries(headers)) bare.headers.set(name, value);
    return signRequest(bare, signing, place.clock.now());
  };
  const post = async (path: string, body: unknown, headers?: Headed): Promise<Answer> =>
    exchange(await signed('POST', path, body ?? {}, headers));
  return {
    account: key.account,
    keyId: key.keyId,
    signed,
    send: exchange,
    get: async (path) => exchange(await signed('GET', path)),
    post: (path, body) => postTwice(path, body, (more) => post(path, body, more)),
  };
}

/** Has a key join an account: the new key signs, then a key of the account. */
export async function joinAccount(
  owner: Agent,
  key: Agent,
  account = owner.account,
): Promise<Answer> {
  const path = `/api/v1/wallet/${account}/keys`;
  const asked = await key.post(path, { publicKey: key.keyId });
  return asked.status === 200 ? owner.post(path, { publicKey: key.keyId }) : asked;
}

export function visitor(place: Place): Pick<Agent, 'get' | 'post' | 'send'> {
  return {
    send: exchange,
    get: (path) => exchange(plain(place, 'GET', path)),
    post: (path, body) => exchange(plain(place, 'POST', path, body ?? {})),
  };
}

export function plain(place: Place, method: string, path: string, body?: unknown): Request {
  const withBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
  const url = path.startsWith('/') ? `${place.url}${path}` : path;
  return new Request(url, {
    method,
    ...(withBody && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
}

const WORLD = /^\/worlds\/[0-9a-f]{32}/;

/** Sends, and holds the answer against the document. */
export async function exchange(request: Request): Promise<Answer> {
  const { method, url } = request;
  const response = await patiently(() => fetch(request.clone()));
  const text = await response.text();
  const isJson = /^application\/(?:json|vnd\.hub\.preview\+json)$/.test(
    response.headers.get('content-type') ?? '',
  );
  const body = (isJson && text !== '' ? JSON.parse(text) : {}) as Record<string, unknown>;
  const answer = { status: response.status, headers: response.headers, body, text };
  const operation = operationOf(method, new URL(url).pathname.replace(WORLD, ''));
  if (operation !== undefined && response.status !== 405) {
    noteAnswer(operation.operationId, answer.status);
    noteRefusal(operation.operationId, answer);
    undeclared.push(...faultsOf(operation, answer));
  }
  undeclared.push(...deadEnds(answer), ...offerFaults(answer.body));
  return answer;
}
