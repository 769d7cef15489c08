import { readFileSync } from 'node:fs';

/** Measures the most processor time of one event-loop turn, in ms; only Linux has it by thread. */
export function watchLoop(): { end(): number } {
  let [last, most, isOver] = [loopNs(), 0, false];
  const turn = (): void => {
    most = Math.max(most, loopNs() - last);
    last = loopNs();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    end() {
      isOver = true;
      // The turn that is under way is counted too: the answer that ends a watch may come in it.
      return Math.max(most, loopNs() - last) / 1e6;
    },
  };
}

function loopNs(): number {
  if (process.platform !== 'linux') return NaN;
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]);
}
