import type { Instant } from '../instant.ts';
import { minuteOf, type Minute } from './minute.ts';

/**
 * Notices that a wall clock was set: between two looks it moved otherwise than a monotonic clock. A
 * slow correction stays below the limit, since looks are about a second apart.
 */
export interface Look {
  readonly wall: Instant;
  /** Milliseconds on a clock that only runs forward; its zero means nothing. */
  readonly elapsedMs: number;
  /** The minute in which the wall clock landed when it was last set. */
  readonly landedIn?: Minute;
}

export const STEP_MS = 2_000;

export function lookAgain(before: Look | undefined, wall: Instant, elapsedMs: number): Look {
  if (before === undefined) return { wall, elapsedMs };
  const moved = wall - before.wall - (elapsedMs - before.elapsedMs);
  if (Math.abs(moved) > STEP_MS) return { wall, elapsedMs, landedIn: minuteOf(wall) };
  return { ...before, wall, elapsedMs };
}
