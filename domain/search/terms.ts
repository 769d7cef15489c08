/**
 * The terms of a document as one text, ` 12:200 57:31 `: a blank, the number of a term, a colon, its
 * weight. Looking up the few terms of a query in it is far quicker than taking it apart.
 */
export function termsText(terms: Iterable<readonly [term: number, weight: number]>): string {
  let text = ' ';
  for (const [term, weight] of terms) text += `${term}:${weight} `;
  return text;
}

/** Reads what a term weighs in such a text; 0 where it is not in it. */
export function weightOf(term: number): (text: string) => number {
  const sign = ` ${term}:`;
  return (text) => {
    const at = text.indexOf(sign);
    return at < 0 ? 0 : Number.parseInt(text.slice(at + sign.length, at + sign.length + 3), 10);
  };
}

export function termsIn(text: string): readonly number[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((each) => Number.parseInt(each, 10));
}
