/** Whether something still works often enough to be tried. */
export interface Calm {
  /** False for a number of calls after too many were lost. */
  is(): boolean;
  ended(isLost: boolean): void;
}

/** By how much each one counts against all that came before it. */
const WEIGHT = 0.05;

/**
 * @param share The share of the last ones that may be lost.
 * @param rest How many calls are left out then.
 */
export function openCalm(share: number, rest: number): Calm {
  let lost = 0;
  let resting = 0;
  return {
    is() {
      resting = Math.max(0, resting - 1);
      return resting === 0;
    },
    ended(isLost) {
      lost += WEIGHT * (Number(isLost) - lost);
      if (lost <= share) return;
      lost = 0;
      resting = rest;
    },
  };
}
