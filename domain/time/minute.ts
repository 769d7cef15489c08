import type { Brand } from '../brand.ts';
import { instant, iso, parseInstant, type Instant } from '../instant.ts';

/** A minute by its first moment: milliseconds since the epoch, a multiple of 60,000. */
export type Minute = Brand<number, 'Minute'>;

export const MINUTE_MS = 60_000;
/** Digests of the last second of a minute are promised to the next (choices time.stamps). */
const CLOSING_MS = 1_000;

export function minute(ms: number): Minute {
  if (!Number.isSafeInteger(ms) || ms % MINUTE_MS !== 0) throw new RangeError(`no minute: ${ms}`);
  return ms as Minute;
}

export function minuteOf(at: Instant): Minute {
  return minute(Math.floor(at / MINUTE_MS) * MINUTE_MS);
}

export function minutesAfter(of: Minute, count: number): Minute {
  return minute(of + count * MINUTE_MS);
}

/** The first moment that is no longer in the minute. */
export function endOf(of: Minute): Instant {
  return instant(of + MINUTE_MS);
}

/** `2026-11-20T10:15:00Z`: without the fraction, which a minute does not have. */
export function minuteIso(of: Minute): string {
  return iso(instant(of)).replace('.000Z', 'Z');
}

const MINUTE_GRAMMAR = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::00(?:\.0{1,3})?)?Z$/;

/**
 * Reads a minute, with its zero seconds or without them; undefined for any other moment. A time
 * within a minute names none: what arrived in the last second is in the one after it.
 */
export function parseMinute(text: string): Minute | undefined {
  const named = MINUTE_GRAMMAR.exec(text)?.[1];
  const at = named === undefined ? undefined : parseInstant(`${named}:00Z`);
  return at === undefined ? undefined : minuteOf(at);
}

/** The minute that a digest which arrives now is promised to; never one that has its pulse. */
export function promisedMinute(at: Instant, head: Minute | undefined): Minute {
  const own = minuteOf(instant(at + CLOSING_MS));
  return head !== undefined && head >= own ? minutesAfter(head, 1) : own;
}
