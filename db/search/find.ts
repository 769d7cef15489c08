import { KINDS, planOf, type Kind } from '../../domain/search/plan.ts';
import { parseQuery } from '../../domain/search/query.ts';
import { relevanceOf } from '../../domain/search/score.ts';
import { accumulate } from '../../domain/search/accumulate.ts';
import type { Reader } from '../connection.ts';
import { candidates } from './candidates.ts';
import { openTerms } from './dictionary.ts';
import { askedIn, expansionsOf } from './expansions.ts';

/** Something that fits a query. */
export interface Found {
  readonly kind: Kind;
  /** Id of the listing, task or comment. */
  readonly ref: string;
  /** Place of a skill in its listing. */
  readonly part: number;
  /** 0 to 1000. */
  readonly fit: number;
}

export interface SearchRequest {
  readonly text: string;
  readonly kinds: readonly Kind[];
}

/**
 * What fits a text, best first; the order of equals is by id, the same on both databases. Finds
 * nothing in a text without words.
 */
export async function find(
  db: Reader,
  text: string,
  kinds: readonly Kind[],
): Promise<readonly Found[]> {
  const [found] = await findAll(db, [{ text, kinds }]);
  return found ?? [];
}

/** The same for several; what they need is read for all of them together. */
export async function findAll(
  db: Reader,
  asked: readonly SearchRequest[],
): Promise<readonly (readonly Found[])[]> {
  const terms = await openTerms(db);
  const queries = asked.map(({ text, kinds }) => ({ query: parseQuery(text), kinds }));
  const known = await terms.named(queries.flatMap(({ query }) => askedIn(query)));
  const plans = await Promise.all(
    queries.map(async (each) => {
      const { total, name, expansions } = await expansionsOf(terms, known, each);
      const { words, gainMax } = planOf(each.query, expansions, { kinds: each.kinds, total, name });
      return { words, about: { gainMax, queryTerms: each.query.queryTerms.length } };
    }),
  );
  const met = await candidates(
    db,
    plans.map(({ words }) => words),
  );
  return plans.map(({ words, about }, nth) => {
    const gained = accumulate(words);
    const found = (met[nth] ?? []).map(({ kind, ref, part, terms }) => {
      return {
        kind: KINDS[kind] ?? 'agent',
        ref,
        part,
        fit: relevanceOf(gained(kind, terms), about),
      };
    });
    return found.sort(
      (a, b) => b.fit - a.fit || (a.ref < b.ref ? -1 : a.ref > b.ref ? 1 : a.part - b.part),
    );
  });
}
