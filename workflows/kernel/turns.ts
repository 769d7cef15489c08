import { setImmediate as turn } from 'node:timers/promises';

/** Runs work that gives way, letting others have their turn between its steps. */
export async function inTurns<T>(steps: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await turn();
  }
}
