import {
  documentsOf,
  PREFIX_SHARE,
  SYNONYM_SHARE,
  TYPO_SHARE,
  type Kind,
  type Expansion,
  type Term,
} from '../../domain/search/plan.ts';
import type { QueryTerm, Query } from '../../domain/search/query.ts';
import { distance, deletionVariants, typosOf } from '../../domain/search/typos.ts';
import { stem } from '../../domain/search/stem.ts';
import type { Terms } from './dictionary.ts';
import { EVERYTHING } from './write.ts';

/** What the index knows of the words of a query: each by itself, by its beginning, misspelled. */
export interface ExpandedTerms {
  /** All documents of the asked kinds. */
  readonly total: number;
  /** The whole query, when something is called so. */
  readonly name: Term | undefined;
  /** For each idea the terms that may stand for it, its own word first. */
  readonly expansions: readonly (readonly Expansion[])[];
}

const STANDS_MAX = 4;
const PREFIX_LENGTH_MIN = 3;
/** A last word that fewer documents have may be the beginning of another. */
const COMMON = 3;
const DISTANCE_MAX = 1;
/** From this length on, two letters may be wrong. */
const LONG = 8;

/** The words that a query is looked up by in any case. */
export function askedIn({ queryTerms, name }: Query): readonly string[] {
  const words = queryTerms.flatMap(({ term, others }) => [term, ...others]);
  return name === undefined ? [EVERYTHING, ...words] : [EVERYTHING, ...words, name];
}

/** `known` has those of `askedIn` that are terms. */
export async function expansionsOf(
  terms: Terms,
  known: ReadonlyMap<string, Term>,
  { query, kinds }: { readonly query: Query; readonly kinds: readonly Kind[] },
): Promise<ExpandedTerms> {
  const found = (term: string): Term | undefined => {
    const each = known.get(term);
    return each !== undefined && documentsOf(each, kinds) > 0 ? each : undefined;
  };
  const everything = known.get(EVERYTHING);
  const expansions: (readonly Expansion[])[] = [];
  for (const queryTerm of query.queryTerms)
    expansions.push(await standsFor(terms, queryTerm, kinds, found));
  return {
    total: everything === undefined ? 0 : documentsOf(everything, kinds),
    name: query.name === undefined ? undefined : found(query.name),
    expansions,
  };
}

async function standsFor(
  terms: Terms,
  queryTerm: QueryTerm,
  kinds: readonly Kind[],
  found: (term: string) => Term | undefined,
): Promise<readonly Expansion[]> {
  const own = found(queryTerm.term);
  const expansions: Expansion[] = own === undefined ? [] : [{ term: own, share: 100 }];
  const others = queryTerm.others.flatMap((other) => found(other) ?? []);
  expansions.push(...others.map((term) => ({ term, share: SYNONYM_SHARE })));
  const isRare = own === undefined || documentsOf(own, kinds) < COMMON;
  if (
    isRare &&
    (queryTerm.isLast || own === undefined) &&
    queryTerm.term.length >= PREFIX_LENGTH_MIN
  ) {
    expansions.push(...standing(await terms.beginningWith(queryTerm.term), kinds, PREFIX_SHARE));
  }
  if (own === undefined) {
    expansions.push(...standing(await misspelled(terms, queryTerm, kinds), kinds, TYPO_SHARE));
  }
  const seen = new Set<number>();
  const distinct = expansions.filter(({ term }) => !seen.has(term.id) && seen.add(term.id));
  return distinct.slice(0, 1 + STANDS_MAX);
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
async function misspelled(
  terms: Terms,
  { term: word, whole }: QueryTerm,
  kinds: readonly Kind[],
): Promise<readonly Term[]> {
  const typos = new Set(typosOf(whole).map(stem));
  if (typos.size === 0) return [];
  const meant = [...(await terms.named(typos)).values()].map((term) => ({ term, off: 1 }));
  const forms = deletionVariants(word);
  const max = word.length >= LONG ? DISTANCE_MAX + 1 : DISTANCE_MAX;
  const alike = forms.length === 0 ? [] : await terms.withFormOf(word, forms);
  const near = alike
    .map((term) => ({ term, off: distance(word, term.term, max) }))
    .filter(({ off }) => off <= max)
    .concat(meant);
  near.sort(
    (a, b) =>
      a.off - b.off ||
      documentsOf(b.term, kinds) - documentsOf(a.term, kinds) ||
      (a.term.term < b.term.term ? -1 : 1),
  );
  return near.map(({ term }) => term);
}
