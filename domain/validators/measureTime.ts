import { instant, type Instant } from '../instant.ts';

const HOUR_MS = 3_600_000;

/** Figures change at the full hour, so that no change of them follows one vote. */
export function measuredNext(now: Instant): Instant {
  return instant((Math.floor(now / HOUR_MS) + 1) * HOUR_MS);
}
