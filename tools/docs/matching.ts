/** A place in a line that shows why an entry was found. */
export interface Match {
  readonly before: string;
  readonly hit: string;
  readonly after: string;
}

const AROUND = 70;

export function wordsOf(query: string): readonly string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/**
 * Returns the line that holds most of the words, cut around the first of them. Lines and words are
 * compared in small letters, in which a few letters of Unicode have another length.
 */
export function matchIn(lines: readonly string[], words: readonly string[]): Match | undefined {
  let best: { readonly line: string; readonly count: number } | undefined;
  for (const line of lines) {
    const low = line.toLowerCase();
    const count = words.filter((word) => low.includes(word)).length;
    if (count > (best?.count ?? 0)) best = { line, count };
    if (count === words.length) break;
  }
  if (best === undefined) return undefined;
  const { line } = best;
  const low = line.toLowerCase();
  const word = words.find((each) => low.includes(each)) ?? '';
  const at = low.indexOf(word);
  const [start, end] = [Math.max(0, at - AROUND), Math.min(line.length, at + AROUND)];
  return {
    before: (start > 0 ? '… ' : '') + line.slice(start, at),
    hit: line.slice(at, at + word.length),
    after: line.slice(at + word.length, end) + (end < line.length ? ' …' : ''),
  };
}
