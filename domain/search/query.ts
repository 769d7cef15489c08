import { commonIn } from '../analysis/languages.ts';
import {
  isPaired,
  isStopWord,
  nameTerm,
  wordsOf,
  wordsWithout,
  type Word,
} from '../analysis/words.ts';
import { abroad, segmentsOf, type Segment } from './meanings.ts';
import { synonymsOf } from './synonyms.ts';

/**
 * A parsed query: concepts, each of which a document has under one of several terms, and the whole
 * text as a name. A concept is matched by its own word wholly, by another word for it in part.
 */
export interface QueryTerm {
  readonly term: string;
  readonly whole: string;
  /** The humps of an identifier and words of the same meaning. */
  readonly others: readonly string[];
  /** Its stems in other languages, and its Latin letters. */
  readonly forms: () => readonly string[];
  /** English words for a word of another language. */
  readonly meanings: () => readonly string[];
  /** The last word may still be being typed. */
  readonly isLast: boolean;
}
export interface Query {
  readonly queryTerms: readonly QueryTerm[];
  /** Finds what is called exactly so. */
  readonly name: string | undefined;
}

/** Further words would narrow nothing that the first ones left. */
export const CONCEPTS_MAX = 8;
const WORDS_MAX = 40;

export function parseQuery(text: string): Query {
  const words = wordsOf(text, WORDS_MAX);
  const telling = words.filter(({ whole }) => !isStopWord(whole));
  const used = distinct(conceptsOf(withoutCommon(telling))).slice(0, CONCEPTS_MAX);
  const queryTerms = used.map(({ whole, stem, parts, written, meanings }, place) => {
    // An identifier is no word of any language.
    const forms = parts.length > 0 ? NONE : abroad(written).forms;
    const others = [...synonymsOf(stem), ...parts];
    return {
      term: stem,
      whole,
      others: [...new Set(others)].filter((other) => other !== stem),
      forms: () => forms().filter((other) => other !== stem),
      meanings: () => meanings().filter((other) => other !== stem),
      isLast: place === used.length - 1 && !/\s$/.test(text),
    };
  });
  return { queryTerms, name: nameTerm(text) };
}

interface Concept extends Word {
  readonly meanings: () => readonly string[];
}

const NONE = (): readonly string[] => [];

/** Leaves out the commonest words of another language, where the query has two or a known word of it. */
function withoutCommon(words: readonly Word[]): readonly Word[] {
  const common = words.filter(({ whole }) => commonIn(whole).length > 0);
  if (common.length === 0 || common.length === words.length) return words;
  const isKnown = words.some(
    (word) => !common.includes(word) && abroad(word.written).meanings().length > 0,
  );
  return common.length > 1 || isKnown ? words.filter((word) => !common.includes(word)) : words;
}

/** A run of pairs with known words becomes these words; what is left of it would only be noise. */
function conceptsOf(words: readonly Word[]): readonly Concept[] {
  const concepts: Concept[] = [];
  let covered: readonly Segment[] = [];
  let place = 0;
  for (const word of words) {
    const { written, whole } = word;
    if (!isPaired(whole)) {
      concepts.push({ ...word, meanings: abroad(written).meanings });
      continue;
    }
    place += 1;
    if (written !== '') {
      [covered, place] = [segmentsOf(written), 0];
      for (const segment of covered) {
        const pair = segment.word.slice(0, 2);
        const forms = { whole: pair, stem: pair, parts: [], written: segment.word };
        concepts.push({ ...forms, meanings: () => segment.meanings });
      }
    }
    if (covered.length === 0) concepts.push({ ...word, meanings: NONE });
    else if (isOutside(covered, place) && !/[\p{Script=Hiragana}\p{Script=Hangul}]/u.test(whole)) {
      concepts.push({ ...word, written: '', meanings: NONE });
    }
  }
  return concepts;
}

function isOutside(covered: readonly Segment[], place: number): boolean {
  return covered.every(({ from, word }) => place + 1 < from || place >= from + word.length);
}

/** Returns the words of a query that are no concept of it: stop words, and all behind the last. */
export function wordsLeftOut(text: string): readonly string[] {
  return wordsWithout(
    text,
    parseQuery(text).queryTerms.map(({ term }) => term),
  );
}

function distinct(words: readonly Concept[]): readonly Concept[] {
  const seen = new Set<string>();
  return words.filter(({ stem }) => !seen.has(stem) && seen.add(stem));
}
