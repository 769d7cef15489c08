import type { SearchWord } from '../../domain/search/plan.ts';
import { gainsBy, openTally, type Gained } from '../../domain/search/tally.ts';
import type { Reader } from '../connection.ts';
import { contentsOf } from './contents.ts';
import { documentsWithBoth, isRare, postingsOf, rarestPair } from './postings.ts';

/**
 * The documents that a plan's words lead to, with what each gains. Of a word that few documents have,
 * all are looked at; of a common one those where it weighs most, and where no word is rare, those that
 * have the two rarest. For the best of them is then counted what they gain by all the words.
 */
export interface Candidate extends Gained {
  readonly kind: number;
  readonly ref: string;
  readonly part: number;
}

const CANDIDATES_MAX = 150;
/** Below what a word weighs anywhere but in the middle of a long text. */
const WEIGHT_UNKNOWN = 20;

export async function candidates(
  db: Reader,
  words: readonly SearchWord[],
): Promise<readonly Candidate[]> {
  if (words.length === 0) return [];
  const tally = openTally(words);
  for (const [word, { documents, weights }] of await postingsOf(db, words)) {
    tally.add(word, documents, weights);
  }
  const isAnyRare = words.some((word) => word.idea > 0 && isRare(word));
  const pair = isAnyRare ? undefined : rarestPair(words.filter((word) => !isRare(word)));
  if (pair !== undefined) {
    const documents = await documentsWithBoth(db, pair);
    // What they weigh is counted in the end; having them is worth being looked at.
    const weights = documents.map(() => WEIGHT_UNKNOWN);
    for (const word of pair) tally.add(word, documents, weights);
  }
  const best = tally.best(CANDIDATES_MAX);
  const contents = await contentsOf(db, best);
  const gained = gainsBy(words);
  return best.flatMap((document) => {
    const found = contents.get(document);
    if (found === undefined) return [];
    const { kind, ref, part, terms } = found;
    return [{ kind, ref, part, ...gained(kind, terms) }];
  });
}
