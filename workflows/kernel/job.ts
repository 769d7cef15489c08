import type { Hub } from './hub.ts';

/** Does one bounded batch and is safe to repeat. Its topic wakes it; its timer is the retry. */
export interface Job {
  readonly name: string;
  readonly everySeconds: number;
  readonly topic?: string;
  /** Calls addresses of others, so advanced time does not hasten it (choices worlds.advancing). */
  readonly reachesOut?: true;
  /** May answer in how many milliseconds it wants to run again, when that is before its timer. */
  readonly run: (hub: Hub) => Promise<void | number>;
}

/** Between two batches of a job others get their turn. */
const AGAIN_MS = 250;

/** When a job runs again whose batch took so many rows: soon, if it was full and left some. */
export function againIfFull(taken: number, atMost: number): number | undefined {
  return taken >= atMost ? AGAIN_MS : undefined;
}
