import { instant, type Instant } from '../instant.ts';

/**
 * Keeps callers from waiting for a silent endpoint. Five faults in a row close it for 30 s, each
 * further one twice as long, up to 10 min; then one call tries, and any whole answer forgets all.
 */
export interface Breaker {
  readonly faults: number;
  /** No call is made before; absent while calls pass. */
  readonly restsUntil?: Instant;
}

export const SOUND: Breaker = { faults: 0 };
const FAULTS_MAX = 5;
const REST_MS = 30_000;
const REST_MS_MAX = 600_000;
/** A trial after a rest keeps the others away this long, which is longer than a call takes. */
const TRIAL_MS = 25_000;

export function rests({ restsUntil }: Breaker, now: Instant): boolean {
  return restsUntil !== undefined && now < restsUntil;
}

/** The state when a call begins: after a rest, others wait for its outcome. */
export function onCall(breaker: Breaker, now: Instant): Breaker {
  if (breaker.restsUntil === undefined) return breaker;
  return { ...breaker, restsUntil: instant(now + TRIAL_MS) };
}

export function afterFault({ faults }: Breaker, now: Instant): Breaker {
  const count = faults + 1;
  if (count < FAULTS_MAX) return { faults: count };
  const rest = Math.min(REST_MS * 2 ** (count - FAULTS_MAX), REST_MS_MAX);
  return { faults: count, restsUntil: instant(now + rest) };
}
