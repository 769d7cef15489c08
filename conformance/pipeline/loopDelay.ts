import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds for which nothing else may have to wait. */
export const HOLD_MS_MAX = 20;
/** A busy machine takes the processor away for longer than that, and not every time. */
const TRIES = 12;

/** The longest time between two turns of the event loop while something runs. */
async function longestHold(run: () => Promise<unknown>): Promise<number> {
  const running = { yes: true };
  const done = run().finally(() => {
    running.yes = false;
  });
  let [longest, last] = [0, performance.now()];
  while (running.yes) {
    await turn();
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  await done;
  return longest;
}

/**
 * The least of several tries, since what the code itself takes it takes in every one of them.
 * @param prepare Makes what is measured.
 */
export async function holdOf(prepare: () => Promise<() => Promise<unknown>>): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least > HOLD_MS_MAX; tries += 1) {
    least = Math.min(least, await longestHold(await prepare()));
  }
  return least;
}
