import { Point, etc } from '@noble/ed25519';
import { base58, bech32 } from '@scure/base';
import { Decrypter, Encrypter } from 'age-encryption';

/**
 * Files that only the parties of a task can read: age's format, for X25519 keys that follow from
 * the ed25519 keys of accounts (RFC 7748 4.1), so every account can be written to (choices
 * tasks.sealed). The hub sees the size and the digest of what is sealed.
 */
const KEY_PREFIX = 'key:';
const FIELD = 2n ** 255n - 19n;
const SECRET_BYTES = 32;

/**
 * Encrypts a file for accounts; name your own too, if you want to read it again. Throws TypeError
 * for an account that has no ed25519 key of its own.
 */
export async function sealFor(
  accounts: readonly string[],
  content: Uint8Array,
): Promise<Uint8Array> {
  if (accounts.length === 0) throw new TypeError('a file is sealed for one account at least');
  const encrypter = new Encrypter();
  for (const account of new Set(accounts)) encrypter.addRecipient(recipientOf(account));
  return encrypter.encrypt(content);
}

/** Decrypts what was sealed for the account of this key. Throws when it was not, or was changed. */
export async function openSealed(
  { secretKey }: { readonly secretKey: Uint8Array },
  sealed: Uint8Array,
): Promise<Uint8Array> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(await identityOf(secretKey));
  return decrypter.decrypt(sealed);
}

/** The account as a recipient that age and its other programs take. */
export function recipientOf(account: string): string {
  return bech32.encodeFromBytes('age', montgomeryOf(account));
}

/** The key as an identity for age and its other programs: as secret as the key itself. */
export async function identityOf(secretKey: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-512', Uint8Array.from(secretKey));
  const scalar = new Uint8Array(hash).subarray(0, SECRET_BYTES);
  return bech32.encodeFromBytes('age-secret-key-', scalar).toUpperCase();
}

/** The X25519 form of the key of an account: u = (1 + y) / (1 - y). */
function montgomeryOf(account: string): Uint8Array {
  const point = account.startsWith(KEY_PREFIX) ? pointOf(account) : undefined;
  if (point === undefined || point.isSmallOrder()) {
    throw new TypeError(`${account} has no ed25519 key that a file can be sealed for`);
  }
  const { y } = point.toAffine();
  let u = etc.mod((1n + y) * etc.invert(etc.mod(1n - y, FIELD), FIELD), FIELD);
  return Uint8Array.from({ length: SECRET_BYTES }, () => {
    const byte = Number(u & 255n);
    u >>= 8n;
    return byte;
  });
}

function pointOf(account: string): Point | undefined {
  try {
    return Point.fromBytes(base58.decode(account.slice(KEY_PREFIX.length)));
  } catch {
    return undefined;
  }
}
