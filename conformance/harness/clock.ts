import assert from 'node:assert/strict';
import { instant, plus, seconds, type Instant } from '../../domain/instant.ts';

/** A clock that a test moves; it never moves by itself. */
export interface FakeClock {
  now(): Instant;
  wall(): Instant;
  elapsedMs(): number;
  advance(wholeSeconds: number): void;
  /** Sets the clock, forward or back; no time passes. */
  jump(ms: number): void;
}

export function fakeClock(startMs: number = Date.parse('2026-11-20T10:00:00Z')): FakeClock {
  let now = instant(startMs);
  let elapsedMs = 0;
  return {
    now: () => now,
    wall: () => now,
    elapsedMs: () => elapsedMs,
    advance(wholeSeconds) {
      now = plus(now, seconds(wholeSeconds));
      elapsedMs += wholeSeconds * 1000;
    },
    jump(ms) {
      now = instant(now + ms);
    },
  };
}

/** The clock that other programs see, which a test may still push ahead. */
export function realClock(): FakeClock {
  let aheadMs = 0;
  return {
    now: () => instant(Date.now() + aheadMs),
    wall: () => instant(Date.now() + aheadMs),
    elapsedMs: () => performance.now() + aheadMs,
    advance(seconds) {
      aheadMs += seconds * 1000;
    },
    jump: () => assert.fail('other programs see this clock'),
  };
}
