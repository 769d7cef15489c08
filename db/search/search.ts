import { byScore, scoreOf } from '../../domain/search/rank.ts';
import type { TaskState } from '../../domain/task/model.ts';
import type { Reader } from '../connection.ts';
import { findAll, type SearchRequest, type Found } from './find.ts';
import { hydrate, type Hydrated } from './hydrate.ts';
import { popularityOf, type FoundPopularity } from './popularity.ts';

export interface Search extends SearchRequest {
  /** Finds only tasks in this state, and what was said about them. */
  readonly state: TaskState | undefined;
  readonly limit: number;
}

export interface Hit {
  /** Id of the listing, task or comment. */
  readonly ref: string;
  /** 0 to 1000. */
  readonly score: number;
  readonly shown: Hydrated;
}

/** Found things that are ranked, for each that is shown: some are gone, some do not answer. */
const RANKED_FOR_EACH = 2;
const RANKED_MORE = 10;

/** Several searches; what they need is read for all of them together. */
export async function searchAll(
  db: Reader,
  searches: readonly Search[],
): Promise<readonly (readonly Hit[])[]> {
  const found = await findAll(db, searches);
  const looked = searches.map(({ state, limit }, nth) => {
    const [all, worth] = [found[nth] ?? [], limit * RANKED_FOR_EACH + RANKED_MORE];
    return { state, limit, best: state === undefined ? all.slice(0, worth) : all };
  });
  const standing = await popularityOf(
    db,
    looked.flatMap(({ best }) => best),
  );
  const ranked = looked.map(({ state, limit, best }) =>
    rank(best, standing, state).slice(0, limit),
  );
  const shown = await hydrate(
    db,
    ranked.flat().map(({ found: each }) => each),
  );
  return ranked.map((each) =>
    each.flatMap(({ found: one, score }) => {
      const of = shown.get(one);
      return of === undefined ? [] : [{ ref: one.ref, score, shown: of }];
    }),
  );
}

function rank(
  found: readonly Found[],
  standing: ReadonlyMap<string, FoundPopularity>,
  state: TaskState | undefined,
): readonly { readonly found: Found; readonly score: number }[] {
  return found
    .flatMap((each) => {
      const own = standing.get(each.ref);
      if (own === undefined || (state !== undefined && own.state !== state)) return [];
      return [{ found: each, score: scoreOf(each.fit, own), ...own }];
    })
    .sort(byScore);
}
