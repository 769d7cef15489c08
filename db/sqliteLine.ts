import { prefetch, type BatchLink, type BatchParts } from './batch/batch.ts';
import { openCalm } from './batch/calm.ts';
import { openRowMemory } from './batch/memory.ts';
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

/** While more than this share of the batches lose against another process, the next ones read. */
const LOST_SHARE_MAX = 0.05;
const READ_BATCHES = 64;

/** The turn that ended last, if it wrote one batch and nothing else. */
interface LastTurn {
  readonly set: WorkingSet;
  /** The data version of the writer, which another process would have changed. */
  readonly version: number;
  /** How many groups and turns have ended with it. */
  readonly ended: number;
}

/**
 * While a batch is written, which mostly waits for the disk, the next one is read on a connection of
 * its own (`readBeside`). Its turn comes after that commit. What it read is then older than the commit,
 * so it takes over the changes from the working set that decided the batch before (`follows`). Rows
 * that the batches before it read or wrote are remembered and not read at all. Both hold only if
 * nothing else was written in between: the count of ended turns went up by one, each turn wrote one
 * batch, and the data version of the writer is still the one of that batch. Otherwise the memory is
 * emptied and the batch is read in its turn.
 */
export function openSqliteLine(
  groups: ReturnType<typeof groupCommit>,
  beside: SqliteConnection,
  parts: Pick<BatchParts, 'ledger' | 'passCounts' | 'trace' | 'report' | 'publish'>,
): BatchLine {
  let isWriting = false;
  let last: LastTurn | undefined;
  let memory = openRowMemory(false);
  const calm = openCalm(LOST_SHARE_MAX, READ_BATCHES);
  const turn = async (
    writer: SqliteConnection,
    units: readonly Transaction<unknown>[],
    former: LastTurn | undefined,
    prefetched: Prefetched | undefined,
  ): ReturnType<typeof runUnits> => {
    if (former === undefined) memory = openRowMemory(false);
    const written: WorkingSet[] = [];
    let asOf = former?.version;
    let version: number | undefined;
    let isLost = false;
    const within = async <T>(work: Within<T>, alone: boolean): Promise<T> => {
      const begun = asOf;
      asOf = undefined;
      const noted = async (link: SqliteBatchLink): Promise<T> => {
        const result = await work(link);
        version = link.version();
        return result;
      };
      try {
        return await (alone ? withinAlone(writer, noted) : noted(batchLink(writer, begun)));
      } catch (error) {
        isLost ||= isRace(error);
        throw error;
      }
    };
    isWriting = true;
    last = undefined;
    try {
      return await runUnits(units, {
        ...parts,
        isRefused,
        isRace,
        within,
        prefetched,
        recall: memory.recall,
        wrote: (set) => written.push(set),
      });
    } finally {
      isWriting = false;
      calm.ended(isLost);
      const [set] = written;
      if (set !== undefined && written.length === 1 && version !== undefined) {
        last = { set, version, ended: groups.ended() + 1 };
        memory.keep(new Map(), set, undefined);
      }
    }
  };
  const lastTurn = (): LastTurn | undefined =>
    last?.ended === groups.ended() && calm.is() ? last : undefined;
  return openBatchLine(LANES, async (take) => {
    const asOf = groups.ended();
    const isRead = isWriting && groups.isFree();
    const read = isRead ? await readBeside(beside, take(), memory.recall) : undefined;
    return groups.turn((writer) => {
      const former = lastTurn();
      const isFollowing = former?.ended === asOf + 1;
      const prefetched = isFollowing && read && { ...read, follows: former.set };
      return turn(writer, take(), former, prefetched || undefined);
    });
  });
}

type Within<T> = (link: BatchLink) => Promise<T>;

/** Undefined when it failed; the turn reads again and says why. */
async function readBeside(
  beside: SqliteConnection,
  units: readonly Transaction<unknown>[],
  recall: BatchParts['recall'],
): Promise<Prefetched | undefined> {
  beside.forget();
  return prefetch(beside, units, recall).catch(() => undefined);
}
