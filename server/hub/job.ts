import type { Hub } from './hub.ts';

/**
 * A job looks at the database, does one bounded batch and is safe to repeat. It is woken by its
 * timer and by its topic; the timer is the retry.
 */
export interface Job {
  readonly name: string;
  readonly everySeconds: number;
  /** A topic that makes the job run before its timer does. */
  readonly topic?: string;
  /** Calls addresses of others, so advanced time does not hasten it (choices worlds.advancing). */
  readonly reachesOut?: true;
  /** May answer in how many milliseconds it wants to run again, when that is before its timer. */
  readonly run: (hub: Hub) => Promise<void | number>;
}
