import { documentsOf, MEANING_SHARE, PREFIX_SHARE, SYNONYM_SHARE, TYPO_SHARE } from './plan.ts';
import type { Expansion, Kind, Term } from './plan.ts';
import type { QueryTerm } from './query.ts';
import { stem } from '../analysis/stem.ts';
import { synonymsOf } from './synonyms.ts';
import { deletionVariants, distance, typosOf } from './typos.ts';

export interface Terms {
  named(word: string): Term | undefined;
  beginningWith(beginning: string): readonly Term[];
  /** Those that have one of these forms (`deletionVariants`), perhaps others too. */
  withForm(forms: readonly string[]): readonly Term[];
}

const STANDS_MAX = 4;
const PREFIX_LENGTH_MIN = 3;
/** A last word that fewer documents have may be the beginning of another. */
const COMMON = 3;
/** A word of so many documents is found without its forms in other languages. */
const MANY = 50;
const DISTANCE_MAX = 1;
/** From this length on, two letters may be wrong. */
const LONG = 8;

/** The terms that may stand for a concept, its own word first. */
export function expansionsOf(
  terms: Terms,
  { term, whole, others, forms, meanings, isLast }: QueryTerm,
  kinds: readonly Kind[],
): readonly Expansion[] {
  const known = (word: string): readonly Term[] => {
    const found = terms.named(word);
    return found !== undefined && documentsOf(found, kinds) > 0 ? [found] : [];
  };
  const [own] = known(term);
  const all: Expansion[] = own === undefined ? [] : [{ term: own, share: 100 }];
  const meant = own === undefined ? meanings().flatMap(known) : [];
  all.push(...meant.map((other) => ({ term: other, share: MEANING_SHARE })));
  const hasMany = own !== undefined && documentsOf(own, kinds) >= MANY;
  const kin = [...others, ...(hasMany ? [] : forms())];
  if (meant.length > 0) kin.push(...meanings().flatMap(synonymsOf));
  all.push(...kin.flatMap(known).map((other) => ({ term: other, share: SYNONYM_SHARE })));
  // A word that is known in another language is neither the beginning of a word nor misspelled.
  const isOpen = own === undefined && meant.length === 0;
  const isRare = isOpen || (own !== undefined && documentsOf(own, kinds) < COMMON);
  if (isRare && (isLast || isOpen) && term.length >= PREFIX_LENGTH_MIN) {
    const longer = [...terms.beginningWith(term)].sort(byCommon(kinds));
    all.push(...standing(longer, kinds, PREFIX_SHARE));
  }
  if (isOpen) {
    all.push(...standing(misspelled(terms, term, whole, kinds), kinds, TYPO_SHARE));
  }
  const seen = new Set<number>();
  const once = all.filter((each) => !seen.has(each.term.id) && seen.add(each.term.id));
  return once.slice(0, 1 + STANDS_MAX);
}

function standing(
  terms: readonly Term[],
  kinds: readonly Kind[],
  share: number,
): readonly Expansion[] {
  return terms
    .filter((term) => documentsOf(term, kinds) > 0)
    .slice(0, STANDS_MAX)
    .map((term) => ({ term, share }));
}

/** Terms that a slip of the finger makes of the word, the nearest and most common first. */
function misspelled(
  terms: Terms,
  word: string,
  whole: string,
  kinds: readonly Kind[],
): readonly Term[] {
  const meant = new Set(typosOf(whole).map(stem));
  if (meant.size === 0) return [];
  const max = word.length >= LONG ? DISTANCE_MAX + 1 : DISTANCE_MAX;
  const alike = terms.withForm(deletionVariants(word));
  const near = alike
    .map((term) => ({ term, off: distance(word, term.term, max) }))
    .filter(({ off }) => off <= max)
    .concat(
      [...meant].flatMap((each) => terms.named(each) ?? []).map((term) => ({ term, off: 1 })),
    );
  const common = byCommon(kinds);
  near.sort((a, b) => a.off - b.off || common(a.term, b.term));
  return distinct(near.map(({ term }) => term));
}

function distinct(terms: readonly Term[]): readonly Term[] {
  const seen = new Set<number>();
  return terms.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function byCommon(kinds: readonly Kind[]): (a: Term, b: Term) => number {
  return (a, b) => documentsOf(b, kinds) - documentsOf(a, kinds) || byText(a.term, b.term);
}

/** By bytes as far as it matters here: alike wherever it runs. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
