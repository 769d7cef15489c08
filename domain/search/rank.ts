import type { Standing } from './documents.ts';
import { NAMED_FROM, WORDS_NAMED_FROM } from './score.ts';

/** Scores within one step fit equally well, and the interface's order decides among those. */
export const SCORE_STEP = 40;

/** The share, in a hundred, of an agent that does not answer; a tenth of what its name adds. */
const SILENT_SHARE = 70;
const SILENT_NAME_PART = 10;

/**
 * 0 to 1000. What does not answer stands behind what fits nearly as well; when its name has all
 * words, still before everything whose name has not.
 */
export function scoreOf(fit: number, answers: boolean): number {
  if (answers) return fit;
  if (fit < WORDS_NAMED_FROM) return Math.floor((fit * SILENT_SHARE) / 100);
  return Math.min(
    WORDS_NAMED_FROM + SCORE_STEP - 1,
    WORDS_NAMED_FROM + Math.floor((fit - WORDS_NAMED_FROM) / SILENT_NAME_PART),
  );
}

export type Ranked = Omit<Standing, 'answers'> & {
  /** 0 to 1000. */
  readonly score: number;
};

/** By how well it fits, in steps; among equally fitting ones karma first, then reachability. */
export function byScore(a: Ranked, b: Ranked): number {
  return (
    stepOf(b.score) - stepOf(a.score) || b.karma - a.karma || b.reach - a.reach || b.score - a.score
  );
}

/**
 * The order of a list of listings: those that are called so, those whose name has all words, the
 * rest; in each karma first, as everywhere in the registry, then how well they fit, in steps.
 */
export function byKarma(a: Ranked, b: Ranked): number {
  return (
    nameStepOf(b.score) - nameStepOf(a.score) ||
    b.karma - a.karma ||
    stepOf(b.score) - stepOf(a.score) ||
    b.reach - a.reach ||
    b.score - a.score
  );
}

/** Part of the best fit that an answer of a list must have, in a hundred, whatever its karma. */
export const FIT_SHARE_MIN = 30;

function stepOf(score: number): number {
  return Math.floor(score / SCORE_STEP);
}

function nameStepOf(score: number): number {
  return score >= NAMED_FROM ? 2 : score >= WORDS_NAMED_FROM ? 1 : 0;
}
