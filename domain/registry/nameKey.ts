import { folded } from '../injection/tokens.ts';

const KEY_LENGTH_MAX = 100;
const LETTERS_MIN = 3;
/** A capital I or a one in the place of the last letter. */
const LAST_L = /(?<=\p{Ll}{2})[I1]$/u;

/**
 * The same for names that look alike (choices registry.names): case, accents, width, invisible
 * characters, punctuation, look-alike letters and digits for letters are taken off.
 */
export function nameKey(name: string): string | undefined {
  const words = name.split(/[^\p{L}\p{M}\p{N}@$\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/u);
  const key = words
    .map((word) => folded(word.replace(LAST_L, 'l')))
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '');
  return [...key].length < LETTERS_MIN ? undefined : key.slice(0, KEY_LENGTH_MAX);
}
