import { base58 } from '@scure/base';
import type { Brand } from './brand.ts';

/**
 * Accounts: `key:` proves itself by signature, `evm:` belongs to a paying wallet, `hub:` and
 * `external:` are the house's own and never sign (choices ledger.accounts).
 */
export type KeyId = Brand<string, 'KeyId'>;
export type Account = Brand<
  `key:${string}` | `evm:${string}` | `hub:${string}` | `external:${string}`,
  'Account'
>;

export const KEY_BYTES = 32;
const EVM_GRAMMAR = /^evm:0x[0-9a-f]{40}$/;
const HOUSE_GRAMMAR = /^(?:hub|external):[a-z][a-z0-9-]*(?::[A-Za-z0-9-]+)*$/;

/**
 * A cache of decoded keys: base58 costs six microseconds a key, and a request has the same key
 * several times. A text always decodes to the same bytes, so no entry goes stale.
 */
const knownKeys = new Map<string, Uint8Array>();
const KNOWN_KEYS_MAX = 4096;

/** Decodes a key id; undefined unless it is the base58 of 32 bytes, which is one text alone. */
export function keyBytes(text: string): Uint8Array | undefined {
  const known = knownKeys.get(text);
  if (known !== undefined) return known;
  const bytes = decoded(text);
  if (bytes === undefined) return undefined;
  if (knownKeys.size >= KNOWN_KEYS_MAX) knownKeys.clear();
  knownKeys.set(text, bytes);
  return bytes;
}

function decoded(text: string): Uint8Array | undefined {
  if (text.length < KEY_BYTES || text.length > 44) return undefined;
  try {
    const bytes = base58.decode(text);
    return bytes.length === KEY_BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
}

export function parseKeyId(text: string): KeyId | undefined {
  return keyBytes(text) === undefined ? undefined : (text as KeyId);
}

export function keyIdOf(publicKey: Uint8Array): KeyId {
  if (publicKey.length !== KEY_BYTES) throw new RangeError('a public key has 32 bytes');
  return base58.encode(publicKey) as KeyId;
}

export function keyAccount(keyId: KeyId): Account {
  return `key:${keyId}` as Account;
}

/** Returns the canonical name of an account name or a bare key id; undefined for other text. */
export function parseAccount(text: string): Account | undefined {
  if (text.startsWith('key:')) return parseKeyId(text.slice(4)) && (text as Account);
  if (EVM_GRAMMAR.test(text) || HOUSE_GRAMMAR.test(text)) return text as Account;
  const bare = parseKeyId(text);
  return bare && keyAccount(bare);
}

export function houseAccount(name: `hub:${string}` | `external:${string}`): Account {
  if (!HOUSE_GRAMMAR.test(name)) throw new RangeError(`not a house account: ${name}`);
  return name as Account;
}

export type AccountClass = 'user' | 'hub' | 'external';

export function accountClass(account: Account): AccountClass {
  if (account.startsWith('hub:')) return 'hub';
  return account.startsWith('external:') ? 'external' : 'user';
}
