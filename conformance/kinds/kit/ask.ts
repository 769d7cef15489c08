import Mocha from 'mocha';
import { undeclared } from '../../../tools/test/undeclared.ts';
import { reasonOf } from './notAsked.ts';
import type { Outcome, Result } from './results.ts';

/** Runs one file of tests, as mocha would, and returns the outcome of each test. */
const TEST_MS_MAX = 10 * 60_000;

export async function ask(file: string, load: () => Promise<unknown>): Promise<readonly Result[]> {
  const results: Result[] = [];
  const mocha = new Mocha({ ui: 'bdd', reporter: reporterInto(file, results) });
  mocha.suite.emit('pre-require', globalThis, file, mocha);
  await load();
  allowLong(mocha.suite);
  await new Promise<number>((resolve) => mocha.run(resolve));
  mocha.dispose();
  return results;
}

/** Raises the timeouts of a file, which are for a hub on the same machine without rate limits. */
function allowLong(suite: Mocha.Suite): void {
  const hooks = Object.values(suite).filter(isHooks).flat();
  for (const runnable of [...suite.tests, ...hooks]) runnable.timeout(TEST_MS_MAX);
  for (const inner of suite.suites) allowLong(inner);
}

function isHooks(value: unknown): value is readonly Mocha.Hook[] {
  return Array.isArray(value) && value[0] instanceof Mocha.Hook;
}

function reporterInto(file: string, results: Result[]): Mocha.ReporterConstructor {
  return class extends Mocha.reporters.Base {
    readonly #reported = new Map<Mocha.Test, Outcome>();
    /** Suites of which a hook has failed: mocha runs none of their other tests. */
    readonly #spoiled = new Set<Mocha.Suite>();

    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
      super(runner, options);
      runner.on('pass', (test) => this.#report(test, declared({ is: 'held' })));
      runner.on('pending', (test) => this.#report(test, { is: 'not-asked', reason: 'left' }));
      runner.on('fail', (failed: Mocha.Runnable, error: unknown) => {
        const outcome = declared(outcomeOf(error));
        if (failed instanceof Mocha.Test) this.#report(failed, outcome);
        else if (failed.parent !== undefined) this.#spoil(failed.parent, failed, outcome);
      });
    }

    #report(test: Mocha.Test, outcome: Outcome): void {
      if (this.#reported.has(test)) return;
      this.#reported.set(test, outcome);
      this.#note(test, outcome);
    }

    #note(runnable: Mocha.Runnable, outcome: Outcome): void {
      const title = runnable.titlePath().join(' › ');
      results.push({ file, title, milliseconds: runnable.duration ?? 0, outcome });
    }

    #spoil(suite: Mocha.Suite, hook: Mocha.Runnable, outcome: Outcome): void {
      if (this.#spoiled.has(suite)) return;
      this.#spoiled.add(suite);
      const { currentTest } = hook.ctx ?? {};
      const before = currentTest && this.#reported.get(currentTest);
      // A world that could not be opened cannot be closed either.
      const because = before?.is === 'not-asked' ? before : outcome;
      if (because.is === 'broken') this.#note(hook, because);
      const rest: Outcome =
        because.is === 'not-asked' ? because : { is: 'not-asked', reason: 'prepared' };
      suite.eachTest((test) => this.#report(test, rest));
    }
  };
}

function outcomeOf(error: unknown): Outcome {
  const reason = reasonOf(error);
  if (reason !== undefined) return { is: 'not-asked', reason };
  const message = error instanceof Error ? error.message : String(error);
  return { is: 'broken', message };
}

/** No answer of a test may have differed from the contract, whatever the test looked at. */
function declared(outcome: Outcome): Outcome {
  const faults = [...new Set(undeclared.splice(0))];
  if (faults.length === 0) return outcome;
  const before = outcome.is === 'broken' ? [outcome.message] : [];
  return { is: 'broken', message: [...before, ...faults].join('\n') };
}
