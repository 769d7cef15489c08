import { generateKeyPairSync } from 'node:crypto';
import { base58 } from '@scure/base';

/** The account of a new key, whose secret is thrown away. */
export function newAccount() {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return `key:${base58.encode(Buffer.from(x, 'base64url'))}`;
}
