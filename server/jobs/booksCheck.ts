import { recheck } from '../../db/audit/recheck.ts';
import type { HighWaterMark } from '../../db/ledger/highWaterMark.ts';
import type { Job } from '../../workflows/kernel/job.ts';

/** Differences that one line of the log shows; the conservation page shows more. */
const LOGGED_MAX = 20;

/**
 * Counts the books: all at start-up, beside the first requests, and each minute what is new
 * (choices ledger.freeze). On a difference the ledger of this process freezes until a restart:
 * people look at it, and more movement would bury it. Each process finds a difference by itself.
 */
export function booksCheck(): Job {
  let mark: HighWaterMark | undefined;
  return {
    name: 'booksCheck',
    everySeconds: 60,
    run: async ({ store, clock, log }) => {
      if (store.frozenSince() !== undefined) return;
      const found = await store.read((db) => recheck(db, mark));
      const { differences } = found;
      if (differences.length > 0) {
        store.freeze(clock.now());
        log.fatal(
          { count: differences.length, differences: differences.slice(0, LOGGED_MAX) },
          'the books do not balance; the ledger is frozen, no money moves until repair and restart',
        );
        return;
      }
      mark = found.mark;
    },
  };
}
