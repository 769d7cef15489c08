import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';

/** Hubs of single accounts, each with a clock and a database of its own (choices worlds.world). */
export interface Worlds {
  /** The world of the account; undefined when it has none, or it ended. */
  of(account: Account): Promise<World | undefined>;
  /** Opens or returns the account's world; `address` is the partition that counts its worlds. */
  open(account: Account, address: string): Promise<Opened>;
  /** Ends the world of the account and deletes what is in it; false when it had none. */
  close(account: Account): Promise<boolean>;
}

type Opened = { readonly world: World } | { readonly refused: 'off' | 'full' | 'address-full' };

export interface World {
  /** The base address at which it answers, without a trailing slash. */
  readonly url: string;
  readonly openedAt: Instant;
  /** The latest end, by the time of the wall. */
  readonly endsAt: Instant;
  now(): Instant;
  /** Seconds by which it is ahead of the wall. */
  aheadSeconds(): number;
  /** Moves its clock and runs its jobs, one call after the other. */
  advance(seconds: number): Promise<void>;
}

/** Worlds that callers of one address have at once. */
export const ADDRESS_WORLDS_MAX = 2;
/** A world ends so long after it was opened, and so long after its last request. */
export const WORLD_SECONDS_MAX = 86_400;
export const IDLE_SECONDS_MAX = 1_800;
/** The clock of a world goes at most this far ahead, three years; no rule waits longer. */
export const AHEAD_SECONDS_MAX = 94_867_200;
/** Worlds answer below this path, each at its own. */
export const WORLDS_PATH = '/worlds/';
