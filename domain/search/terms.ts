/**
 * Returns the terms of a document as one text, ` weather:456 =weatherforecast:255 `: a blank, a
 * term, a colon, a number (`weightsOf`). A term has letters, digits and the sign of a name alone.
 */
export function termsText(weights: ReadonlyMap<string, number>): string {
  let text = ' ';
  for (const [term, weight] of weights) text += `${term}:${weight} `;
  return text;
}

const ZERO = 48;

/** Gives each term of such a text and what is said of it. */
export function eachTerm(text: string, take: (term: string, weight: number) => void): void {
  for (let from = 1; from < text.length;) {
    const colon = text.indexOf(':', from);
    const end = text.indexOf(' ', colon);
    if (colon < 0 || end < 0) return;
    let weight = 0;
    for (let at = colon + 1; at < end; at += 1) weight = weight * 10 + text.charCodeAt(at) - ZERO;
    take(text.slice(from, colon), weight);
    from = end + 1;
  }
}
