import type { TestHub } from './hub.ts';
import { TASK_LINE_TOPIC } from '../../workflows/topics.ts';

/** Waits until something holds; a test that never sees it fails by its timeout. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let ms = TURN_MS; !(await holds()); ms = Math.min(ms * 1.25, LOOK_MS_MAX)) await turn(ms);
}

const TURN_MS = 5;
/** Looking may be a read of the database: what takes seconds is not asked for 200 times in each. */
const LOOK_MS_MAX = 50;

/** Waits until just so many workers of a hub in this process wait for work. */
export function seated({ running }: TestHub, count: number): Promise<void> {
  return until(() => running.hub.notifier.waiting(TASK_LINE_TOPIC) === count);
}

/** Turns of the event loop in which a request reaches the hub in this process and sits down. */
const SETTLE_TURNS = 30;

/** Lets requests come to rest, counted in turns: the hub shares the event loop, however busy. */
export async function settle(turns = SETTLE_TURNS): Promise<void> {
  for (let count = 0; count < turns; count += 1) await turn();
}

function turn(ms: number = TURN_MS): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
