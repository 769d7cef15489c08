import type { SignalKind } from '../registry/listing.ts';
import { COLUMNS, rowOf, type Pattern, type Row } from './compile.ts';
import type { Token } from './tokens.ts';

/**
 * Finds the patterns among the words of a text. Where the words of a list are is kept as bits, so a
 * step of a pattern is a shift and an `and` over the next 32 words, whatever the text repeats.
 */
export interface Found {
  readonly kind: SignalKind;
  readonly start: number;
  readonly end: number;
}

/** No pattern is longer than a window. */
const WINDOW = 32;

interface Places {
  /** For each list of words the bits of the tokens that are one of it. */
  readonly columns: readonly (Uint32Array | undefined)[];
  readonly leads: Uint32Array;
  readonly colons: Uint32Array;
  /** For each token the first one of its sentence, and the first one after it. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

export function matchesIn(tokens: readonly Token[]): readonly Found[] {
  const known = new Map<string, Row>();
  const rows = tokens.map(({ word }) => {
    const row = known.get(word) ?? rowOf(word);
    known.set(word, row);
    return row;
  });
  const places = placesOf(tokens, rows);
  const found: Found[] = [];
  const ends = new Map<SignalKind, number>();
  for (const [place, token] of tokens.entries()) {
    for (const pattern of rows[place]?.begins ?? []) {
      // One phrase of a kind is enough at one place.
      if ((ends.get(pattern.kind) ?? 0) > token.start) continue;
      const last = matchAt(pattern, places, place);
      if (last === undefined) continue;
      const end = tokens[last]?.end ?? token.end;
      ends.set(pattern.kind, end);
      found.push({ kind: pattern.kind, start: token.start, end });
    }
  }
  return found;
}

function placesOf(tokens: readonly Token[], rows: readonly Row[]): Places {
  const bits = (): Uint32Array => new Uint32Array(Math.ceil(tokens.length / WINDOW) + 1);
  const columns = new Array<Uint32Array | undefined>(COLUMNS);
  const [leads, colons] = [bits(), bits()];
  const starts = new Uint32Array(tokens.length);
  const ends = new Uint32Array(tokens.length);
  for (const [place, token] of tokens.entries()) {
    for (const column of rows[place]?.columns ?? []) set((columns[column] ??= bits()), place);
    if (token.leads) set(leads, place);
    if (token.next === ':') set(colons, place);
    const isSame = place > 0 && tokens[place - 1]?.sentence === token.sentence;
    starts[place] = isSame ? (starts[place - 1] ?? 0) : place;
  }
  for (let place = tokens.length - 1; place >= 0; place -= 1) {
    const isSame = tokens[place + 1]?.sentence === tokens[place]?.sentence;
    ends[place] = isSame ? (ends[place + 1] ?? 0) : place + 1;
  }
  return { columns, leads, colons, starts, ends };
}

function set(bits: Uint32Array, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
}

function windowAt(bits: Uint32Array | undefined, place: number): number {
  if (bits === undefined) return 0;
  const shift = place & 31;
  const low = (bits[place >>> 5] ?? 0) >>> shift;
  return shift === 0 ? low : low | ((bits[(place >>> 5) + 1] ?? 0) << (WINDOW - shift));
}

function maskOf(count: number): number {
  return count >= WINDOW ? -1 : (1 << Math.max(0, count)) - 1;
}

/** The place of the last word of a match that begins here. */
function matchAt(
  { slots, before, after }: Pattern,
  { columns, leads, colons, starts, ends }: Places,
  place: number,
): number | undefined {
  const sentence = maskOf((ends[place] ?? 0) - place);
  let reached = 0;
  for (const [nth, { column, gapMax, leads: isLeading, colon }] of slots.entries()) {
    let next = nth === 0 ? 1 : 0;
    if (nth > 0) for (let step = 1; step <= gapMax + 1; step += 1) next |= reached << step;
    next &= windowAt(columns[column], place) & sentence;
    if (isLeading) next &= windowAt(leads, place);
    if (colon) next &= windowAt(colons, place);
    if (next === 0) return undefined;
    reached = next;
  }
  const last = 31 - Math.clz32(reached & -reached);
  if (before !== undefined) {
    const start = Math.max(starts[place] ?? 0, place - before.within);
    if ((windowAt(columns[before.column], start) & maskOf(place - start)) !== 0) return undefined;
  }
  if (after !== undefined) {
    const within = windowAt(columns[after.column], place) & maskOf(last + after.within + 1);
    if ((within & sentence & ~1) !== 0) return undefined;
  }
  return place + last;
}
