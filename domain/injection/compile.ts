import type { SignalKind } from '../registry/listing.ts';
import { PATTERNS } from './patterns.ts';
import { isWordClass, symbolsOf, vocabularyOf } from './vocabulary.ts';

interface Slot {
  readonly gapMax: number;
  readonly symbols: readonly string[];
  /** The list of symbols, by its number. */
  readonly column: number;
  readonly leads: boolean;
  readonly colon: boolean;
}
interface Guard {
  readonly symbols: readonly string[];
  readonly column: number;
  readonly within: number;
}
export interface Pattern {
  readonly kind: SignalKind;
  readonly slots: readonly Slot[];
  readonly before?: Guard;
  readonly after?: Guard;
}

const SHORT: Readonly<Record<string, string>> = {
  BEFORE_WORD: 'before',
  RANK: 'rank|rate|score',
  ONE: 'one|some',
};
const columns: (readonly string[])[] = [];
const columnNames = new Map<string, number>();
const compiled: readonly Pattern[] = Object.entries(PATTERNS).flatMap(([kind, lines]) =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => patternOf(kind as SignalKind, line)),
);
const vocabulary = vocabularyOf(
  new Set(
    compiled
      .flatMap(({ slots, before, after }) => [...slots, before, after])
      .flatMap((part) => part?.symbols ?? [])
      .filter((symbol) => !isWordClass(symbol) && symbol !== 'NUMBER' && symbol !== 'ONCHAIN'),
  ),
);
const byFirst = new Map<string, Pattern[]>();
for (const pattern of compiled) {
  for (const symbol of pattern.slots[0]?.symbols ?? []) {
    byFirst.set(symbol, [...(byFirst.get(symbol) ?? []), pattern]);
  }
}

function patternOf(kind: SignalKind, line: string): Pattern {
  const slots: Slot[] = [];
  let gapMax = 0;
  let before: Guard | undefined;
  let after: Guard | undefined;
  for (const part of line.split(/\s+/)) {
    if (part.startsWith('~')) {
      gapMax = Number(part.slice(1));
    } else if (part.startsWith('!')) {
      const [names = '', within = '0'] = part.slice(1).split('~');
      const symbols = symbolsIn(names);
      const guard = { symbols, column: columnOf(symbols), within: Number(within) };
      if (slots.length === 0) before = guard;
      else after = guard;
    } else {
      const leads = part.startsWith('^');
      const colon = part.endsWith(':');
      const symbols = symbolsIn(part.replace(/^\^|:$/g, ''));
      slots.push({ gapMax, symbols, column: columnOf(symbols), leads, colon });
      gapMax = 0;
    }
  }
  return { kind, slots, ...(before && { before }), ...(after && { after }) };
}

function columnOf(symbols: readonly string[]): number {
  const name = symbols.join();
  const column = columnNames.get(name) ?? columns.push(symbols) - 1;
  columnNames.set(name, column);
  return column;
}

function symbolsIn(names: string): readonly string[] {
  return names.split('|').flatMap((name) => SHORT[name]?.split('|') ?? [name]);
}

/** An account on a chain or of the hub, as a payment order names it. */
const ONCHAIN = /^(?:0x[0-9a-f]{40}|bc1[0-9a-z]{20,80}|[1-9a-z]{43,44})$/;

/** The columns that a word fills, and the patterns that it may begin. */
export interface Row {
  readonly columns: readonly number[];
  readonly begins: readonly Pattern[];
}
const NOTHING: Row = { columns: [], begins: [] };
export const COLUMNS = columns.length;

export function rowOf(word: string): Row {
  const symbols = new Set(symbolsAt(word));
  if (symbols.size === 0) return NOTHING;
  const filled = columns.flatMap((names, column) =>
    names.some((name) => symbols.has(name)) ? [column] : [],
  );
  const begins = new Set([...symbols].flatMap((symbol) => byFirst.get(symbol) ?? []));
  return { columns: filled, begins: [...begins] };
}

function symbolsAt(word: string): readonly string[] {
  if (ONCHAIN.test(word)) return ['ONCHAIN'];
  if (/^[0-9]/.test(word)) return ['NUMBER'];
  return symbolsOf(vocabulary, word);
}
