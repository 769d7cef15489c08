import type { Reader, Writer } from './connection.ts';
import { decideIn } from './batch/inside.ts';
import type { Transaction } from './batch/transaction.ts';
import { entriesOf, type TrialEntry } from './ledger/trialEntries.ts';
import type { Store } from './store.ts';

/**
 * A store on which a whole call is tried: its first write opens one transaction, in which all later
 * units and reads run under savepoints, and `end` takes all of it back. No hook of an undone unit
 * runs, so nothing is published. It awaits nothing slow: on SQLite other writers wait for a trial.
 */
export interface Trial {
  readonly store: Store;
  /** Entries of the transfers that were posted so far, in their order. */
  entries(): Promise<readonly TrialEntry[]>;
  end(): Promise<void>;
}

/** Thrown at the end of the transaction, so that it rolls back. */
class TakenBack extends Error {}

export function openTrial(real: Store): Trial {
  const posted: string[] = [];
  let over: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (over = resolve));
  let opened: Promise<Writer> | undefined;
  let unit: Promise<unknown> = Promise.resolve();
  let last: Promise<unknown> = Promise.resolve();

  const open = (): Promise<Writer> =>
    (opened ??= new Promise((resolve, reject) => {
      unit = real
        .write(async (tx) => {
          resolve(tx);
          await ended;
          throw new TakenBack('a trial is taken back');
        })
        .catch((error: unknown) => {
          if (!(error instanceof TakenBack)) reject(error);
        });
    }));
  /** One after the other, as the savepoints of one connection have to be. */
  const inside = <T>(work: (tx: Writer) => Promise<T>): Promise<T> => {
    const run = last.then(async () => {
      const tx = await open();
      await tx.knex.raw('SAVEPOINT trial');
      try {
        const result = await work(tx);
        await tx.knex.raw('RELEASE SAVEPOINT trial');
        return result;
      } catch (error) {
        await tx.knex.raw('ROLLBACK TO SAVEPOINT trial');
        throw error;
      }
    });
    last = run.catch(() => undefined);
    return run;
  };
  const write = <T>(work: (tx: Writer) => Promise<T>): Promise<T> =>
    inside(async (tx) => {
      const before = tx.posted.length;
      const result = await work(tx);
      posted.push(...tx.posted.slice(before));
      return result;
    });
  const read = <T>(work: (db: Reader) => Promise<T>): Promise<T> => {
    if (opened === undefined) return real.read(work);
    const run = last.then(async () => work(await open()));
    last = run.catch(() => undefined);
    return run;
  };
  return {
    store: {
      ...real,
      read,
      write,
      decide: <T>(unit: Transaction<T>) => write((tx) => decideIn(tx, unit)),
    },
    entries: () =>
      opened === undefined ? Promise.resolve([]) : read((db) => entriesOf(db, posted)),
    async end() {
      over();
      await unit;
    },
  };
}
