import { setImmediate as others } from 'node:timers/promises';

/** Drives work that goes in steps of a few milliseconds, and lets others have their turn between. */
export async function inTurns<T>(steps: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await others();
  }
}
