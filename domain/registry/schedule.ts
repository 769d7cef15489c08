import { plus, seconds, type Instant, type Seconds } from '../instant.ts';

/**
 * When an origin is looked at (choices registry.crawl, registry.submissions): four times a day
 * while it answers, else ever more rarely. Jitter keeps origins that came together apart.
 */
const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;
const LISTED_SECONDS = 6 * HOUR;
/** After so many looks in a row that found nothing. */
const FAILING_SECONDS = [30 * MINUTE, 2 * HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY];
const JITTER = 0.2;
/** How long the next submission of an origin waits: none, then these (interface, Limits). */
const SUBMISSION_SECONDS = [0, MINUTE, 10 * MINUTE, HOUR];
/** An origin that was not submitted for a day counts as new again. */
const FORGOTTEN_MS = DAY * 1000;

/** `chance` in 0..1 decides within the jitter; `failures` counts the looks that found nothing. */
export function nextRegularCrawl(now: Instant, failures: number, chance: number): Instant {
  const place = Math.min(failures, FAILING_SECONDS.length) - 1;
  const base = FAILING_SECONDS[place] ?? LISTED_SECONDS;
  return plus(now, seconds(Math.round(base * (1 - JITTER + 2 * JITTER * chance))));
}

export interface Submitted {
  /** How often before this one. */
  readonly backOff: number;
  readonly submittedAt?: Instant;
}

/** The step of back-off that a submission at this moment stands on. */
export function backOffAt({ backOff, submittedAt }: Submitted, now: Instant): number {
  if (submittedAt === undefined || now - submittedAt >= FORGOTTEN_MS) return 0;
  return Math.min(backOff, SUBMISSION_SECONDS.length - 1);
}

export function submissionWait(step: number): Seconds {
  return seconds(SUBMISSION_SECONDS[Math.min(step, SUBMISSION_SECONDS.length - 1)] ?? 0);
}
