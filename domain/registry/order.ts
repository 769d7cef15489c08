/**
 * The order of listings that were searched for: karma first, as everywhere in the registry; among
 * equals those that fit clearly better, then reachability, then the finer fit. A listing that fits
 * far worse than the best is no answer, whatever its karma.
 */
export interface Ranked {
  readonly id: string;
  readonly karma: number;
  readonly reach: number;
  /** 0 to 1000 (`domain/search/score.ts`). */
  readonly fit: number;
}

/** Part of the best fit that an answer must have, in a hundred. */
const FIT_SHARE_MIN = 30;
/** Fits within one step are alike. */
const FIT_STEP = 40;

export function ordered(found: readonly Ranked[]): readonly Ranked[] {
  const best = found.reduce((most, { fit }) => Math.max(most, fit), 0);
  return found
    .filter(({ fit }) => fit * 100 >= best * FIT_SHARE_MIN)
    .sort(
      (a, b) =>
        b.karma - a.karma ||
        Math.floor(b.fit / FIT_STEP) - Math.floor(a.fit / FIT_STEP) ||
        b.reach - a.reach ||
        b.fit - a.fit ||
        (a.id < b.id ? -1 : 1),
    );
}
