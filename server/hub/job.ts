import type { Hub } from './hub.ts';

/** One bounded batch that is safe to repeat; its topic wakes a job, its timer is the retry. */
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
