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
