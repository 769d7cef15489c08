import { base58 } from '@scure/base';

/** The words of spec/BYTES.md 1: each text has one spelling, so no character of it is free. */
const DIGEST = /^[0-9a-f]{64}$/;
const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;
const MINUTE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:00Z$/;
/** 86 characters carry 516 bits; the four that are left over are zero. */
const SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw]==$/;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** The last character by the length of the text modulo 4; one left over is no base64. */
const LAST: Readonly<Record<number, RegExp>> = {
  0: /./,
  1: /(?!)/,
  2: /[AQgw]$/,
  3: /[AEIMQUYcgkosw048]$/,
};
const BASE64URL_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const SHIFTS = [18, 12, 6, 0] as const;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const LONE_SURROGATE = /\p{Surrogate}/u;

export const MINUTE_MS = 60_000;
const SIGNED_BYTES_MAX = 8_192;
const KEY_BYTES = 32;
const KEY_ID_MAX = 44;

export function isDigest(value: unknown): value is string {
  return typeof value === 'string' && DIGEST.test(value);
}

export function isSignature(value: unknown): value is string {
  return typeof value === 'string' && SIGNATURE.test(value);
}

/** Base64url without padding, without stray bits, of a size that a signed object has. */
export function isSignedBytes(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > SIGNED_BYTES_MAX) return false;
  return BASE64URL.test(value) && LAST[value.length % 4]?.test(value) === true;
}

export function isKeyId(value: unknown): value is string {
  return typeof value === 'string' && keyBytes(value) !== undefined;
}

/** The public key that a key id names; undefined when it names none. */
export function keyBytes(text: string): Uint8Array | undefined {
  if (text.length < KEY_BYTES || text.length > KEY_ID_MAX) return undefined;
  try {
    const bytes = base58.decode(text);
    return bytes.length === KEY_BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** A whole number that every reader of JSON reads alike. */
export function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Text of at most `max` characters (code points) that UTF-8 can carry. */
export function isText(value: unknown, max: number): value is string {
  if (typeof value !== 'string' || value.length > 2 * max) return false;
  return !LONE_SURROGATE.test(value) && [...value].length <= max;
}

export function isTime(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value) && moment(value, value) !== undefined;
}

export function isMinute(value: unknown): value is string {
  if (typeof value !== 'string' || !MINUTE.test(value)) return false;
  return moment(value, value.replace('Z', '.000Z')) !== undefined;
}

export function msOf(text: string): number {
  return Date.parse(text);
}

/** Engines take the 30th of February and 24 o'clock and move on; writing it again shows that. */
function moment(text: string, full: string): number | undefined {
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || ms < 0) return undefined;
  return new Date(ms).toISOString() === full ? ms : undefined;
}

export function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function decodeBase64url(text: string): Uint8Array {
  return decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/** Written out, since `btoa` takes ten times as long in Node and this is done for every object. */
export function encodeBase64url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const word = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (const shift of SHIFTS) text += BASE64URL_ALPHABET.charAt((word >> shift) & 63);
  }
  return text.slice(0, Math.ceil((bytes.length * 4) / 3));
}

export function hexBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  }
  return bytes;
}

export function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte] ?? '';
  return text;
}
