import {
  ALL,
  complement,
  DIGITS,
  LINE_ENDS,
  SPACES,
  union,
  withProperty,
  WORD_CHARACTERS,
  type Ranges,
} from './codePoints.ts';

/**
 * An ECMA-262 pattern with the u flag in the words of RE2, which is linear (choices
 * acceptance.patterns). What the two read differently is written out as sets of code points, and
 * what RE2 cannot express is refused.
 */
export type TranslatedPattern =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

class Unsupported extends Error {}

interface Reader {
  /** A valid pattern: the engine has parsed it. */
  readonly source: string;
  at: number;
}

export function translatePattern(source: string): TranslatedPattern {
  try {
    // Parses and never runs: the engine's own matching backtracks.
    new RegExp(source, 'u');
  } catch {
    return { ok: false, why: 'is no regular expression of ECMA-262 with the u flag' };
  }
  const reader: Reader = { source, at: 0 };
  try {
    let text = '';
    while (reader.at < source.length) text += readTerm(reader);
    return { ok: true, text };
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return { ok: false, why: error.message };
  }
}

const PLAIN_GROUP = /^\(\?(?::|<(?![=!])[^>]*>)/;

function readTerm(reader: Reader): string {
  const { source, at } = reader;
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  switch (character) {
    case '^':
      return take(reader, 1, '\\A');
    case '$':
      return take(reader, 1, '\\z');
    case '.':
      return take(reader, 1, written(complement(LINE_ENDS)));
    case '[':
      return written(readClass(reader));
    case '\\':
      return readEscape(reader);
    case '(':
      return readGroup(reader);
    case '{':
      return readCount(reader);
    case '*':
    case '+':
    case '?':
    case '|':
    case ')':
      return take(reader, 1, character);
    default:
      return take(reader, character.length, literal(character.codePointAt(0) ?? 0));
  }
}

function take(reader: Reader, length: number, text: string): string {
  reader.at += length;
  return text;
}

function readGroup(reader: Reader): string {
  const { source, at } = reader;
  if (source[at + 1] !== '?') return take(reader, 1, '(?:');
  const [plain] = PLAIN_GROUP.exec(source.slice(at)) ?? [];
  // Lookaround, and flags of a group that only some engines read.
  if (plain === undefined)
    throw new Unsupported(`uses ${source.slice(at, at + 4)}, which is not linear`);
  return take(reader, plain.length, '(?:');
}

function readCount(reader: Reader): string {
  const end = reader.source.indexOf('}', reader.at) + 1;
  return take(reader, end - reader.at, reader.source.slice(reader.at, end));
}

function readEscape(reader: Reader): string {
  const next = reader.source[reader.at + 1] ?? '';
  if (next === 'b' || next === 'B') return take(reader, 2, `\\${next}`);
  if (/[1-9k]/.test(next)) throw new Unsupported('refers back to a group, which is not linear');
  const set = readSet(reader);
  return set === undefined ? literal(readCharacterEscape(reader)) : written(set);
}

const SETS: Readonly<Record<string, Ranges>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORD_CHARACTERS,
  W: complement(WORD_CHARACTERS),
  s: SPACES,
  S: complement(SPACES),
};

/** `\d`, `\p{Letter}` and the like; undefined when the escape is one character. */
function readSet(reader: Reader): Ranges | undefined {
  const { source, at } = reader;
  const next = source[at + 1] ?? '';
  if (Object.hasOwn(SETS, next)) {
    reader.at += 2;
    return SETS[next];
  }
  if (next !== 'p' && next !== 'P') return undefined;
  const end = source.indexOf('}', at);
  const ranges = withProperty(source.slice(at + 3, end));
  reader.at = end + 1;
  return next === 'p' ? ranges : complement(ranges);
}

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 };
const UNIT = /^\\u([0-9a-fA-F]{4})/;

function readCharacterEscape(reader: Reader): number {
  const rest = reader.source.slice(reader.at);
  const next = rest[1] ?? '';
  const digits = (text: string, length: number): number => {
    reader.at += length;
    return parseInt(text, 16);
  };
  const braced = /^\\u\{([0-9a-fA-F]+)\}/.exec(rest);
  if (braced?.[1] !== undefined) return digits(braced[1], braced[0].length);
  const unit = UNIT.exec(rest)?.[1];
  if (unit !== undefined) {
    const low = UNIT.exec(rest.slice(6))?.[1];
    const pair = String.fromCharCode(parseInt(unit, 16), parseInt(low ?? '0', 16));
    const point = pair.codePointAt(0) ?? 0;
    reader.at += point > 0xffff ? 12 : 6;
    return point;
  }
  if (next === 'x') return digits(rest.slice(2, 4), 4);
  if (next === 'c') {
    reader.at += 3;
    return rest.charCodeAt(2) % 32;
  }
  reader.at += 2;
  return CONTROLS[next] ?? next.charCodeAt(0);
}

/** A class in brackets. The engine has parsed it, so a range has one character at either end. */
function readClass(reader: Reader): Ranges {
  const { source } = reader;
  const isNegated = source[reader.at + 1] === '^';
  reader.at += isNegated ? 2 : 1;
  const sets: Ranges[] = [];
  while (source[reader.at] !== ']') {
    const first = readMember(reader);
    if (typeof first === 'number' && source[reader.at] === '-' && source[reader.at + 1] !== ']') {
      reader.at += 1;
      const last = readMember(reader);
      if (typeof last !== 'number') throw new TypeError('a range that ends in a set');
      sets.push([[first, last]]);
    } else sets.push(typeof first === 'number' ? [[first, first]] : first);
  }
  reader.at += 1;
  const ranges = union(sets);
  return isNegated ? complement(ranges) : ranges;
}

function readMember(reader: Reader): number | Ranges {
  const { source, at } = reader;
  if (source[at] !== '\\') {
    const point = source.codePointAt(at) ?? 0;
    reader.at += point > 0xffff ? 2 : 1;
    return point;
  }
  if (source[at + 1] === 'b') {
    reader.at += 2;
    return 8;
  }
  return readSet(reader) ?? readCharacterEscape(reader);
}

function written(ranges: Ranges): string {
  if (ranges.length === 0) return `[^${ranged(ALL)}]`;
  return `[${ranged(ranges)}]`;
}

function ranged(ranges: Ranges): string {
  return ranges.map(([first, last]) => `${literal(first)}-${literal(last)}`).join('');
}

function literal(point: number): string {
  return `\\x{${point.toString(16)}}`;
}
