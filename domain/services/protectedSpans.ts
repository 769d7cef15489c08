/**
 * Parts of a prompt that must survive word for word. They never overlap: of two that cross the first
 * kind wins, and one that stands whole inside of another is a part of that.
 */
type SpanKind = 'code' | 'quotations' | 'addresses' | 'numbers' | 'names';

export interface Span {
  readonly kind: SpanKind;
  readonly start: number;
  readonly end: number;
}

/** Each is linear: no nested repetition. */
const PATTERNS: readonly (readonly [SpanKind, RegExp])[] = [
  ['code', /```[^]*?(?:```|$)|`[^`\n]+`/g],
  ['addresses', /\bhttps?:\/\/[^\s<>"']+|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g],
  ['quotations', /"[^"\n]{1,2000}"|“[^”\n]{1,2000}”|«[^»\n]{1,2000}»/g],
  ['names', /\b(?:[a-z]+[A-Z]\w*|\w+_\w+|[A-Z]{2,}\w*|[A-Z][a-z]+(?: [A-Z][a-z]+)+)\b/g],
  ['numbers', /[+-]?\d(?:[\d.,:/%]*\d)?%?/g],
];

export function protectedSpans(text: string): readonly Span[] {
  const taken = new Uint8Array(text.length);
  const spans: Span[] = [];
  for (const [kind, pattern] of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (taken[start] === 1 || taken[end - 1] === 1) continue;
      taken.fill(1, start, end);
      spans.push({ kind, start, end });
    }
  }
  let reached = 0;
  return spans
    .sort((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      if (start < reached) return false;
      reached = end;
      return true;
    });
}

export type Kept = Readonly<Record<SpanKind, number>>;

/** How many of each stand unchanged in the result; undefined when one was lost. */
export function keptIn(source: string, result: string): Kept | undefined {
  const kept = { code: 0, quotations: 0, addresses: 0, numbers: 0, names: 0 };
  const left = new Map<string, number>();
  for (const { start, end } of protectedSpans(result)) {
    const text = result.slice(start, end);
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  for (const { kind, start, end } of protectedSpans(source)) {
    const text = source.slice(start, end);
    const count = left.get(text) ?? 0;
    if (count === 0) return undefined;
    left.set(text, count - 1);
    kept[kind] += 1;
  }
  return kept;
}

/** The same of a result that was made by leaving them alone. */
export function spansOf(source: string): Kept {
  const kept = { code: 0, quotations: 0, addresses: 0, numbers: 0, names: 0 };
  for (const { kind } of protectedSpans(source)) kept[kind] += 1;
  return kept;
}
