import { instant, plus, seconds, type Instant } from '../../domain/instant.ts';

/** A clock that a test moves; it never moves by itself. */
export interface FakeClock {
  now(): Instant;
  advance(wholeSeconds: number): void;
}

export function fakeClock(startMs: number = Date.parse('2026-11-20T10:00:00Z')): FakeClock {
  let now = instant(startMs);
  return {
    now: () => now,
    advance(wholeSeconds) {
      now = plus(now, seconds(wholeSeconds));
    },
  };
}
