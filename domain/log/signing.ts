import { sha256 } from '../digest.ts';
import { keyHashInput, LOG_KEY, signatureLine, verifierKeyText, type VerifierKey } from './note.ts';

export interface LogKey {
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

export function signNote(text: string, name: string, keys: readonly LogKey[]): string {
  const lines = keys.map(({ publicKey, sign }) => {
    const { keyHash } = namedKey(name, LOG_KEY, publicKey);
    return signatureLine({ name, keyHash, signature: sign(Buffer.from(text)) });
  });
  return `${text}\n${lines.join('')}`;
}

export function namedKey(name: string, type: number, publicKey: Uint8Array): VerifierKey {
  const hash = sha256(keyHashInput(name, type, publicKey)).subarray(0, 4);
  return { name, type, publicKey, keyHash: Buffer.from(hash).toString('hex') };
}

/** Whether the hash in a verifier key is that of its key. */
export function isSound({ name, type, publicKey, keyHash }: VerifierKey): boolean {
  return namedKey(name, type, publicKey).keyHash === keyHash;
}

export function verifierKey(name: string, type: number, publicKey: Uint8Array): string {
  return verifierKeyText(namedKey(name, type, publicKey));
}
