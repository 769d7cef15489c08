import { isOwnName, WEIGHT_MAX } from './termWeight.ts';

/**
 * How well a document fits, 0 to 1000. An exact name is above all else, then a name with all words
 * of the query; a document with every concept is above one that lacks one of the same rarity.
 */
export interface Hit {
  /** Gained by the concepts that it has. */
  readonly score: number;
  /** How many concepts it has, and how many of them in its name. */
  readonly queryTerms: number;
  readonly inName: number;
  /** Weight of the name that it, or a part of it, has in whole; 0 when neither is called so. */
  readonly named: number;
}

export const RELEVANCE_MAX = 1000;
export const NAMED_FROM = 800;
export const WORDS_NAMED_FROM = 600;
const PART_NAMED_FROM = 500;
/** A document without a word of the query needs as much nearness. */
const ALONE_MIN = 40;
/** A document with words of the query is raised by this part of its nearness, less than a step. */
const WORDS_SHARE = 5;
const HALF = 50;

export function relevanceOf(
  { score, queryTerms, inName, named }: Hit,
  about: { readonly gainMax: number; readonly queryTerms: number },
): number {
  const full = about.gainMax * WEIGHT_MAX;
  const matched = full === 0 ? 0 : Math.min(1, score / full);
  const share = about.queryTerms === 0 ? 1 : queryTerms / about.queryTerms;
  const fit = Math.round(matched * (HALF + HALF * share ** 2) * 0.01 * RELEVANCE_MAX);
  if (isOwnName(named)) return within(fit, NAMED_FROM, RELEVANCE_MAX + 1);
  const isCalledSo = about.queryTerms > 0 && inName === about.queryTerms;
  if (isCalledSo) return within(fit, WORDS_NAMED_FROM, NAMED_FROM);
  if (named > 0) return within(fit, PART_NAMED_FROM, WORDS_NAMED_FROM);
  return Math.min(fit, WORDS_NAMED_FROM - 1);
}

/**
 * Returns the fit of what is near to the query by meaning. Among what has words of the query
 * nearness decides between equals; what has none, or few, gets as much as it is near. A name
 * outweighs all nearness.
 */
export function raised(fit: number, bonus: number): number {
  if (fit >= PART_NAMED_FROM || (fit === 0 && bonus < ALONE_MIN)) return fit;
  return Math.min(PART_NAMED_FROM - 1, Math.max(fit + Math.round(bonus / WORDS_SHARE), bonus));
}

/** Spreads 0 to 1000 from a bound to below another. */
function within(fit: number, from: number, below: number): number {
  return from + Math.round((fit * (below - 1 - from)) / RELEVANCE_MAX);
}
