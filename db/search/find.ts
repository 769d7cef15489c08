import { KINDS, planOf, type Kind } from '../../domain/search/plan.ts';
import { parseQuery } from '../../domain/search/query.ts';
import { fitOf } from '../../domain/search/score.ts';
import type { Reader } from '../connection.ts';
import { candidates } from './candidates.ts';
import { lookUp } from './dictionary.ts';

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

/**
 * What fits a text, best first; the order of equals is by id, the same on both databases. Finds
 * nothing in a text without words.
 */
export async function find(
  db: Reader,
  text: string,
  kinds: readonly Kind[],
): Promise<readonly Found[]> {
  const query = parseQuery(text);
  const { total, name, stands } = await lookUp(db, query, kinds);
  const { words, gainMax } = planOf(query, stands, { kinds, total, name });
  const about = { gainMax, ideas: query.ideas.length };
  return (await candidates(db, words))
    .map(({ kind, ref, part, ...hit }) => {
      return { kind: KINDS[kind] ?? 'agent', ref, part, fit: fitOf(hit, about) };
    })
    .sort((a, b) => b.fit - a.fit || (a.ref < b.ref ? -1 : a.ref > b.ref ? 1 : a.part - b.part));
}
