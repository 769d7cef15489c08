/**
 * The scan behind `parseJson`: it reads a text that `JSON.parse` has already accepted, so it looks
 * only at what that forgives: repeated keys, lone surrogates, U+0000, lost digits, depth.
 * It visits every character once, whatever the body holds.
 */
export const JSON_DEPTH_MAX = 64;
export const JSON_POINTER_LENGTH_MAX = 256;

export interface JsonFault {
  readonly ok: false;
  /** One sentence for the caller; it never quotes more of the body than a key or a number. */
  readonly why: string;
  /** RFC 6901 pointer of the offending member; absent when there is none, or it is too long. */
  readonly pointer?: string;
}

interface Frame {
  /** Keys seen so far in an object; undefined in an array. */
  readonly keys: Set<string> | undefined;
  key: string;
  index: number;
}

interface Scan {
  readonly text: string;
  readonly frames: Frame[];
  at: number;
  /** Where the next backslash stands, or -1. */
  nextBackslash: number;
}

const QUOTED_LENGTH_MAX = 40;
/** So many digits are always a safe integer; longer literals are looked at. */
const SAFE_DIGITS = 15;
const [QUOTE, PLUS, COMMA, MINUS, DOT, COLON] = [0x22, 0x2b, 0x2c, 0x2d, 0x2e, 0x3a];
const [DIGIT_0, DIGIT_9, UPPER_E, LOWER_E, LOWER_U] = [0x30, 0x39, 0x45, 0x65, 0x75];
const [ARRAY_OPEN, BACKSLASH, ARRAY_CLOSE, OBJECT_OPEN, OBJECT_CLOSE] = [
  0x5b, 0x5c, 0x5d, 0x7b, 0x7d,
];
const ESCAPE_WIDTH = 2;
const UNIT_WIDTH = 6;
const PAIR_WIDTH = 12;

/** The first thing in a JSON text that two readers could take differently; undefined if none. */
export function ambiguity(text: string): JsonFault | undefined {
  const scan: Scan = { text, frames: [], at: 0, nextBackslash: text.indexOf('\\') };
  while (scan.at < text.length) {
    const code = text.charCodeAt(scan.at);
    const fault =
      code === QUOTE
        ? readString(scan)
        : code === MINUS || isDigit(code)
          ? readNumber(scan)
          : readPunctuation(scan, code);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function readPunctuation(scan: Scan, code: number): JsonFault | undefined {
  scan.at += 1;
  if (code === OBJECT_OPEN || code === ARRAY_OPEN) {
    if (scan.frames.length === JSON_DEPTH_MAX) {
      return refuse(scan, `the body nests deeper than ${JSON_DEPTH_MAX} levels`);
    }
    const keys = code === OBJECT_OPEN ? new Set<string>() : undefined;
    scan.frames.push({ keys, key: '', index: 0 });
  } else if (code === OBJECT_CLOSE || code === ARRAY_CLOSE) {
    scan.frames.pop();
  } else if (code === COMMA) {
    const frame = scan.frames.at(-1);
    if (frame !== undefined) frame.index += 1;
  }
  return undefined;
}

function readString(scan: Scan): JsonFault | undefined {
  const start = scan.at;
  const lone = skipString(scan);
  const frame = scan.frames.at(-1);
  const keys = followedByColon(scan) ? frame?.keys : undefined;
  if (lone) {
    // A key that is not a string cannot be pointed at; its object can.
    if (keys !== undefined) scan.frames.pop();
    return refuse(scan, 'a string holds a lone surrogate or U+0000');
  }
  if (frame === undefined || keys === undefined) return undefined;
  const quoted = scan.text.slice(start, scan.at);
  frame.key = quoted.includes('\\') ? unescape(quoted) : quoted.slice(1, -1);
  if (keys.has(frame.key)) {
    return refuse(scan, `the key "${clip(frame.key)}" appears twice in one object`);
  }
  // JSON.parse makes it an ordinary member, but the first copy by assignment swaps a prototype.
  if (frame.key === '__proto__') return refuse(scan, 'the key "__proto__" is not accepted');
  keys.add(frame.key);
  return undefined;
}

/** Moves past the closing quote; true when an escape in the string is not accepted. */
function skipString(scan: Scan): boolean {
  let from = scan.at + 1;
  let quote = scan.text.indexOf('"', from);
  let lone = false;
  for (;;) {
    // Neither search runs again before it is overtaken: a body of escapes stays linear.
    if (quote < from) quote = scan.text.indexOf('"', from);
    if (scan.nextBackslash !== -1 && scan.nextBackslash < from) {
      scan.nextBackslash = scan.text.indexOf('\\', from);
    }
    if (scan.nextBackslash === -1 || scan.nextBackslash > quote) {
      scan.at = quote + 1;
      return lone;
    }
    const width = escapeWidth(scan.text, scan.nextBackslash);
    lone ||= width === undefined;
    from = scan.nextBackslash + (width ?? UNIT_WIDTH);
  }
}

/**
 * Length of the escape at a backslash; undefined when it is a lone surrogate, or U+0000, which
 * PostgreSQL cannot store in a text.
 */
function escapeWidth(text: string, at: number): number | undefined {
  const unit = escapedUnit(text, at);
  if (unit === undefined) return ESCAPE_WIDTH;
  if (unit === 0) return undefined;
  if (unit < 0xd800 || unit > 0xdfff) return UNIT_WIDTH;
  const second = escapedUnit(text, at + UNIT_WIDTH) ?? 0;
  return unit < 0xdc00 && second >= 0xdc00 && second <= 0xdfff ? PAIR_WIDTH : undefined;
}

/** The code unit that a `\uXXXX` at this place stands for; undefined when there is none. */
function escapedUnit(text: string, at: number): number | undefined {
  const isUnit = text.charCodeAt(at) === BACKSLASH && text.charCodeAt(at + 1) === LOWER_U;
  return isUnit ? Number.parseInt(text.slice(at + 2, at + UNIT_WIDTH), 16) : undefined;
}

/** Whitespace may stand between a key and its colon; no value is followed by a colon. */
function followedByColon({ text, at }: Scan): boolean {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next += 1;
  return text.charCodeAt(next) === COLON;
}

function readNumber(scan: Scan): JsonFault | undefined {
  const start = scan.at;
  let integer = true;
  for (;;) {
    scan.at += 1;
    const code = scan.text.charCodeAt(scan.at);
    if (isDigit(code)) continue;
    if (!isNumberMark(code)) break;
    integer = false;
  }
  if (integer && scan.at - start <= SAFE_DIGITS) return undefined;
  const literal = scan.text.slice(start, scan.at);
  const value = Number(literal);
  if (integer ? Number.isSafeInteger(value) : Number.isFinite(value)) return undefined;
  return refuse(scan, `the number ${clip(literal)} is beyond ±(2^53−1); send it as a string`);
}

function refuse(scan: Scan, why: string): JsonFault {
  const pointer = scan.frames.map(pointerStep).join('');
  const fits = pointer !== '' && pointer.length <= JSON_POINTER_LENGTH_MAX;
  return { ok: false, why, ...(fits ? { pointer } : {}) };
}

function pointerStep({ keys, key, index }: Frame): string {
  if (keys === undefined) return `/${index}`;
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function unescape(quoted: string): string {
  const value: unknown = JSON.parse(quoted);
  return String(value);
}

/** The cut may fall inside a surrogate pair; half of one must not travel on. */
function clip(text: string): string {
  if (text.length <= QUOTED_LENGTH_MAX) return text;
  return `${text.slice(0, QUOTED_LENGTH_MAX).replace(/\p{Surrogate}$/u, '')}…`;
}

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9;
}

function isNumberMark(code: number): boolean {
  return code === DOT || code === LOWER_E || code === UPPER_E || code === PLUS || code === MINUS;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
