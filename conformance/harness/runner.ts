/**
 * The interface that `tools/test/worker.mjs` offers in `globalThis`, since worker and harness
 * import nothing of each other. Plain mocha has none.
 */
interface Runner {
  afterFile(run: () => Promise<void>): void;
  afterRun(run: () => Promise<void>): void;
}

const runner = (globalThis as Readonly<Record<symbol, unknown>>)[Symbol.for('hub.tests.runner')] as
  Runner | undefined;

/** Tidies up after each file; in plain mocha all files are one, and the end of the run does. */
export function afterFile(run: () => Promise<void>): void {
  runner?.afterFile(run);
}

/** When the process has run its last file. A program such as the devnet runs no file. */
export function afterRun(run: () => Promise<void>): void {
  if (runner !== undefined) runner.afterRun(run);
  else if ('after' in globalThis) after('end what the run shared', run);
}
