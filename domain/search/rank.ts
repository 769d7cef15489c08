/** What decides, beside how well it fits, where something that was found stands in a search. */
export interface Popularity {
  /** False for a listing that did not answer when it was last looked at. */
  readonly answers: boolean;
  /** Of a listing; 0 for everything else. */
  readonly karma: number;
  readonly reach: number;
}

/** What does not answer is worth this share, in a hundred. */
const SILENT_SHARE = 70;

/** 0 to 1000. */
export function scoreOf(fit: number, { answers }: Popularity): number {
  return answers ? fit : Math.floor((fit * SILENT_SHARE) / 100);
}

/** Scores within one step fit equally well, and the interface's order decides among those. */
const SCORE_STEP = 40;

/** By how well it fits, in steps; among equally fitting ones karma first, then reachability. */
export function byScore(
  a: Popularity & { readonly score: number },
  b: Popularity & { readonly score: number },
): number {
  return (
    Math.floor(b.score / SCORE_STEP) - Math.floor(a.score / SCORE_STEP) ||
    b.karma - a.karma ||
    b.reach - a.reach ||
    b.score - a.score
  );
}
