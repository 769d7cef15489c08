import { escapeWidth, UNIT_WIDTH } from './jsonEscape.ts';
import { head } from './text.ts';

/**
 * The scan before `JSON.parse`: counts the members and depth that would be built, and finds
 * repeated keys, lone surrogates, U+0000, lost digits. A text that is not JSON is refused only
 * there. It visits each character once, and can stop and go on (threats.stalled-loop).
 */
export const JSON_DEPTH_MAX = 64;
/** Members of all objects and lists of a text together, where the contract bounds them no closer. */
export const JSON_MEMBERS_MAX = 16_384;
/** Escapes in all strings together: each costs a parser as much as ten plain characters. */
const JSON_ESCAPES_MAX = 400_000;
const JSON_POINTER_LENGTH_MAX = 256;

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
  membersLeft: number;
  readonly membersMax: number;
  escapes: number;
  /** A string of which the end, or what follows it, has not been reached. */
  open: OpenString | undefined;
}

interface OpenString {
  readonly start: number;
  from: number;
  quote: number;
  lone: boolean;
  /** It has ended; whether it is a key shows what follows it. */
  end?: number;
}

export interface JsonScan {
  /**
   * Scans about that many characters. Returns 'more' before the end of the text, and 'clear' at its
   * end if it holds nothing that two readers could take differently.
   */
  step(characters: number): JsonFault | 'more' | 'clear';
}

const QUOTED_LENGTH_MAX = 40;
/** Characters of a number; a longer one means nothing and costs the more the longer it is. */
const NUMBER_LENGTH_MAX = 1_000;
/** So many digits are always a safe integer; longer literals are looked at. */
const SAFE_DIGITS = 15;
/** So many characters without an exponent are always finite. */
const FINITE_LENGTH = 300;
const [QUOTE, PLUS, COMMA, MINUS, DOT, COLON] = [0x22, 0x2b, 0x2c, 0x2d, 0x2e, 0x3a];
const [DIGIT_0, DIGIT_9, UPPER_E, LOWER_E] = [0x30, 0x39, 0x45, 0x65];
const [ARRAY_OPEN, ARRAY_CLOSE, OBJECT_OPEN, OBJECT_CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d];

export function scanJson(text: string, membersMax: number): JsonScan {
  const scan: Scan = {
    text,
    frames: [],
    at: 0,
    nextBackslash: text.indexOf('\\'),
    membersLeft: membersMax,
    membersMax,
    escapes: 0,
    open: undefined,
  };
  return {
    step(characters) {
      const until = Math.min(text.length, scan.at + characters);
      while (scan.at < until) {
        const fault = readToken(scan, until);
        if (fault !== undefined) return fault;
      }
      if (scan.membersMax < Infinity && scan.escapes > JSON_ESCAPES_MAX) {
        return refuse(scan, `the body has more than ${JSON_ESCAPES_MAX} escapes`);
      }
      if (scan.at < text.length) return 'more';
      return (scan.open && endString(scan, scan.open, false)) ?? 'clear';
    },
  };
}

function readToken(scan: Scan, until: number): JsonFault | undefined {
  const { open } = scan;
  if (open !== undefined && open.end === undefined) return readString(scan, open, until);
  const code = scan.text.charCodeAt(scan.at);
  if (isSpace(code)) {
    scan.at += 1;
    return undefined;
  }
  if (open !== undefined) {
    const fault = endString(scan, open, code === COLON);
    if (fault !== undefined) return fault;
  }
  if (code === QUOTE) {
    scan.open = { start: scan.at, from: scan.at + 1, quote: -1, lone: false };
    return readString(scan, scan.open, until);
  }
  if (code === MINUS || isDigit(code)) return readNumbers(scan, until);
  return readPunctuation(scan, code);
}

function readPunctuation(scan: Scan, code: number): JsonFault | undefined {
  scan.at += 1;
  if (code === OBJECT_OPEN || code === ARRAY_OPEN) {
    if (scan.frames.length === JSON_DEPTH_MAX) {
      return refuse(scan, `the body nests deeper than ${JSON_DEPTH_MAX} levels`);
    }
    const keys = code === OBJECT_OPEN ? new Set<string>() : undefined;
    scan.frames.push({ keys, key: '', index: 0 });
    return countMember(scan);
  } else if (code === OBJECT_CLOSE || code === ARRAY_CLOSE) {
    scan.frames.pop();
  } else if (code === COMMA) {
    const frame = scan.frames.at(-1);
    if (frame !== undefined) frame.index += 1;
    return countMember(scan);
  }
  return undefined;
}

/** Every bracket that opens and every comma stands for one. */
function countMember(scan: Scan): JsonFault | undefined {
  scan.membersLeft -= 1;
  if (scan.membersLeft >= 0) return undefined;
  return { ok: false, why: `the body has more than ${scan.membersMax} members` };
}

function readString(scan: Scan, open: OpenString, until: number): undefined {
  if (skipString(scan, open, until)) open.end = scan.at;
}

function endString(scan: Scan, open: OpenString, isKey: boolean): JsonFault | undefined {
  scan.open = undefined;
  const { start, end, lone } = open;
  const frame = scan.frames.at(-1);
  const keys = isKey ? frame?.keys : undefined;
  if (lone) {
    // A key that is not a string cannot be pointed at; its object can.
    if (keys !== undefined) scan.frames.pop();
    return refuse(scan, 'a string holds a lone surrogate or U+0000');
  }
  if (frame === undefined || keys === undefined) return undefined;
  const quoted = scan.text.slice(start, end);
  frame.key = quoted.includes('\\') ? unescape(quoted) : quoted.slice(1, -1);
  if (keys.has(frame.key)) {
    return refuse(scan, `the key "${clip(frame.key)}" appears twice in one object`);
  }
  // JSON.parse makes it an ordinary member, but the first copy by assignment swaps a prototype.
  if (frame.key === '__proto__') return refuse(scan, 'the key "__proto__" is not accepted');
  keys.add(frame.key);
  return undefined;
}

/** Moves past the closing quote and notes rejected escapes; false if the step ends before it. */
function skipString(scan: Scan, string: OpenString, until: number): boolean {
  const { text } = scan;
  for (;;) {
    // Neither search runs again before it is overtaken: a body of escapes stays linear.
    if (string.quote < string.from) string.quote = text.indexOf('"', string.from);
    if (string.quote === -1) {
      // No end: `JSON.parse` refuses it.
      scan.at = text.length;
      return true;
    }
    if (scan.nextBackslash !== -1 && scan.nextBackslash < string.from) {
      scan.nextBackslash = text.indexOf('\\', string.from);
    }
    if (scan.nextBackslash === -1 || scan.nextBackslash > string.quote) {
      scan.at = string.quote + 1;
      return true;
    }
    const width = escapeWidth(text, scan.nextBackslash);
    scan.escapes += 1;
    string.lone ||= width === undefined;
    string.from = scan.nextBackslash + (width ?? UNIT_WIDTH);
    if (string.from > until && string.from < text.length) {
      scan.at = string.from;
      return false;
    }
  }
}

/** Goes on through a list of numbers that stand close, which is most of an embedding. */
function readNumbers(scan: Scan, until: number): JsonFault | undefined {
  for (;;) {
    const fault = readNumber(scan);
    if (fault !== undefined || scan.at >= until) return fault;
    if (scan.text.charCodeAt(scan.at) !== COMMA) return undefined;
    const next = scan.text.charCodeAt(scan.at + 1);
    if (next !== MINUS && !isDigit(next)) return undefined;
    const over = readPunctuation(scan, COMMA);
    if (over !== undefined) return over;
  }
}

function readNumber(scan: Scan): JsonFault | undefined {
  const { text, at: start } = scan;
  let at = start + 1;
  let isInteger = true;
  let isPlain = true;
  for (; at - start <= NUMBER_LENGTH_MAX; at += 1) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) continue;
    if (!isNumberMark(code)) break;
    isInteger = false;
    if (code !== DOT) isPlain = false;
  }
  scan.at = at;
  const length = at - start;
  if (length > NUMBER_LENGTH_MAX) {
    return refuse(scan, `a number has over ${NUMBER_LENGTH_MAX} characters`);
  }
  if (isInteger ? length <= SAFE_DIGITS : isPlain && length <= FINITE_LENGTH) return undefined;
  const literal = text.slice(start, at);
  const value = Number(literal);
  if (isInteger ? Number.isSafeInteger(value) : Number.isFinite(value)) return undefined;
  if (isBound(scan) && Number.isFinite(value)) return undefined;
  return refuse(scan, `the number ${clip(literal)} is beyond ±(2^53−1); send it as a string`);
}

const BOUNDS: readonly string[] = ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum'];

/**
 * Whether a number is a bound in an acceptance schema, which may have 64 bits: every number that a
 * result can hold is on the same side of it and of its nearest double.
 */
function isBound({ frames }: Scan): boolean {
  const isRule = frames.some(({ keys, key }) => keys !== undefined && key === 'acceptance');
  return isRule && BOUNDS.includes(frames.at(-1)?.key ?? '');
}

function refuse(scan: Scan, why: string): JsonFault {
  const pointer = scan.frames.map(pointerStep).join('');
  const fits = pointer !== '' && pointer.length <= JSON_POINTER_LENGTH_MAX;
  return { ok: false, why, ...(fits && { pointer }) };
}

function pointerStep({ keys, key, index }: Frame): string {
  if (keys === undefined) return `/${index}`;
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function unescape(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    // No JSON, which `JSON.parse` says of the whole text.
    return quoted;
  }
}

function clip(text: string): string {
  if (text.length <= QUOTED_LENGTH_MAX) return text;
  return `${head(text, QUOTED_LENGTH_MAX)}…`;
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
