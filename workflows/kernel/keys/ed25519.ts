import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { keyIdOf, type KeyId } from '../../../domain/account.ts';
import { putNewest } from '../putNewest.ts';

/**
 * Ed25519 with node:crypto, the only verifier: libraries disagree on odd signatures. It accepts bad
 * public keys, so `judgeKey` (domain/httpsig/keys.ts) must come first.
 */
export type Verify = (key: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

export interface HubKey {
  readonly keyId: KeyId;
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/** Key objects kept by one verifier; building one costs nearly as much as a verification. */
const KEY_OBJECTS_MAX = 10_000;
export const SEED_BYTES = 32;
const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A verifier with its own bounded cache of key objects, the least recently used dropped first. */
export function createVerify(keyObjectsMax: number = KEY_OBJECTS_MAX): Verify {
  const cache = new Map<string, KeyObject>();
  const keyObject = (key: Uint8Array): KeyObject => {
    const name = Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
    const found = cache.get(name) ?? publicKeyObject(key);
    putNewest(cache, [name, found], keyObjectsMax);
    return found;
  };
  return (key, message, signature) => {
    if (key.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
    return verify(null, message, keyObject(key), signature);
  };
}

/** A signing key from its 32-byte seed; throws RangeError on any other length. */
export function hubKey(seed: Uint8Array): HubKey {
  if (seed.length !== SEED_BYTES) throw new RangeError('an ed25519 seed has 32 bytes');
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = Uint8Array.from(spki.subarray(SPKI_PREFIX.length));
  return {
    keyId: keyIdOf(publicKey),
    publicKey,
    sign: (message) => sign(null, message, privateKey),
  };
}

export function newSeed(): Uint8Array {
  return randomBytes(SEED_BYTES);
}

function publicKeyObject(key: Uint8Array): KeyObject {
  const der = Buffer.concat([SPKI_PREFIX, key]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}
