import { Point } from '@noble/ed25519';
import { KEY_BYTES, keyBytes, type KeyId } from '../account.ts';

/**
 * Which 32 bytes may name an account. Common verifiers, Node's among them, accept small-order and
 * non-canonical public keys, and under some of those one signature fits every message: such a key
 * proves nothing about its holder. The policy holds when a key is bound and at every signature.
 */
export type KeyVerdict =
  | { readonly ok: true; readonly keyId: KeyId; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly why: string };

/** The key of RFC 9421 B.1.4: its private half is printed there. */
export const PUBLISHED_TEST_KEY = '3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt';

/** The same, and the keys of RFC 8032 7.1, which everybody can sign with as well. */
const PUBLISHED: ReadonlyMap<string, string> = new Map([
  [PUBLISHED_TEST_KEY, 'RFC 9421'],
  ['FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z', 'RFC 8032'],
  ['586Z7H2vpX9qNhN2T4e9Utugie3ogjbxzGaMtM3E6HR5', 'RFC 8032'],
  ['Hyx62wPQGyvXCoihZq1BrbUjBRh2LuNxWiiqMkfAuSZr', 'RFC 8032'],
  ['3fD58whN2KJaN9T4r5uE3ELFmzRW1dQNuszrmC6gnhx1', 'RFC 8032'],
  ['Gtbi6WQDB6wUePiZm8aYs5XZ5pUqx9jMMLvRVHPESTjU', 'RFC 8032'],
]);

/** The y coordinates of the eight points of small order, little-endian, without the sign bit. */
const SMALL_ORDER_Y: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);
const LAST = KEY_BYTES - 1;
const SIGN_BIT = 0x80;

/** The check at every signature: grammar, canonical y, not small-order, not published. */
export function judgeKey(text: string, allowTestKey = false): KeyVerdict {
  const bytes = keyBytes(text);
  if (bytes === undefined) {
    return { ok: false, why: 'keyid is not the base58 of a 32-byte ed25519 public key' };
  }
  if (!isCanonicalY(bytes)) return { ok: false, why: 'keyid is a non-canonical public key' };
  if (isSmallOrder(bytes)) return { ok: false, why: 'keyid is a public key of small order' };
  const published = allowTestKey ? undefined : PUBLISHED.get(text);
  if (published !== undefined) {
    return { ok: false, why: `keyid is a published test key of ${published}` };
  }
  // `keyBytes` took the text, so it is a key id; parsing it once more would double the cost.
  return { ok: true, keyId: text as KeyId, bytes };
}

/**
 * The check before a key is bound unsigned: as `judgeKey`, and the bytes must be a point of the
 * prime-order group. A signature shows that by itself; a bare name does not. About a millisecond.
 */
export function judgeNewKey(text: string, allowTestKey = false): KeyVerdict {
  const verdict = judgeKey(text, allowTestKey);
  if (!verdict.ok) return verdict;
  try {
    if (Point.fromBytes(verdict.bytes).isTorsionFree()) return verdict;
  } catch {
    return { ok: false, why: 'the public key is not a point of the curve' };
  }
  return { ok: false, why: 'the public key is outside the prime-order group' };
}

/** A cache of verdicts. The verdict on a key never changes, so no entry goes stale. */
const judged = new Map<string, KeyVerdict>();
const JUDGED_MAX = 4096;

/** `judgeNewKey` with a cache, for keys of payees, which are named again and again. */
export function judgeReceiver(keyId: KeyId): KeyVerdict {
  const known = judged.get(keyId);
  if (known !== undefined) return known;
  if (judged.size >= JUDGED_MAX) judged.clear();
  const verdict = judgeNewKey(keyId);
  judged.set(keyId, verdict);
  return verdict;
}

/** y < p = 2^255 - 19; the nineteen values above it are second names of small ones. */
function isCanonicalY(bytes: Uint8Array): boolean {
  if (((bytes[LAST] ?? 0) | SIGN_BIT) !== 0xff) return true;
  for (let at = LAST - 1; at > 0; at -= 1) if (bytes[at] !== 0xff) return true;
  return (bytes[0] ?? 0) < 0xed;
}

/** Both signs are refused, so the spelling of x = 0 as negative is caught here as well. */
function isSmallOrder(bytes: Uint8Array): boolean {
  // Only these first bytes occur in the list, so nearly every key skips the text.
  if (![0x00, 0x01, 0xec, 0x26, 0xc7].includes(bytes[0] ?? 0)) return false;
  const y = Uint8Array.from(bytes);
  y[LAST] = (y[LAST] ?? 0) & ~SIGN_BIT;
  return SMALL_ORDER_Y.has(Array.from(y, (byte) => byte.toString(16).padStart(2, '0')).join(''));
}
