import { createPrivateKey, sign } from 'node:crypto';
import { keyAccount, keyIdOf } from '../../../../domain/account.ts';
import { ed25519Jwk } from '../../../../domain/jwk.ts';

/**
 * A public key pair to compare signers byte for byte: the seed is the SHA-256 of "Agent Exchange
 * Hub: published sandbox key 1", not the key of RFC 9421, which the hub refuses.
 */
const SEED = Buffer.from('b000d39048eafa3e7da8cab819ff95be02c6bc46cc6c22179ddf5015413be485', 'hex');
const PUBLIC = Buffer.from(
  '2df37308729792c9b41a1ac870f6b6737b52c109ba63fc4fb6869b12016dd008',
  'hex',
);

const privateKey = createPrivateKey({
  format: 'jwk',
  key: { ...ed25519Jwk(PUBLIC), d: SEED.toString('base64url') },
});
const keyId = keyIdOf(PUBLIC);

export const sandboxKey = {
  seedHex: SEED.toString('hex'),
  publicKeyHex: PUBLIC.toString('hex'),
  keyId,
  account: keyAccount(keyId),
} as const;

export function signWithSandboxKey(text: string): Uint8Array {
  return sign(null, Buffer.from(text), privateKey);
}
