/**
 * The statements of one SQLite connection, in series, up to the first that the disk or memory
 * refused. SQLite may then end the transaction, and later statements would commit by themselves: a
 * unit that ignored the error would store half of its work.
 */
type Done<T> = (error: Error | null, result: T) => void;

export interface StatementQueue {
  /** Starts a statement when those before it have ended; rejects at once after a fault. */
  run<T>(start: (done: Done<T>) => void): Promise<T>;
  /** Throws what `run` would reject with. */
  mustRun(): void;
  fault(): Error | undefined;
  /** A new transaction begins. */
  forget(): void;
  /** Refuses every statement from now on. */
  discard(): void;
  isDiscarded(): boolean;
}

/** After these the statement alone is undone and the transaction stands. Nothing else is safe. */
const HARMLESS: readonly unknown[] = [
  'SQLITE_ERROR',
  'SQLITE_CONSTRAINT',
  'SQLITE_MISMATCH',
  'SQLITE_RANGE',
  'SQLITE_TOOBIG',
  'SQLITE_READONLY',
];

interface Waiting {
  start(): void;
  refuse(error: Error): void;
}

export function openStatementQueue(): StatementQueue {
  const waiting: Waiting[] = [];
  let running = false;
  let fault: Error | undefined;
  let retired: Error | undefined;
  const refusal = (): Error | undefined => retired ?? fault;
  const next = (): void => {
    running = false;
    const refused = refusal();
    if (refused === undefined) waiting.shift()?.start();
    else for (const each of waiting.splice(0)) each.refuse(refused);
  };
  return {
    run: <T>(start: (done: Done<T>) => void) =>
      new Promise<T>((resolve, reject) => {
        const end: Done<T> = (error, result) => {
          if (error === null) resolve(result);
          else {
            if (!isHarmless(error)) fault ??= error;
            reject(error);
          }
          next();
        };
        const run = (): void => {
          running = true;
          start(end);
        };
        const refused = refusal();
        if (refused !== undefined) reject(refused);
        else if (running) waiting.push({ start: run, refuse: reject });
        else run();
      }),
    mustRun() {
      const refused = refusal();
      if (refused !== undefined) throw refused;
    },
    fault: () => fault,
    forget: () => void (fault = undefined),
    discard: () => void (retired ??= new Error('this connection was taken from its unit')),
    isDiscarded: () => retired !== undefined,
  };
}

function isHarmless(error: Error): boolean {
  return 'code' in error && HARMLESS.includes(error.code);
}
