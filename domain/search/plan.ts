import type { Query } from './query.ts';

/**
 * Which words of the index a query reads, and how much each hit of one gains. An idea gains by how
 * rare its word is; a word that only stands for it gains a share. Whole numbers, so that both
 * databases add up the same.
 */
export const KINDS = ['agent', 'skill', 'task', 'comment'] as const;
export type Kind = (typeof KINDS)[number];

/** A term of the index, and in how many documents of each kind it is; in the order of `KINDS`. */
export interface Term {
  readonly id: number;
  readonly term: string;
  /** Another number after each change of the documents that have it. */
  readonly changed: number;
  readonly documents: readonly number[];
}

/** A term that may stand for one that was asked for, and how well, in parts of 100. */
export interface Expansion {
  readonly term: Term;
  readonly share: number;
}

export interface SearchWord {
  /** `wordOf(term, kind)`. */
  readonly word: number;
  /** Place of the idea, from 1; 0 is the whole name. */
  readonly queryTerm: number;
  /** What a hit gains for each unit of its weight. */
  readonly score: number;
  readonly documents: number;
  /** That of its term. */
  readonly changed: number;
}

export const SYNONYM_SHARE = 55;
export const PREFIX_SHARE = 70;
export const TYPO_SHARE = 60;
const WHOLE_SHARE = 100;
export const NAME_SCORE = 2000;
const GAIN_MIN = 40;
export const WORDS_READ_MAX = 24;

export function wordOf(term: number, kind: number): number {
  return term * KINDS.length + kind;
}

/** The term that a word is of. */
export function termOf(word: number): number {
  return Math.floor(word / KINDS.length);
}

/**
 * The id of the nth document; like a word it ends in its kind, so that only the two that fit meet.
 */
export function documentId(nth: number, kind: number): number {
  return nth * KINDS.length + kind;
}

/** The kind that a word or a document is of, as a place in `KINDS`. */
export function kindOf(wordOrDocument: number): number {
  return wordOrDocument % KINDS.length;
}

/** Documents of the asked kinds that have the term. */
export function documentsOf({ documents }: Term, kinds: readonly Kind[]): number {
  return kinds.reduce((sum, kind) => sum + (documents[KINDS.indexOf(kind)] ?? 0), 0);
}

export interface Plan {
  readonly words: readonly SearchWord[];
  /** What a document gains at best, without being called so. */
  readonly gainMax: number;
}

/**
 * `stands` has for each idea the terms that may stand for it, its own word with a whole share first;
 * an idea that no term stands for weighs as much as a rare one and is met by nothing.
 */
export function planOf(
  query: Query,
  expansions: readonly (readonly Expansion[])[],
  about: {
    readonly kinds: readonly Kind[];
    readonly total: number;
    readonly name: Term | undefined;
  },
): Plan {
  const { kinds, total, name } = about;
  const words: SearchWord[] = name === undefined ? [] : wordsFor(name, 0, NAME_SCORE, kinds);
  let gainMax = 0;
  for (const [place] of query.queryTerms.entries()) {
    const own = expansions[place] ?? [];
    const best = own.find(({ share }) => share === WHOLE_SHARE) ?? own[0];
    const score = idf(best === undefined ? 0 : documentsOf(best.term, kinds), total);
    gainMax += score;
    for (const { term, share } of own) {
      const shared = Math.max(1, Math.round((score * share) / WHOLE_SHARE));
      words.push(...wordsFor(term, place + 1, shared, kinds));
    }
  }
  words.sort((a, b) => b.score - a.score || a.documents - b.documents || a.word - b.word);
  return { words: words.slice(0, WORDS_READ_MAX), gainMax };
}

/** A hundred times the logarithm of how few documents have it. */
function idf(documents: number, total: number): number {
  const odds = 1 + (Math.max(total, documents) - documents + 0.5) / (documents + 0.5);
  return Math.max(GAIN_MIN, Math.round(100 * Math.log(odds)));
}

function wordsFor(
  { id, documents, changed }: Term,
  queryTerm: number,
  score: number,
  kinds: readonly Kind[],
): SearchWord[] {
  return kinds.flatMap((kind) => {
    const place = KINDS.indexOf(kind);
    const having = documents[place] ?? 0;
    return having === 0
      ? []
      : [{ word: wordOf(id, place), queryTerm, score, documents: having, changed }];
  });
}
