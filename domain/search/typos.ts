/**
 * Finds misspelled words without comparing all: words that differ by one letter more, less, other
 * or swapped become equal when one letter of each is left out, so all such forms are stored.
 */
const LENGTH_MIN = 4;
const LENGTH_MAX = 20;

/** With its forms less one letter; none for words too short, too long or with digits. */
export function deletionVariants(word: string): readonly string[] {
  if (word.length < LENGTH_MIN || word.length > LENGTH_MAX || !/^\p{L}+$/u.test(word)) return [];
  const letters = [...word];
  const forms = letters.map((_, at) => letters.filter((__, n) => n !== at).join(''));
  return [...new Set([word, ...forms])];
}

/**
 * Returns the likely words behind a letter too many, or two swapped ones: words to look up as they
 * are, because the slip may have changed the ending that is cut off.
 */
export function typosOf(word: string): readonly string[] {
  const [, ...lacking] = deletionVariants(word);
  if (lacking.length === 0) return [];
  const letters = [...word];
  const swapped = letters.slice(1).map((letter, n) => {
    const others = [...letters];
    others.splice(n, 2, letter, letters[n] ?? '');
    return others.join('');
  });
  return [...new Set([...swapped, ...lacking])];
}

/** Returns the edit distance, with a swap of neighbours as one step; at most `max + 1`. */
export function distance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (i > 1 && j > 1 && swapped) least = Math.min(least, at(beforeLast, j - 2) + 1);
      row.push(least);
    }
    if (Math.min(...row) > max) return max + 1;
    [beforeLast, last] = [last, row];
  }
  return Math.min(at(last, b.length), max + 1);
}

function at(row: readonly number[], place: number): number {
  return row[place] ?? Infinity;
}
