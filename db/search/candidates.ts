import type { SearchWord } from '../../domain/search/plan.ts';
import { bestOf, type Met } from '../../domain/search/accumulate.ts';
import type { Reader } from '../connection.ts';
import { contentsOf } from './contents.ts';
import type { Contents } from './memory.ts';
import { documentsWithBoth, isRare, postingsOf, rarestPair } from './postings.ts';

const CANDIDATES_MAX = 150;
/** Below what a word weighs anywhere but in the middle of a long text. */
const WEIGHT_UNKNOWN = 20;

/**
 * The documents that the words of each plan lead to; what they need is read for all plans together.
 * Of a word that few documents have, all are looked at; of a common one those where it weighs most,
 * and where no word is rare, those that have the two rarest.
 */
export async function candidates(
  db: Reader,
  plans: readonly (readonly SearchWord[])[],
): Promise<readonly (readonly Contents[])[]> {
  const postings = await postingsOf(db, plans.flat());
  const best = await Promise.all(
    plans.map(async (words) => {
      const met = words.flatMap((word): readonly Met[] => {
        const at = postings.get(word.word);
        return at === undefined ? [] : [[word, at]];
      });
      return bestOf([...met, ...(await metByPair(db, words))], CANDIDATES_MAX);
    }),
  );
  const contents = await contentsOf(db, best.flat());
  let from = 0;
  return best.map(({ length }) =>
    contents.slice(from, (from += length)).filter((each) => each !== undefined),
  );
}

/** Where no word is rare, the documents that have the two rarest, wherever those stand in them. */
async function metByPair(db: Reader, words: readonly SearchWord[]): Promise<readonly Met[]> {
  if (words.some((word) => word.queryTerm > 0 && isRare(word))) return [];
  const pair = rarestPair(words.filter((word) => !isRare(word)));
  if (pair === undefined) return [];
  const documents = await documentsWithBoth(db, pair);
  // What they weigh is counted in the end; having them is worth being looked at.
  const weights = documents.map(() => WEIGHT_UNKNOWN);
  return pair.map((word) => [word, { documents, weights }]);
}
