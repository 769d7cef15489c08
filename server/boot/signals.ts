type StopSignal = 'SIGTERM' | 'SIGINT';

/** SIGTERM and SIGINT of this process. The first process of a container has no other handler. */
export interface Signals {
  /** From now on a signal runs `end` and then exits; until then it exits at once. */
  onStop(end: (signal: StopSignal) => Promise<void>): void;
  /** Acts as if the signal had come, once. */
  stop(signal: StopSignal): void;
}

/** @param mayInsist A second signal exits at once. A worker leaves that to its parent. */
export function openSignals(mayInsist: boolean): Signals {
  let end: ((signal: StopSignal) => Promise<void>) | undefined;
  let isEnding = false;
  const stop = (signal: StopSignal): void => {
    if (isEnding) return;
    if (end === undefined) process.exit(0);
    isEnding = true;
    end(signal).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isEnding && mayInsist) process.exit(1);
      stop(signal);
    });
  }
  return {
    onStop(given) {
      end = given;
    },
    stop,
  };
}
