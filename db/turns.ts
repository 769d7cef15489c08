import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds of work after which everything else in the process has its turn. */
const TURN_MS = 8;

/** Runs a step for each item and gives way to everything else every few milliseconds. */
export async function eachInTurns<T>(items: Iterable<T>, step: (item: T) => void): Promise<void> {
  let began = performance.now();
  for (const item of items) {
    step(item);
    if (performance.now() - began < TURN_MS) continue;
    await turn();
    began = performance.now();
  }
}
