import { isStopWord, nameTerm, wordsOf, wordsWithout, type Word } from '../analysis/words.ts';
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
  const used = distinct(telling).slice(0, CONCEPTS_MAX);
  const queryTerms = used.map(({ whole, stem, parts }, place) => ({
    term: stem,
    whole,
    others: [...new Set([...synonymsOf(stem), ...parts])].filter((other) => other !== stem),
    isLast: place === used.length - 1 && !/\s$/.test(text),
  }));
  return { queryTerms, name: nameTerm(text) };
}

/** Returns the words of a query that are no concept of it: stop words, and all behind the last. */
export function wordsLeftOut(text: string): readonly string[] {
  return wordsWithout(
    text,
    parseQuery(text).queryTerms.map(({ term }) => term),
  );
}

function distinct(words: readonly Word[]): readonly Word[] {
  const seen = new Set<string>();
  return words.filter(({ stem }) => !seen.has(stem) && seen.add(stem));
}
