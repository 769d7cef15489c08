import { createPublicKey, verify } from 'node:crypto';
import { keyIdOf, KEY_BYTES } from '../../../domain/account.ts';
import { judgeKey } from '../../../domain/httpsig/keys.ts';
import { createVerify } from './ed25519.ts';

/** A public key as it stands in a JWKS (RFC 7517, RFC 8037). */
export interface Jwk {
  readonly kty: 'OKP' | 'EC';
  readonly crv: 'Ed25519' | 'P-256';
  readonly x: string;
  readonly y?: string;
}

interface Signed {
  readonly header: Readonly<Record<string, unknown>>;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

const KEYS_MAX = 256;
const ES256_BYTES = 64;
const verifyEd25519 = createVerify(KEYS_MAX);

/**
 * Whether a JWS is signed by a key. The kind of the key decides on the algorithm, and the header must
 * name that one: a header that could choose it could choose none.
 */
export function isSignedBy(jwk: Jwk, { header, signed, signature }: Signed): boolean {
  const { kty, crv, x, y } = jwk;
  if (kty === 'OKP' && crv === 'Ed25519') {
    const key = Buffer.from(x, 'base64url');
    if (!['EdDSA', 'Ed25519'].includes(String(header['alg'])) || key.length !== KEY_BYTES)
      return false;
    return judgeKey(keyIdOf(key)).ok && verifyEd25519(key, signed, signature);
  }
  if (kty !== 'EC' || crv !== 'P-256' || y === undefined || header['alg'] !== 'ES256') return false;
  if (signature.length !== ES256_BYTES) return false;
  try {
    const key = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
    return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    // The two coordinates are no point of the curve.
    return false;
  }
}
