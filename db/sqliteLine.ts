import { prefetch, type BatchLink, type BatchParts } from './batch/batch.ts';
import { runUnits } from './batch/ways.ts';
import type { Prefetched } from './batch/batch.ts';
import { openBatchLine, type BatchLine } from './batch/line.ts';
import type { Transaction } from './batch/transaction.ts';
import type { WorkingSet } from './batch/workingSet.ts';
import { batchLink, isRace, isRefused, withinAlone, type SqliteBatchLink } from './sqliteBatch.ts';
import type { SqliteConnection } from './sqliteConnection.ts';
import type { groupCommit } from './sqliteWriter.ts';

/** One batch is written, the next is read and waits. */
const LANES = 2;

/**
 * While a batch is written, which mostly waits for the disk, the next one is read on a connection of
 * its own (`readBeside`). Its turn comes after that commit. What it read is then older than the commit,
 * so it takes over the changes from the working set that decided the batch before (`follows`). That
 * holds only if nothing else was written in between: the count of ended turns went up by one, that
 * turn wrote one batch, and the data version of the writer is still the one of that batch. Otherwise
 * it is read again in its turn.
 */
export function openSqliteLine(
  groups: ReturnType<typeof groupCommit>,
  beside: SqliteConnection,
  parts: Pick<BatchParts, 'ledger' | 'passCounts' | 'trace' | 'report' | 'publish'>,
): BatchLine {
  let isWriting = false;
  /** Of the turn that ended last; undefined unless it wrote one batch and nothing else. */
  let last: { readonly set: WorkingSet; readonly version: number } | undefined;
  const turn = async (
    writer: SqliteConnection,
    units: readonly Transaction<unknown>[],
    prefetched: Prefetched | undefined,
    readAsOf: number | undefined,
  ): ReturnType<typeof runUnits> => {
    const written: WorkingSet[] = [];
    let asOf = readAsOf;
    let version: number | undefined;
    const within = async <T>(work: Within<T>, alone: boolean): Promise<T> => {
      const begun = asOf;
      asOf = undefined;
      const noted = async (link: SqliteBatchLink): Promise<T> => {
        const result = await work(link);
        version = link.version();
        return result;
      };
      return alone ? withinAlone(writer, noted) : noted(batchLink(writer, begun));
    };
    isWriting = true;
    try {
      return await runUnits(units, {
        ...parts,
        isRefused,
        isRace,
        within,
        ...(prefetched && { prefetched }),
        wrote: (set) => written.push(set),
      });
    } finally {
      isWriting = false;
      const [set] = written;
      last = set && written.length === 1 && version !== undefined ? { set, version } : undefined;
    }
  };
  return openBatchLine(LANES, async (take) => {
    const asOf = groups.ended();
    const read = isWriting && groups.isFree() ? await readBeside(beside, take()) : undefined;
    return groups.turn((writer) => {
      const former = groups.ended() === asOf + 1 ? last : undefined;
      const isRead = read !== undefined && former !== undefined;
      const prefetched = isRead ? { ...read, follows: former.set } : undefined;
      return turn(writer, take(), prefetched, isRead ? former.version : undefined);
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
