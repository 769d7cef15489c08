import { keyBytes } from '../../domain/account.ts';
import type { VerifySeal } from '../../domain/ledger/sealCheck.ts';
import { createVerify } from '../../workflows/kernel/keys/ed25519.ts';

/** @param own Keys of the hub; absent, a signature of any key counts, and its reader compares keys. */
export function sealVerifier(own?: ReadonlySet<string>): VerifySeal {
  const verify = createVerify();
  return (keyId, message, signature) => {
    const key = own === undefined || own.has(keyId) ? keyBytes(keyId) : undefined;
    return key !== undefined && verify(key, message, Buffer.from(signature, 'base64'));
  };
}
