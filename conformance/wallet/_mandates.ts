import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto';
import { base58 } from '@scure/base';
import { generateKey } from '../../clients/typescript/sign.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { at } from '../harness/must.ts';
import { walletPath } from './_signed.ts';

/** Mandates of other issuers, put together without any code of the hub. */
export type Json = Readonly<Record<string, unknown>>;

export interface Issuer {
  readonly alg: string;
  readonly jwk: Json;
  readonly privateKey: KeyObject;
}

export function issuer(kind: 'ed25519' | 'p256' = 'ed25519'): Issuer {
  const { publicKey, privateKey } =
    kind === 'ed25519'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const alg = kind === 'ed25519' ? 'EdDSA' : 'ES256';
  return { alg, jwk: publicKey.export({ format: 'jwk' }) as Json, privateKey };
}

/** A key pair of the clients as an issuer, whose `kid` is its key id. */
export async function agentIssuer(): Promise<Issuer & { readonly pair: AgentPair }> {
  const pair = await generateKey();
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = Buffer.concat([prefix, pair.secretKey.subarray(0, 32)]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return { alg: 'EdDSA', jwk: jwkOf(pair.keyId), privateKey, pair };
}
type AgentPair = Awaited<ReturnType<typeof generateKey>>;

export function jwkOf(keyId: string): Json {
  return { kty: 'OKP', crv: 'Ed25519', x: base64url(base58.decode(keyId)) };
}

/** The content of a mandate of the hub's own type for a key. */
export function contentFor(keyId: string, constraints: readonly Json[], more: Json = {}): Json {
  const cnf = { jwk: jwkOf(keyId) };
  return { vct: 'urn:agent-exchange:mandate:spending:1', constraints, cnf, ...more };
}

export interface Changes {
  readonly header?: Json;
  readonly payload?: Json;
  /** Disclosures beside that of the content. */
  readonly disclosures?: readonly string[];
}

export function issue(by: Issuer, content: Json, changes: Changes = {}): string {
  const disclosure = disclosureOf(['c2FsdA', content]);
  const header = encoded({ alg: by.alg, typ: 'dc+sd-jwt', ...changes.header });
  const payload = encoded({
    delegate_payload: [{ '...': digestOf(disclosure) }],
    _sd_alg: 'sha-256',
    ...changes.payload,
  });
  const message = Buffer.from(`${header}.${payload}`);
  const signature =
    by.alg === 'ES256'
      ? sign('sha256', message, { key: by.privateKey, dsaEncoding: 'ieee-p1363' })
      : sign(null, message, by.privateKey);
  const all = [disclosure, ...(changes.disclosures ?? [])];
  return `${header}.${payload}.${base64url(signature)}~${all.join('~')}~`;
}

export function disclosureOf(item: unknown): string {
  return encoded(item);
}

export function digestOf(disclosure: string): string {
  return createHash('sha256').update(disclosure).digest('base64url');
}

export function decoded(part: string): Json {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Json;
}

export function encoded(value: unknown): string {
  return base64url(Buffer.from(JSON.stringify(value)));
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

/** The key that a mandate names, or an unused one where it names none. */
function keyIn(mandate: string): string {
  const [, disclosure = ''] = mandate.split('~');
  try {
    const [, content] = decoded(disclosure) as unknown as readonly [unknown, Json];
    return base58.encode(Buffer.from(String(at(content, 'cnf', 'jwk', 'x')), 'base64url'));
  } catch {
    return NO_KEY;
  }
}
const NO_KEY = '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR';

export function importMandate(
  owner: Agent,
  mandate: string,
  issuerKey?: Json,
  keyId = keyIn(mandate),
): Promise<Answer> {
  const body = { mandate, ...(issuerKey !== undefined && { issuerKey }) };
  return owner.post(`${walletPath(owner)}/keys/${keyId}/policy`, body);
}

export function exportMandate(by: Agent, keyId: string): Promise<Answer> {
  return by.get(`${walletPath(by)}/keys/${keyId}/mandate`);
}
