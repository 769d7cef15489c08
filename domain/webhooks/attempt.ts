import { instant, type Instant } from '../instant.ts';
import type { DeliveryOutcome, Webhook } from './webhook.ts';
import { head } from '../text.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The waits between the attempts of one event: eleven attempts in three days. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  20 * HOUR,
];
/** Each wait is up to a tenth shorter or longer, so that retries of many events spread. */
const JITTER = 0.1;
/** A longer wish of the receiver is lowered to this. */
const RETRY_AFTER_MAX_MS = 6 * HOUR;
export const DISABLED_AFTER_MS = 120 * HOUR;
const GONE = 410;
const FAULT_LENGTH_MAX = 400;

export interface AttemptResult {
  /** Absent when no answer came. */
  readonly status?: number;
  readonly fault?: string;
  readonly retryAfterMs?: number;
  readonly durationMs: number;
}

export interface AfterAttempt extends Pick<
  Webhook,
  'state' | 'why' | 'failures' | 'nextAt' | 'failingSince' | 'paceMs'
> {
  readonly outcome: DeliveryOutcome;
  /** Whether the event is settled, so that the next one follows. */
  readonly isSettled: boolean;
}

export function isDelivered({ status = 0 }: AttemptResult): boolean {
  return status >= 200 && status < 300;
}

/** Returns why an attempt failed, as a sentence; undefined when it was delivered. */
export function faultOf(result: AttemptResult): string | undefined {
  if (isDelivered(result)) return undefined;
  const fault = result.fault ?? `The address answered ${result.status}.`;
  return head(fault, FAULT_LENGTH_MAX);
}

/** Decides what follows an attempt. `chance` is between 0 and 1. */
export function afterAttempt(
  webhook: Pick<Webhook, 'failures' | 'failingSince' | 'paceMs'>,
  result: AttemptResult,
  at: Instant,
  chance: number,
): AfterAttempt {
  const paceMs = Math.round((3 * webhook.paceMs + result.durationMs) / 4);
  const next = {
    state: 'active',
    why: undefined,
    failures: 0,
    nextAt: at,
    failingSince: undefined,
    paceMs,
  } as const;
  if (isDelivered(result)) return { ...next, outcome: 'delivered', isSettled: true };
  const failures = webhook.failures + 1;
  const failingSince = webhook.failingSince ?? at;
  const failed = { ...next, failures, failingSince };
  if (result.status === GONE) {
    const why = 'The address answered 410: it wants no more messages.';
    return { ...failed, state: 'disabled', why, outcome: 'failed', isSettled: false };
  }
  const waitMs = RETRY_DELAYS_MS[failures - 1];
  const isDead = waitMs === undefined;
  const wishMs = Math.min(result.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  const jitter = 1 + JITTER * (2 * chance - 1);
  const nextAt = instant(at + Math.round(Math.max((waitMs ?? 0) * jitter, wishMs)));
  const later = { ...failed, nextAt, ...(isDead && { failures: 0 }) };
  const end = { outcome: isDead ? 'dead' : 'failed', isSettled: isDead } as const;
  // Each event has all its attempts, also after a stop of the hub or a jump of the clock.
  if (!isDead || at - failingSince < DISABLED_AFTER_MS) return { ...later, ...end };
  const why = `No event was delivered for five days. Last: ${faultOf(result)}`;
  return { ...later, ...end, state: 'disabled', why: head(why, FAULT_LENGTH_MAX) };
}

/** Reads a Retry-After header (RFC 9110 10.2.3), in milliseconds from `now`. */
export function retryAfterMs(value: string | undefined, now: Instant): number | undefined {
  if (value === undefined) return undefined;
  if (/^[0-9]{1,9}$/.test(value)) return Number(value) * SECOND;
  const date = /^[A-Z][a-z]{2}, .* GMT$/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
