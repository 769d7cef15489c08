/**
 * The Bidi rule of RFC 5893, 2: how labels may mix characters that run in both directions. It holds
 * for every label of a name of which one has a character that runs from right to left.
 */
type Kind = 'L' | 'R' | 'AN' | 'EN' | 'NSM' | 'other';

/** Arabic-Indic digits and those of Hanifi Rohingya and Garay; extended ones count as European. */
const ARABIC_DIGIT = /[\u0660-\u0669\u06dd\u{10d30}-\u{10d39}\u{10d40}-\u{10d49}]/u;
const EUROPEAN_DIGIT = /[0-9\u06f0-\u06f9]/;
/** Blocks whose letters run from right to left (DerivedBidiClass), R and AL alike. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** The neutral signs and separators that a label may have: the hyphen, joiners, some signs. */
const NEUTRAL =
  /[-\u00b7\u02b9\u02ba\u02c2-\u02cf\u02d2-\u02df\u02e5-\u02ed\u02ef-\u02ff\u0375\u200c\u200d\u30fb\ua788]/;

function kindOf(point: string): Kind {
  if (/\p{Mn}|\p{Me}/u.test(point)) return 'NSM';
  if (EUROPEAN_DIGIT.test(point)) return 'EN';
  if (ARABIC_DIGIT.test(point)) return 'AN';
  if (NEUTRAL.test(point)) return 'other';
  return RIGHT_TO_LEFT.test(point) ? 'R' : 'L';
}

/** Whether the labels of a name, in Unicode, keep the rule. */
export function keepsBidiRule(labels: readonly string[]): boolean {
  const all = labels.map((label) => [...label].map(kindOf));
  const isBidi = all.some((kinds) => kinds.includes('R') || kinds.includes('AN'));
  return !isBidi || all.every((kinds) => isSound(kinds));
}

function isSound(kinds: readonly Kind[]): boolean {
  const [first] = kinds;
  const last = kinds.findLast((kind) => kind !== 'NSM');
  if (first === 'L') {
    const isMixed = kinds.includes('R') || kinds.includes('AN');
    return !isMixed && (last === 'L' || last === 'EN');
  }
  if (first !== 'R' || kinds.includes('L')) return false;
  if (kinds.includes('EN') && kinds.includes('AN')) return false;
  return last === 'R' || last === 'EN' || last === 'AN';
}
