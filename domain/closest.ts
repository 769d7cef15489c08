/** Letters that a mistyped word may differ by from the word that was meant. */
const DIFFERENCES_MAX = 2;

/** Returns the name that is most like a mistyped word, or undefined if none is close. */
export function closest(word: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, differences: differencesOf(word, name) }))
    .filter(({ name, differences }) => differences <= Math.min(DIFFERENCES_MAX, name.length - 2))
    .sort((a, b) => a.differences - b.differences);
  return best?.name;
}

/** Letters to add, drop, replace or swap with their neighbour to make `b` of `a`. */
export function differencesOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(rows, i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(rows, i - 2, j - 2) + 1 : Infinity;
      row.push(Math.min(replaced, swapped, at(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1));
    }
    rows.push(row);
  }
  return at(rows, a.length, b.length);
}

function at(rows: readonly (readonly number[])[], i: number, j: number): number {
  return rows[i]?.[j] ?? Infinity;
}
