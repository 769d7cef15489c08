import { kindOf, KINDS, NAME_GAIN, termOf, type SearchWord } from './plan.ts';
import { weightOf } from './terms.ts';

/** What a document gains: of one idea the most that any of its words gives. */
export interface Gained {
  /** By all ideas together. */
  readonly gain: number;
  readonly ideas: number;
  /** Weight of the whole name; 0 when it is not called so. */
  readonly named: number;
}

/** Adds up what is known of documents while the words of a query are read. */
export interface Tally {
  /** That documents have a word; each with its weight, in a second list of the same length. */
  add(word: SearchWord, documents: readonly number[], weights: readonly number[]): void;
  /** The documents that gain most so far, the best first. */
  best(count: number): readonly number[];
}

/**
 * One list for all documents, with so many places for each: the sum, then what each idea gives. An
 * object for each would cost more than the adding up, and a query meets some thousand.
 */
export function openTally(words: readonly SearchWord[]): Tally {
  const width = words.reduce((most, { idea }) => Math.max(most, idea + 2), 1);
  const none = Array.from({ length: width }, () => 0);
  const places = new Map<number, number>();
  const gains: number[] = [];
  const sumOf = (document: number): number => gains[places.get(document) ?? -1] ?? 0;
  return {
    add({ idea, gain }, documents, weights) {
      for (let n = 0; n < documents.length; n += 1) {
        const document = documents[n] ?? 0;
        let place = places.get(document);
        if (place === undefined) {
          place = gains.push(...none) - width;
          places.set(document, place);
        }
        const before = gains[place + 1 + idea] ?? 0;
        const now = (weights[n] ?? 0) * gain;
        if (now <= before) continue;
        gains[place + 1 + idea] = now;
        gains[place] = (gains[place] ?? 0) + now - before;
      }
    },
    best: (count) =>
      worthSorting([...places.keys()], count, sumOf)
        .sort((a, b) => sumOf(b) - sumOf(a) || a - b)
        .slice(0, count),
  };
}

/** Leaves out, where there are far more than are wanted, those that gain far less than the best. */
function worthSorting(
  documents: number[],
  count: number,
  sumOf: (document: number) => number,
): number[] {
  if (documents.length <= 2 * count) return documents;
  const least = documents.reduce((most, each) => Math.max(most, sumOf(each)), 0) / GAIN_SHARE;
  return documents.filter((each) => sumOf(each) >= least);
}
const GAIN_SHARE = 5;

/** What a document of a kind gains in the end, when all its terms are known. */
export function gainsBy(words: readonly SearchWord[]): (kind: number, terms: string) => Gained {
  const byKind = KINDS.map((_, kind) =>
    words
      .filter(({ word }) => kindOf(word) === kind)
      .map(({ word, idea, gain }) => ({ idea, gain, weightIn: weightOf(termOf(word)) })),
  );
  return (kind, terms) => {
    const of: number[] = [];
    for (const { idea, gain, weightIn } of byKind[kind] ?? []) {
      of[idea] = Math.max(of[idea] ?? 0, gain * weightIn(terms));
    }
    const byName = of[0] ?? 0;
    // An idea that no word of this kind stands for has a hole in its place.
    const byIdea = of.slice(1).filter((each) => each > 0);
    const gain = byIdea.reduce((sum, each) => sum + each, 0);
    return { gain, ideas: byIdea.length, named: byName / NAME_GAIN };
  };
}
