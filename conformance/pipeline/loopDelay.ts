import { setImmediate as turn } from 'node:timers/promises';
import { waitedMs } from '../harness/waitedMs.ts';

/** Milliseconds for which nothing else may have to wait. */
export const HOLD_MS_MAX = 20;
/** On a busy machine even the time that the kernel reports as waiting is not exact every time. */
const TRIES = 12;

/** Measures the longest time between two event-loop turns, without waits for a processor. */
async function longestHold(run: () => Promise<unknown>): Promise<number> {
  const running = { yes: true };
  const done = run().finally(() => {
    running.yes = false;
  });
  let longest = 0;
  let [last, waited] = [performance.now(), waitedMs()];
  while (running.yes) {
    await turn();
    const [now, waitedNow] = [performance.now(), waitedMs()];
    longest = Math.max(longest, now - last - (waitedNow - waited));
    [last, waited] = [now, waitedNow];
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
