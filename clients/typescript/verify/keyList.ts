import { judgeKey } from '../../../domain/httpsig/keys.ts';
import { hexOf, isTime, msOf } from './grammar.ts';
import { isObject } from './shape.ts';

/** The saved answer of `GET /keys` (spec/BYTES.md 8): which key counts, and when. */
interface KnownKey {
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970; a key without it waits to be announced. */
  readonly notBefore: number | undefined;
  readonly notAfter: number | undefined;
}
export type KeyList = ReadonlyMap<string, KnownKey>;

export const KEYS_MAX = 10_000;

/** Reads the list, ignoring unknown members. Throws TypeError, which names the place. */
export function readKeys(keys: unknown): KeyList {
  const entries: unknown = isObject(keys) ? Reflect.get(keys, 'keys') : undefined;
  if (!Array.isArray(entries)) throw bad('keys', 'is not the JSON that GET /keys answers with');
  if (entries.length > KEYS_MAX) throw bad('keys', `lists more than ${KEYS_MAX} keys`);
  const known = new Map<string, KnownKey>();
  entries.forEach((entry: unknown, place) => {
    const at = `keys.${place}`;
    const keyId = textOf(entry, 'keyId', at);
    if (keyId === undefined) throw bad(`${at}.keyId`, 'is missing');
    if (known.has(keyId)) throw bad(`${at}.keyId`, 'is listed twice');
    const verdict = judgeKey(keyId, true);
    if (!verdict.ok) throw bad(`${at}.keyId`, 'is not the base58 of a sound ed25519 public key');
    const hex = textOf(entry, 'publicKeyHex', at);
    if (hex !== undefined && hex !== hexOf(verdict.bytes)) {
      throw bad(`${at}.publicKeyHex`, 'is not the key that keyId names');
    }
    known.set(keyId, {
      bytes: verdict.bytes,
      notBefore: timeOf(entry, 'notBefore', at),
      notAfter: timeOf(entry, 'notAfter', at),
    });
  });
  return known;
}

function timeOf(entry: unknown, name: string, at: string): number | undefined {
  const text = textOf(entry, name, at);
  if (text !== undefined && !isTime(text)) {
    throw bad(`${at}.${name}`, 'is not a time (YYYY-MM-DDTHH:MM:SS.mmmZ)');
  }
  return text === undefined ? undefined : msOf(text);
}

function textOf(entry: unknown, name: string, at: string): string | undefined {
  if (!isObject(entry)) throw bad(at, 'is not an object');
  if (!Object.hasOwn(entry, name)) return undefined;
  const value: unknown = Reflect.get(entry, name);
  if (typeof value !== 'string') throw bad(`${at}.${name}`, 'is not text');
  return value;
}

function bad(at: string, says: string): TypeError {
  return new TypeError(`The list of keys cannot be used: ${at} ${says}. Save GET /keys again.`);
}
