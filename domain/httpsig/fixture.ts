import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { sha256, sha512 } from '../digest.ts';
import { instant, seconds } from '../instant.ts';
import { HTTPSIG_LIMITS } from './limits.ts';
import type { Policy } from './inspect.ts';
import type { RawRequest } from './message.ts';

/** For tests alone: the policy the vectors are judged under, and keys that sign as clients do. */
export interface RequestVector {
  readonly method: string;
  readonly target: string;
  /** Name and value in the order sent. */
  readonly headers: readonly (readonly string[])[];
  readonly body: string;
}

export const VECTOR_ORIGIN = 'https://hub.example';
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export function policyAt(nowSeconds: number, changes: Partial<Policy> = {}): Policy {
  return {
    now: instant(Math.round(nowSeconds * 1000)),
    maxAgeSeconds: seconds(HTTPSIG_LIMITS.maxAgeSeconds),
    origins: [VECTOR_ORIGIN],
    sha256,
    sha512,
    verify: plainVerify,
    allowTestKey: true,
    ...changes,
  };
}

export function rawRequest({ method, target, headers, body }: RequestVector): RawRequest {
  return { method, target, headers: headers.flat(), body: new TextEncoder().encode(body) };
}

/** node:crypto as it comes, without a key policy: OpenSSL before 3.5 accepts keys of small order. */
function plainVerify(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const der = Buffer.concat([SPKI_PREFIX, key]);
  return verify(
    null,
    message,
    createPublicKey({ key: der, format: 'der', type: 'spki' }),
    signature,
  );
}

export interface FixtureKey {
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

export function fixtureKey(seed: Uint8Array): FixtureKey {
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    publicKey: Uint8Array.from(spki.subarray(SPKI_PREFIX.length)),
    sign: (message) => sign(null, message, key),
  };
}
