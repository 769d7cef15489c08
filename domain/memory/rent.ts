import { instant, type Instant } from '../instant.ts';

/**
 * Storage rent (choices memory.rent), by UTC days that begin at 00:05. Each is charged at most
 * once, up to three days late; a day that could not be paid is never asked for again.
 */
const DAY_MS = 86_400_000;
const BEGINS_MS = 300_000;
const MISSED_DAYS_MAX = 3;

/** Days since 1970 of the rent day in which a moment lies. */
export function rentDay(at: Instant): number {
  return Math.floor((at - BEGINS_MS) / DAY_MS);
}

export function rentDayBegins(day: number): Instant {
  return instant(day * DAY_MS + BEGINS_MS);
}

/** `2026-11-20`, the name of a rent day. */
export function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export interface RentState {
  /** The last rent day that was settled: charged, let go, or the one in which storing began. */
  readonly settledDay: number;
  readonly readOnly: boolean;
}

/**
 * Returns the days to charge now, today first: an account that can pay one day only stays writable
 * by it. While an account is read-only no arrears accrue, so it owes today alone.
 */
export function rentDue({ settledDay, readOnly }: RentState, today: number): readonly number[] {
  if (settledDay >= today) return [];
  if (readOnly) return [today];
  const first = Math.max(settledDay + 1, today - MISSED_DAYS_MAX);
  return Array.from({ length: today - first + 1 }, (_, n) => today - n);
}
