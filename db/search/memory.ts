import { LRUCache } from 'lru-cache';

/**
 * What this process remembers of the index, so that a query whose words were asked for before reads
 * only how those words stand. Nothing in it goes stale: what was read of a word counts as long as the
 * word's `changed`, which comes with every query, and what a document holds is never changed under its
 * id. Only db/search asks it, and only for reads: a unit of work may see what is never committed.
 */
export interface SearchMemory {
  /** By word. */
  readonly postings: LRUCache<number, Postings>;
  /** By `word word`: documents that have both. */
  readonly pairs: LRUCache<string, Pair>;
  /** By document. */
  readonly contents: LRUCache<number, Contents>;
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
  /** `termsText`. */
  readonly terms: string;
}

/** About 16 MB, 2 MB and 15 MB when full. */
const POSTINGS_MAX = 1_000_000;
const PAIRS_MAX = 2_000;
const CONTENTS_MAX = 50_000;

export function openSearchMemory(): SearchMemory {
  return {
    // Also a word that nothing has takes room.
    postings: new LRUCache({
      maxSize: POSTINGS_MAX,
      sizeCalculation: ({ documents }) => documents.length + 1,
    }),
    pairs: new LRUCache({ max: PAIRS_MAX }),
    contents: new LRUCache({ max: CONTENTS_MAX }),
  };
}
