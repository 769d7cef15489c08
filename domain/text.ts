/**
 * The one place where texts are cut, never inside a surrogate pair: half of one cannot be escaped for
 * a URL, stored by PostgreSQL or sent as UTF-8. `head` counts UTF-16 units; `cut` and `shorten` count
 * code points, and `shorten` ends in an ellipsis.
 */
export function head(text: string, unitsMax: number): string {
  const isSplit = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(unitsMax - 1, unitsMax + 1));
  return text.slice(0, isSplit ? unitsMax - 1 : unitsMax);
}

export function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return [...text.slice(0, lengthMax * 2)].slice(0, lengthMax).join('').trimEnd();
}

/** Control characters, and marks that turn, hide or break a line where it is shown. */
const UNSHOWN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;

/** A name as it is shown, in one line; undefined when nothing visible is left of it. */
export function shownName(text: string): string | undefined {
  const line = text.replace(UNSHOWN, ' ').replace(/\s+/gu, ' ').trim();
  return line === '' ? undefined : line;
}

export function shorten(text: string, lengthMax: number): string {
  // No text has more characters than UTF-16 units.
  if (text.length <= lengthMax) return text;
  const characters = Array.from(text.slice(0, 2 * lengthMax + 2));
  return characters.length <= lengthMax ? text : `${characters.slice(0, lengthMax - 1).join('')}…`;
}
