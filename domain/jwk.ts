import { keyBytes } from './account.ts';
import { sha256 } from './digest.ts';

/** A public key of the curve Ed25519 as RFC 8037 2 has it: a key pair without its private part. */
export interface Ed25519Jwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** Its 32 bytes in base64url. */
  readonly x: string;
}

export function ed25519Jwk(publicKey: Uint8Array): Ed25519Jwk {
  return { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
}

/** A key of the hub, whose id is a key. @throws Error for any other text. */
export function jwkOfKey(keyId: string): Ed25519Jwk {
  const bytes = keyBytes(keyId);
  if (bytes === undefined) throw new Error(`${keyId} is no key`);
  return ed25519Jwk(bytes);
}

/** RFC 7638 and RFC 8037, appendix A.3: the digest of the required members in their order. */
export function jwkThumbprint({ kty, crv, x }: Ed25519Jwk): string {
  const required = JSON.stringify({ crv, kty, x });
  return Buffer.from(sha256(Buffer.from(required))).toString('base64url');
}
