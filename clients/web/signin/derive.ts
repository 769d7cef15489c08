import { browserKeys, type BrowserKey, type KeyStorage } from '../../typescript/browserKeys.ts';

/** Why a passkey or a wallet yields no key; each reason has a sentence of its own. */
export type Reason = 'cancelled' | 'noPrf' | 'changing' | 'noAccount';

export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly reason: Reason;
  constructor(reason: Reason, cause?: unknown) {
    super(`no key: ${reason}`, { cause });
    this.reason = reason;
  }
}

const SEED_BITS = 256;

/**
 * Derives the seed of an Ed25519 key from secret bytes that only the device of a person yields. The
 * purpose keeps keys of passkeys and wallets apart (choices clients.ways-in).
 */
export async function seedOf(secret: BufferSource, purpose: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const info = new TextEncoder().encode(`agent-exchange-hub ${purpose}`);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  return new Uint8Array(await crypto.subtle.deriveBits(how, key, SEED_BITS));
}

/** Returns a key that signs and is stored nowhere, to be joined to an account. */
export function keyOfSeed(seed: Uint8Array): Promise<BrowserKey> {
  const storage: KeyStorage = {
    get: async () => undefined,
    add: async (_name, pair) => pair,
    remove: async () => {},
  };
  return browserKeys.importSecret('unstored', seed, { storage });
}

/** Writes a key as the command line keeps it in `.hub/agent.key`. */
export async function keyFileText(seed: Uint8Array): Promise<string> {
  const { keyId } = await keyOfSeed(seed);
  return JSON.stringify({ keyId, secretKey: btoa(String.fromCharCode(...seed)) });
}
