/**
 * The terms of a document as one text, ` 12:200 57:31 `: a blank, the number of a term, a colon,
 * its weight. A process keeps them as one number for each, `termWeight`, which it looks through far
 * quicker than a text.
 */
export function termsText(terms: Iterable<readonly [term: number, weight: number]>): string {
  let text = ' ';
  for (const [term, weight] of terms) text += `${term}:${weight} `;
  return text;
}

const WEIGHTS = 256;
const BLANK = 32;
const COLON = 58;
const ZERO = 48;

/** A term and its weight as one number: the term times 256, and the weight. */
export function termsIn(text: string): readonly number[] {
  const terms: number[] = [];
  let term = 0;
  let read = 0;
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    if (letter === BLANK) {
      terms.push(term * WEIGHTS + read);
      read = 0;
    } else if (letter === COLON) {
      term = read;
      read = 0;
    } else {
      read = read * 10 + letter - ZERO;
    }
  }
  return terms;
}

export function termOfBoth(termWeight: number): number {
  return Math.floor(termWeight / WEIGHTS);
}

/** What a term weighs among those of a document; 0 where it is not one of them. */
export function weightIn(terms: readonly number[], term: number): number {
  const least = term * WEIGHTS;
  for (const each of terms) {
    if (each >= least && each < least + WEIGHTS) return each - least;
  }
  return 0;
}
