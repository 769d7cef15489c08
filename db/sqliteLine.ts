import { prefetch, type BatchLink, type BatchParts } from './batch/batch.ts';
import { runUnits } from './batch/ways.ts';
import type { Prefetched } from './batch/batch.ts';
import { openBatchLine, type BatchLine } from './batch/line.ts';
import type { Transaction } from './batch/transaction.ts';
import type { WorkingSet } from './batch/workingSet.ts';
import { batchLink, isRefused, withinAlone } from './sqliteBatch.ts';
import type { SqliteConnection } from './sqliteConnection.ts';
import type { groupCommit } from './sqliteWriter.ts';

/** One batch is written, the next is read and waits. */
const LANES = 2;

/**
 * While a batch is written, which mostly waits for the disk, the next one is read on its own
 * connection. Its turn comes after that commit, whose changes are in the working set that decided
 * it. If a group of units or batches run one by one wrote in between, it is read again in its turn.
 */
export function openSqliteLine(
  groups: ReturnType<typeof groupCommit>,
  beside: SqliteConnection,
  parts: Pick<BatchParts, 'ledger' | 'passCounts' | 'report' | 'publish'>,
): BatchLine {
  let isWriting = false;
  /** Of the turn that ended last; undefined unless it wrote one batch and nothing else. */
  let last: WorkingSet | undefined;
  const turn = async (
    writer: SqliteConnection,
    units: readonly Transaction<unknown>[],
    prefetched: Prefetched | undefined,
  ): ReturnType<typeof runUnits> => {
    const written: WorkingSet[] = [];
    const within = <T>(work: Within<T>, alone: boolean): Promise<T> =>
      alone ? withinAlone(writer, work) : work(batchLink(writer));
    isWriting = true;
    try {
      return await runUnits(units, {
        ...parts,
        isRefused,
        within,
        ...(prefetched && { prefetched }),
        wrote: (set) => written.push(set),
      });
    } finally {
      isWriting = false;
      last = written.length === 1 ? written[0] : undefined;
    }
  };
  return openBatchLine(LANES, async (take) => {
    const asOf = groups.ended();
    const read = isWriting && groups.isFree() ? await readBeside(beside, take()) : undefined;
    return groups.turn((writer) => {
      const isNext = groups.ended() === asOf + 1 && last !== undefined;
      const prefetched = isNext && read !== undefined ? { ...read, follows: last } : undefined;
      return turn(writer, take(), prefetched);
    });
  });
}

type Within<T> = (link: BatchLink) => Promise<T>;

/** Undefined when it failed; the turn reads again and says why. */
async function readBeside(
  beside: SqliteConnection,
  units: readonly Transaction<unknown>[],
): Promise<Prefetched | undefined> {
  beside.forget();
  return prefetch(beside, units).catch(() => undefined);
}
