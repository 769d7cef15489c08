const ESCAPE_WIDTH = 2;
/** Characters of `\uXXXX`. */
export const UNIT_WIDTH = 6;
const PAIR_WIDTH = 12;
const [BACKSLASH, LOWER_U, DIGIT_0, DIGIT_9] = [0x5c, 0x75, 0x30, 0x39];

/**
 * Returns the width of an escape; undefined for a lone surrogate, or U+0000, which PostgreSQL
 * cannot store.
 */
export function escapeWidth(text: string, at: number): number | undefined {
  const unit = escapedUnit(text, at);
  if (unit === undefined) return ESCAPE_WIDTH;
  if (unit === 0) return undefined;
  if (unit < 0xd800 || unit > 0xdfff) return UNIT_WIDTH;
  const second = escapedUnit(text, at + UNIT_WIDTH) ?? 0;
  return unit < 0xdc00 && second >= 0xdc00 && second <= 0xdfff ? PAIR_WIDTH : undefined;
}

/** The code unit that a `\uXXXX` at this place stands for; undefined when there is none. */
function escapedUnit(text: string, at: number): number | undefined {
  if (text.charCodeAt(at) !== BACKSLASH || text.charCodeAt(at + 1) !== LOWER_U) return undefined;
  let unit = 0;
  for (let digit = at + 2; digit < at + UNIT_WIDTH; digit += 1) {
    const value = hexValue(text.charCodeAt(digit));
    if (value === undefined) return undefined;
    unit = unit * 16 + value;
  }
  return unit;
}

function hexValue(code: number): number | undefined {
  if (code >= DIGIT_0 && code <= DIGIT_9) return code - DIGIT_0;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined;
}
