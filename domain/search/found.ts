import type { Near } from './near.ts';
import type { Kind } from './plan.ts';

export interface Found {
  readonly kind: Kind;
  /** Id of the listing, task or comment. */
  readonly ref: string;
  /** Place of a skill in its listing; 0 for everything else. */
  readonly part: number;
  /** 0 to 1000. */
  readonly score: number;
}

export interface FindRequest {
  readonly text: string;
  readonly kinds: readonly Kind[];
  /** `score` for a search, `karma` for a list of listings (`rank.ts`). */
  readonly order: 'score' | 'karma';
  readonly answeringOnly?: boolean;
  /** Listings that fit wholly, whatever they are called. */
  readonly whole?: readonly string[];
  /** Listings that fit better than their words say; their tools where only tools are asked for. */
  readonly near?: readonly Near[];
  /** At most so many, the first of the order; equals by id. */
  readonly count: number;
}

/**
 * One document as it travels to an index: kind as a place in `KINDS`, ref, part, digest, terms
 * (`termsText`; empty when it is gone), answers, karma, reach.
 */
export type IndexRow = readonly [
  kind: number,
  ref: string,
  part: number,
  digest: string,
  terms: string,
  answers: number,
  karma: number,
  reach: number,
];
