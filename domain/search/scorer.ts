import type { Lists } from './lists.ts';
import { larger } from './larger.ts';
import { WEIGHT_BITS, WEIGHT_MASK } from './posting.ts';
import { CONCEPTS_MAX } from './query.ts';
import type { Hit } from './score.ts';
import { isInName, weightOf } from './termWeight.ts';

/** Scores documents by their own few dozen words, so no list of a common word is read through. */
export interface Scorer {
  /** Another query; `name` is its whole text as a term, and terms are numbers below `end`. */
  begin(words: readonly ScorerWord[], name: number | undefined, end: number): void;
  /** The hit of one document; the same object each time. */
  hitOf(document: number): Readonly<Hit>;
}

interface ScorerWord {
  readonly term: number;
  readonly concept: number;
  readonly score: number;
  readonly isAsked: boolean;
}

const FIRST = 1 << 10;
/** The first place of `words` is unused, so that zero is none. */
const NO_WORD: ScorerWord = { term: 0, concept: 0, score: 0, isAsked: false };
/** The place of the whole name, above those of words. */
const NAME = 255;
/** Few enough to stay beside the processor. */
const LOWEST = (1 << 12) - 1;

/** `own` has by document its terms, each with what is said of it (`posting.ts`). */
export function openScorer(own: Lists): Scorer {
  /** By term its place in `words`, and by the lowest bits of a term whether to look there. */
  let places = new Uint8Array(FIRST);
  const mayHave = new Uint8Array(LOWEST + 1);
  let words: readonly ScorerWord[] = [NO_WORD];
  /** By place in `words`: the next place of the same term. */
  let nexts: readonly number[] = [0];
  let named: number | undefined;
  let concepts = 0;
  /** By concept, of the running document. */
  const gains = new Int32Array(CONCEPTS_MAX);
  const inName = new Uint8Array(CONCEPTS_MAX);
  const hit = { score: 0, queryTerms: 0, inName: 0, named: 0 };

  const setPlace = (term: number, place: number): void => {
    places[term] = place;
    mayHave[term & LOWEST] = place === 0 ? 0 : 1;
  };
  const forget = (): void => {
    for (const { term } of words) setPlace(term, 0);
    if (named !== undefined) setPlace(named, 0);
  };
  const gain = (place: number, weight: number): void => {
    for (let at = place; at !== 0; at = nexts[at] ?? 0) {
      const { concept, score, isAsked } = words[at] ?? NO_WORD;
      gains[concept] = Math.max(gains[concept] ?? 0, score * weightOf(weight));
      if (isAsked && isInName(weight)) inName[concept] = 1;
    }
  };
  return {
    begin(given, name, end) {
      forget();
      words = [NO_WORD, ...given];
      named = name;
      concepts = 0;
      while (end > places.length) places = larger(places, new Uint8Array(2 * places.length));
      nexts = words.map(({ term, concept }, at) => {
        if (at === 0) return 0;
        concepts = Math.max(concepts, concept + 1);
        const before = places[term] ?? 0;
        setPlace(term, at);
        return before;
      });
      if (name !== undefined) setPlace(name, NAME);
    },
    hitOf(document) {
      const slab = own.slab(document);
      const start = own.start(document);
      const end = start + own.length(document);
      hit.score = hit.queryTerms = hit.inName = hit.named = 0;
      for (let at = start; at < end; at += 1) {
        const entry = slab[at] ?? 0;
        const term = entry >>> WEIGHT_BITS;
        if (mayHave[term & LOWEST] === 0) continue;
        const place = places[term] ?? 0;
        if (place === NAME) hit.named = weightOf(entry & WEIGHT_MASK);
        else if (place !== 0) gain(place, entry & WEIGHT_MASK);
      }
      for (let concept = 0; concept < concepts; concept += 1) {
        const gained = gains[concept] ?? 0;
        if (gained === 0) continue;
        hit.score += gained;
        hit.queryTerms += 1;
        hit.inName += inName[concept] ?? 0;
        gains[concept] = inName[concept] = 0;
      }
      return hit;
    },
  };
}
