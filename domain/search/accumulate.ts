import { kindOf, KINDS, NAME_SCORE, termOf, type SearchWord } from './plan.ts';
import { weightIn } from './terms.ts';

/** What a document gains: of one idea the most that any of its words gives. */
export interface Scored {
  /** By all ideas together. */
  readonly score: number;
  readonly queryTerms: number;
  /** Weight of the whole name; 0 when it is not called so. */
  readonly named: number;
}

/** Two lists of one length: the documents that have a word, and how much it weighs there. */
export interface Weighted {
  readonly documents: readonly number[];
  readonly weights: readonly number[];
}

/** What is known of a word's documents when the candidates are chosen. */
export type Met = readonly [word: SearchWord, at: Weighted];

/**
 * The documents that gain most by what is known of them, in no order; of equals those of the lowest
 * numbers. Where there are far more than are wanted, those that gain far less than the best are
 * left out.
 *
 * A query meets some thousand documents, so they are added up in plain lists of numbers: an object
 * or a map entry for each would cost more than all the adding.
 */
export function bestOf(met: readonly Met[], count: number): readonly number[] {
  const sums = addUp(met);
  if (sums.documents.length <= count) return sums.documents;
  const least = leastOf(sums, count);
  const best: number[] = [];
  const equals: number[] = [];
  for (const [place, document] of sums.documents.entries()) {
    const score = sums.scores[place] ?? 0;
    if (score > least) best.push(document);
    else if (score === least) equals.push(document);
  }
  return best.concat(equals.sort((a, b) => a - b).slice(0, count - best.length));
}

/** Documents, each once, and what each gains by all ideas. */
interface Sums {
  readonly documents: readonly number[];
  readonly scores: Int32Array;
}

/** A number whose multiples are spread over all 32 bits (Knuth, multiplicative hashing). */
const SPREAD = 0x9e3779b1;

function addUp(met: readonly Met[]): Sums {
  const most = met.reduce((sum, [, { documents }]) => sum + documents.length, 1);
  const queryTerms = met.reduce((last, [{ queryTerm }]) => Math.max(last, queryTerm + 1), 0);
  // Twice as many slots as documents, so that few meet another's; a slot holds the place and one.
  const bits = 33 - Math.clz32(most);
  const slots = new Int32Array(1 << bits);
  const documents: number[] = [];
  const byIdea = new Int32Array(most * queryTerms);
  const scores = new Int32Array(most);
  for (const [{ queryTerm, score }, at] of met) {
    for (let n = 0; n < at.documents.length; n += 1) {
      const document = at.documents[n] ?? 0;
      let slot = Math.imul(document, SPREAD) >>> (32 - bits);
      let taken = slots[slot] ?? 0;
      while (taken !== 0 && documents[taken - 1] !== document) {
        slot = (slot + 1) & ((1 << bits) - 1);
        taken = slots[slot] ?? 0;
      }
      if (taken === 0) slots[slot] = taken = documents.push(document);
      const own = (taken - 1) * queryTerms + queryTerm;
      const more = (at.weights[n] ?? 0) * score - (byIdea[own] ?? 0);
      if (more <= 0) continue;
      byIdea[own] = (byIdea[own] ?? 0) + more;
      scores[taken - 1] = (scores[taken - 1] ?? 0) + more;
    }
  }
  return { documents, scores: scores.subarray(0, documents.length) };
}

/** Of more than so many times as are wanted, those that gain this part of the best. */
const MANY = 2;
const GAIN_SHARE = 5;

/** The least gain that is wanted; more may have just that than there is room for. */
function leastOf({ documents, scores }: Sums, count: number): number {
  const sorted = scores.slice().sort();
  const best = sorted[sorted.length - 1] ?? 0;
  const wanted = sorted[sorted.length - count] ?? 0;
  return documents.length > MANY * count ? Math.max(wanted, best / GAIN_SHARE) : wanted;
}

/** What a document of a kind gains in the end, when all its terms are known. */
export function accumulate(
  words: readonly SearchWord[],
): (kind: number, terms: readonly number[]) => Scored {
  const byKind = KINDS.map((_, kind) =>
    words
      .filter(({ word }) => kindOf(word) === kind)
      .map(({ word, queryTerm, score }) => ({ queryTerm, score, term: termOf(word) })),
  );
  const of = new Int32Array(
    words.reduce((last, { queryTerm }) => Math.max(last, queryTerm + 1), 1),
  );
  return (kind, terms) => {
    of.fill(0);
    for (const { queryTerm, score, term } of byKind[kind] ?? []) {
      const gained = score * weightIn(terms, term);
      if (gained > (of[queryTerm] ?? 0)) of[queryTerm] = gained;
    }
    let [score, queryTerms] = [0, 0];
    for (let queryTerm = 1; queryTerm < of.length; queryTerm += 1) {
      const gained = of[queryTerm] ?? 0;
      score += gained;
      if (gained > 0) queryTerms += 1;
    }
    return { score, queryTerms, named: (of[0] ?? 0) / NAME_SCORE };
  };
}
