import { isObject, type JsonObject } from '../jsonObject.ts';
import { cut, head } from '../text.ts';

/**
 * Cleans untrusted texts: NFC, no control, bidirectional or invisible characters, no lone
 * surrogate, cut to the contract's length (threats.look-alikes). Everything else is data and stays.
 */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;
const HALF = /\p{Surrogate}/gu;
const SCHEMA_DEPTH_MAX = 24;
const SCHEMA_CHARACTERS_MAX = 32_768;

/** The text, or undefined when it is none or nothing of it is left. Line feeds and tabs stay. */
export function cleanText(value: unknown, lengthMax: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Cleaning is linear; still, no field needs more than a page to find its beginning in.
  const clean = head(value, lengthMax * 4)
    .replace(/\r\n?/g, '\n')
    .replace(HALF, '\ufffd')
    .normalize('NFC');
  return cut(clean.replace(INVISIBLE, '').trim(), lengthMax) || undefined;
}

/** The same on one line, for names and identifiers. */
export function cleanLine(value: unknown, lengthMax: number): string | undefined {
  const text = cleanText(value, lengthMax * 2)?.replace(/\s+/gu, ' ');
  return text === undefined ? undefined : cut(text, lengthMax) || undefined;
}

/** Cleans each string of a JSON Schema; undefined for no object, or one too large or too deep. */
export function cleanSchema(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const clean = cleanValue(value, 0);
  if (!isObject(clean) || JSON.stringify(clean).length > SCHEMA_CHARACTERS_MAX) return undefined;
  return clean;
}

function cleanValue(value: unknown, depth: number): unknown {
  if (depth > SCHEMA_DEPTH_MAX) return undefined;
  if (typeof value === 'string') return cleanText(value, SCHEMA_CHARACTERS_MAX) ?? '';
  if (Array.isArray(value)) {
    return value.slice(0, 1000).map((each) => cleanValue(each, depth + 1) ?? null);
  }
  if (!isObject(value)) {
    return typeof value === 'number' && !Number.isFinite(value) ? null : value;
  }
  const entries = Object.entries(value).flatMap(([name, each]) => {
    const key = cleanLine(name, 300);
    const kept = cleanValue(each, depth + 1);
    return key === undefined || key === '__proto__' || kept === undefined ? [] : [[key, kept]];
  });
  return Object.fromEntries(entries) as JsonObject;
}
