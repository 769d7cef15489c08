/**
 * Text matching in linear time. Invariant: neither the text nor the value searched for can make the
 * work grow faster than their lengths; the engine's own NFC and substring search both can.
 */
const NFC_UNTOUCHED = /^[\0-\u02ff]*$/;
const LONG_MARK_RUN = /\p{M}{30}(?=\p{M})/gu;
const JOINER = '\u034f';
const NATIVE_NEEDLE_MAX = 64;

/**
 * NFC. A run of more than 30 combining marks is first broken up as the Stream-Safe Text Process of
 * UAX #15 does: sorting one endless run is quadratic, nine seconds for 256 KB.
 */
export function normalText(text: string): string {
  if (NFC_UNTOUCHED.test(text)) return text;
  return text.replace(LONG_MARK_RUN, `$&${JOINER}`).normalize('NFC');
}

/** Whether `text` holds `needle`, by code units. */
export function containsText(text: string, needle: string): boolean {
  // The native search takes 1.4 s on a bad 30,000-character value and cannot be interrupted.
  return needle.length <= NATIVE_NEEDLE_MAX ? text.includes(needle) : linearSearch(text, needle);
}

/** Knuth, Morris and Pratt: a mismatch goes on at the longest border, never back in `text`. */
function linearSearch(text: string, needle: string): boolean {
  const borders = new Int32Array(needle.length);
  let matched = 0;
  for (let at = 1; at < needle.length; at += 1) {
    matched = advance(needle, borders, matched, needle.charCodeAt(at));
    borders[at] = matched;
  }
  matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    matched = advance(needle, borders, matched, text.charCodeAt(at));
    if (matched === needle.length) return true;
  }
  return false;
}

function advance(needle: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && needle.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
  return needle.charCodeAt(length) === unit ? length + 1 : length;
}
