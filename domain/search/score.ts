import { isOwnName, WEIGHT_MAX } from './termWeight.ts';

/**
 * How well a document fits, 0 to 1000. What is called exactly as asked is above all else; a
 * document that has every idea is above one that lacks one of the same rarity.
 */
export interface Hit {
  /** Gained by the ideas that it has. */
  readonly score: number;
  /** How many ideas it has. */
  readonly queryTerms: number;
  /** Weight of the name that it, or a part of it, has in whole; 0 when neither is called so. */
  readonly named: number;
}

export const RELEVANCE_MAX = 1000;
const NAMED_FROM = 800;
const PART_NAMED_FROM = 700;
const HALF = 50;

export function relevanceOf(
  { score, queryTerms, named }: Hit,
  about: { readonly gainMax: number; readonly queryTerms: number },
): number {
  const full = about.gainMax * WEIGHT_MAX;
  const met = full === 0 ? 0 : Math.min(1, score / full);
  const share = about.queryTerms === 0 ? 1 : queryTerms / about.queryTerms;
  const fit = Math.round(met * (HALF + HALF * share ** 2) * 0.01 * RELEVANCE_MAX);
  if (named === 0) return fit;
  if (isOwnName(named))
    return NAMED_FROM + Math.round((fit * (RELEVANCE_MAX - NAMED_FROM)) / RELEVANCE_MAX);
  return PART_NAMED_FROM + Math.round((fit * (NAMED_FROM - PART_NAMED_FROM - 1)) / RELEVANCE_MAX);
}
