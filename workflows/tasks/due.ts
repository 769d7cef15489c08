import { LedgerFrozen } from '../../db/ledger/memory.ts';
import { liveAttempts } from '../../db/tasks/attempts.ts';
import { disputeOf } from '../../db/tasks/disputes.ts';
import { dueTasks, dueTasksOf, lockTask, readTask, type StoredTask } from '../../db/tasks/tasks.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Change } from '../../domain/task/change.ts';
import { isVoidDue, nextDue, settleDue, type DueKind } from '../../domain/task/due.ts';
import type { TaskAggregate } from '../../domain/task/model.ts';
import { apart } from '../../server/hub/apart.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { chainOf } from '../chains/follow.ts';
import { drawArbiter } from './arbiter.ts';
import { commitChange } from './commit.ts';
import type { Committed, Loaded } from './aggregate.ts';
import { noSuchTask } from './refuse.ts';

/**
 * Due decisions are applied before every read and write of a task, so a stopped scheduler never
 * lets a late action through (choices pipeline.due).
 */
const DUE_BATCH_MAX = 100;
/** One task cannot have more decisions due at once than it has transitions. */
export const DUE_PER_TASK_MAX = 20;

/** The task, locked, with everything due applied; refuses an id that nobody has. */
export async function lockSettled(tx: Writer, hub: Hub, id: string): Promise<Loaded> {
  const stored = (await lockTask(tx, id)) ?? noSuchTask();
  const chain = await chainOf(tx, stored.task);
  const loaded = { ...(await aggregateOf(tx, stored)), ...(chain && { chain }) };
  return settleAll(tx, hub, loaded, hub.clock.now());
}

/** Applies everything due by `now`, earliest first; a decision may make the next one due. */
export async function settleAll<T extends Loaded>(
  tx: Writer,
  hub: Hub,
  loaded: T,
  now: Instant,
): Promise<T | Committed> {
  let here: T | Committed = loaded;
  for (let count = 0; count < DUE_PER_TASK_MAX; count += 1) {
    const change = await nextDecision(tx, here.aggregate, now);
    if (change === undefined) return here;
    here = await commitChange(tx, hub, here, change, { actor: 'hub', at: now });
  }
  throw new Error(`task ${here.aggregate.task.id} never settles`);
}

/** Drawing an arbiter takes seats and a secret; every other due decision follows from the task. */
async function nextDecision(
  tx: Writer,
  aggregate: TaskAggregate,
  now: Instant,
): Promise<Change | undefined> {
  const due = nextDue(aggregate);
  const draws = due?.kind === 'draw' && due.at <= now && !isVoidDue(aggregate, now);
  return draws ? drawArbiter(tx, aggregate, now) : settleDue(aggregate, now);
}

export async function aggregateOf(db: Reader, stored: StoredTask): Promise<Loaded> {
  const live = await liveAttempts(db, stored.task);
  const { task, holdId, events } = stored;
  // One that is over decides nothing any more; who asks for it reads it.
  const dispute = task.state === 'disputed' ? await disputeOf(db, task.id) : undefined;
  const aggregate = { task, live, ...(dispute && { dispute: dispute.dispute }) };
  return { aggregate, ...(holdId && { holdId }), events };
}

/**
 * The task for a reader; writes only when the clock has decided something since. While the ledger
 * is frozen a decision that moves money waits, and the reader sees the task as it stands (choices
 * ledger.freeze).
 */
export async function readSettled(hub: Hub, id: string): Promise<Loaded> {
  const loaded = await hub.store.read(async (db) => {
    const stored = await readTask(db, id);
    return stored && aggregateOf(db, stored);
  });
  if (loaded === undefined) return noSuchTask();
  const due = nextDue(loaded.aggregate);
  if (due === undefined || due.at > hub.clock.now()) return loaded;
  try {
    return await hub.store.write((tx) => lockSettled(tx, hub, id));
  } catch (error) {
    if (error instanceof LedgerFrozen) return loaded;
    throw error;
  }
}

/** Applies what is due across tasks, one batch, each task in its own transaction. */
export async function settleDueTasks(hub: Hub, kinds?: readonly DueKind[]): Promise<void> {
  const now = hub.clock.now();
  const ids = await hub.store.read((db) =>
    kinds === undefined
      ? dueTasks(db, now, DUE_BATCH_MAX)
      : dueTasksOf(db, kinds, now, DUE_BATCH_MAX),
  );
  for (const id of ids) {
    const named = { failure: 'a due decision failed', task: id };
    await apart(hub, named, () => hub.store.write((tx) => lockSettled(tx, hub, id)));
  }
}
