import { keepsBidiRule } from './bidi.ts';

/**
 * Host names of RFC 1123, 2.1: no final dot, labels of 63 and names of 253 characters at most. A
 * label with the prefix `xn--` stands for one in Unicode, which has to be valid in IDNA 2008.
 */
const NAME_LENGTH_MAX = 253;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^xn--/i;

export function isHostname(text: string): boolean {
  if (text.length > NAME_LENGTH_MAX) return false;
  const labels = text.split('.').map(unicodeLabel);
  return labels.every((label) => label !== undefined) && keepsBidiRule(labels);
}

/** The label in Unicode; undefined when it is none. */
function unicodeLabel(label: string): string | undefined {
  if (!LABEL.test(label)) return undefined;
  if (!PREFIX.test(label)) return label.toLowerCase();
  const decoded = decodePunycode(label.slice(4).toLowerCase());
  return decoded !== undefined && isUnicodeLabel(decoded) ? decoded : undefined;
}

/** RFC 5891, 5.4; the rule for text that runs from right to left is of the whole name. */
function isUnicodeLabel(label: string): boolean {
  if (!/[^\0-\x7f]/.test(label)) return false;
  if (label !== label.normalize('NFC') || /^\p{M}/u.test(label)) return false;
  if (/^-|-$|^..--/u.test(label)) return false;
  const points = [...label];
  return points.every((point, at) => isAllowed(point, at, points));
}

/** RFC 5892, 2.6: exceptions from what follows from properties. */
const VALID = /[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]/;
const DISALLOWED = /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/;
/** RFC 5892, 2.2, 2.3, 2.9: unstable when folded, ignorable, old Hangul letters. */
const UNSTABLE =
  /[\p{Changes_When_NFKC_Casefolded}\p{Default_Ignorable_Code_Point}\p{White_Space}\u20d0-\u20ff\u{1d100}-\u{1d24f}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7c6\ud7cb-\ud7fb]/u;
const LETTER_OR_DIGIT = /[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}]/u;

function isAllowed(point: string, at: number, points: readonly string[]): boolean {
  const rule = CONTEXT.find(([set]) => set.test(point))?.[1];
  if (rule !== undefined) return rule(at, points);
  if (/[a-z0-9-]/.test(point) || VALID.test(point)) return true;
  return !DISALLOWED.test(point) && !UNSTABLE.test(point) && LETTER_OR_DIGIT.test(point);
}

type ContextRule = (at: number, points: readonly string[]) => boolean;
const matches = (set: RegExp, point: string | undefined): boolean =>
  point !== undefined && set.test(point);

/** Marks that silence a vowel: canonical combining class 9. */
const VIRAMA =
  /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\u{11d97}\u{11f41}\u{11f42}]/u;
const JOINING = /(?=\p{Script=Arabic})\p{L}/u;
/** Letters of Arabic that join to the letter before them only, or to none. */
const NOT_JOINING_ON =
  /[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef]/;

/** RFC 5892, appendix A: what has to stand beside a character, or anywhere in its label. */
const CONTEXT: readonly (readonly [RegExp, ContextRule])[] = [
  [/\u200c/, (at, points) => matches(VIRAMA, points[at - 1]) || isBetweenJoining(at, points)],
  [/\u200d/, (at, points) => matches(VIRAMA, points[at - 1])],
  [/\u00b7/, (at, points) => points[at - 1] === 'l' && points[at + 1] === 'l'],
  [/\u0375/, (at, points) => matches(/\p{Script=Greek}/u, points[at + 1])],
  [/[\u05f3\u05f4]/, (at, points) => matches(/\p{Script=Hebrew}/u, points[at - 1])],
  [
    /\u30fb/,
    (_, points) => points.some((each) => /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]/u.test(each)),
  ],
  [/[\u0660-\u0669]/, (_, points) => !points.some((each) => /[\u06f0-\u06f9]/.test(each))],
  [/[\u06f0-\u06f9]/, (_, points) => !points.some((each) => /[\u0660-\u0669]/.test(each))],
];

/** Known for the letters of Arabic; in other scripts a non-joiner needs its virama. */
function isBetweenJoining(at: number, points: readonly string[]): boolean {
  const isLetter = (point: string): boolean => !/\p{Mn}/u.test(point);
  const before = points.slice(0, at).findLast(isLetter);
  const after = points.slice(at + 1).find(isLetter);
  return matches(JOINING, before) && !matches(NOT_JOINING_ON, before) && matches(JOINING, after);
}

/** RFC 3492, 6.2, with the parameters of IDNA; undefined when the text is no such code. */
const [BASE, T_MIN, T_MAX, SKEW, DAMP] = [36, 1, 26, 38, 700];
const [BIAS, FIRST] = [72, 0x80];
const POINT_MAX = 0x10ffff;

function decodePunycode(code: string): string | undefined {
  const hyphen = code.lastIndexOf('-');
  const points = [...code.slice(0, Math.max(0, hyphen))].map((each) => each.charCodeAt(0));
  let [point, place, bias, at] = [FIRST, 0, BIAS, hyphen + 1];
  while (at < code.length) {
    const before = place;
    for (let [weight, k] = [1, BASE]; ; k += BASE) {
      const digit = digitOf(code.charCodeAt(at));
      if (digit === undefined) return undefined;
      at += 1;
      place += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = points.length + 1;
    bias = adapted(place - before, count, before === 0);
    point += Math.floor(place / count);
    if (point > POINT_MAX) return undefined;
    place %= count;
    points.splice(place, 0, point);
    place += 1;
  }
  return String.fromCodePoint(...points);
}

function adapted(given: number, count: number, isFirst: boolean): number {
  let delta = Math.floor(given / (isFirst ? DAMP : 2));
  delta += Math.floor(delta / count);
  let k = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) / 2; k += BASE)
    delta = Math.floor(delta / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * delta) / (delta + SKEW));
}

function digitOf(code: number): number | undefined {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : undefined;
}
