import type { Hub } from './hub.ts';

/**
 * A job looks at the database, does one bounded batch and is safe to repeat. It is woken by its
 * timer and by its topic; the timer is the retry.
 */
export interface Job {
  readonly name: string;
  readonly everySeconds: number;
  /** A bell topic that makes the job run before its timer does. */
  readonly topic?: string;
  /** Calls the addresses of others, so time that is advanced does not hasten it (choices worlds.advance). */
  readonly reachesOut?: true;
  /** May answer in how many milliseconds it wants to run again, when that is before its timer. */
  readonly run: (hub: Hub) => Promise<void | number>;
}
