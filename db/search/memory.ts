import { LRUCache } from 'lru-cache';
import type { Term } from '../../domain/search/plan.ts';

/**
 * What this process remembers of the index, so that a query whose words were asked for before reads
 * nothing of it but how often it changed. Nothing in it goes stale: what the dictionary answered
 * counts until the index changes, what was read of a word until the word's `changed` does, and what
 * a document holds is never changed under its id. Only db/search asks it, and only for reads: a
 * unit of work may see what is never committed.
 */
export interface SearchMemory {
  dictionary: Dictionary;
  /** By word. */
  readonly postings: LRUCache<number, Postings>;
  /** By `word word`: documents that have both. */
  readonly pairs: LRUCache<string, Pair>;
  /** By document. */
  readonly contents: LRUCache<number, Contents>;
}

/** What the dictionary answered while the index had changed so many times. */
export interface Dictionary {
  readonly changes: number;
  /** By what was asked. */
  readonly answers: Map<string, readonly Term[]>;
}

/** Two lists of one length: where a word stands, and how much it weighs there. */
export interface Postings {
  readonly changed: number;
  readonly documents: readonly number[];
  readonly weights: readonly number[];
}

export interface Pair {
  /** `changed` of either word. */
  readonly changed: readonly [number, number];
  readonly documents: readonly number[];
}

/** What a document of the index is about, and which words it has. */
export interface Contents {
  readonly kind: number;
  readonly ref: string;
  readonly part: number;
  /** As `termsIn` tells them. */
  readonly terms: readonly number[];
}

/** About 16 MB, 2 MB and 50 MB when full. */
const POSTINGS_MAX = 1_000_000;
const PAIRS_MAX = 2_000;
const CONTENTS_MAX = 150_000;

export function openSearchMemory(): SearchMemory {
  return {
    dictionary: openDictionary(0),
    // Also a word that nothing has takes room.
    postings: new LRUCache({
      maxSize: POSTINGS_MAX,
      sizeCalculation: ({ documents }) => documents.length + 1,
    }),
    pairs: new LRUCache({ max: PAIRS_MAX }),
    contents: new LRUCache({ max: CONTENTS_MAX }),
  };
}

export function openDictionary(changes: number): Dictionary {
  return { changes, answers: new Map() };
}
