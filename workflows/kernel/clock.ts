import type { Instant } from '../../domain/instant.ts';

export interface Clock {
  now(): Instant;
  /** The time that signers have; another one than `now` in a test world alone. */
  wall(): Instant;
  /** Milliseconds of a clock that cannot be set; only differences mean something. */
  elapsedMs(): number;
}

export interface Ids {
  /** A UUID version 7: sorts by time of making. */
  uuid(): string;
}
