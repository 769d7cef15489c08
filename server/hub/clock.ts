import type { Instant } from '../../domain/instant.ts';

export interface Clock {
  now(): Instant;
  /** Milliseconds on a clock that nobody can set; only differences mean something. */
  elapsedMs(): number;
}

export interface Ids {
  /** A UUID version 7: sorts by time of making. */
  uuid(): string;
}
