import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { LedgerFrozen } from '../../db/ledger/memory.ts';
import { TASKS, type KnownTask } from '../../db/tasks/taskRow.ts';
import { dueTasks, dueTasksOf } from '../../db/tasks/tasks.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Change } from '../../domain/tasks/change.ts';
import { candidates, divideUndecided } from '../../domain/tasks/award.ts';
import { isVoidDue, nextDue, settleDue, type DueKind } from '../../domain/tasks/due.ts';
import type { TaskAggregate } from '../../domain/tasks/model.ts';
import { apart } from '../kernel/apart.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Committed } from './aggregate.ts';
import { drawArbiter } from './arbiter.ts';
import { commitChange } from './commit.ts';
import { withDispute } from './dispute.ts';
import { groupsOfWork } from './parties.ts';
import { noSuchTask } from './refuse.ts';

/**
 * Due decisions are applied before every read and write of a task, so a stopped scheduler never
 * lets a late action through (choices pipeline.due).
 */
const DUE_BATCH_MAX = 100;
/** One task cannot have more decisions due at once than it has transitions. */
const DUE_PER_TASK_MAX = 20;

/** The task with everything due by now applied; refuses an id that no task has. */
export function settledTask(db: Decider, hub: Hub, id: string): KnownTask {
  return settleAll(db, hub, knownTask(db, id), hub.clock.now());
}

/** The task as it was found, with its dispute while that is open. */
export function knownTask(db: Decider, id: string): KnownTask {
  const known = db.find(TASKS, id) ?? noSuchTask();
  const { aggregate } = known;
  return aggregate.task.state === 'disputed'
    ? { ...known, aggregate: withDispute(db, aggregate) }
    : known;
}

/** Applies everything due by `now`, earliest first; a decision may make the next one due. */
export function settleAll<T extends KnownTask>(
  db: Decider,
  hub: Hub,
  known: T,
  now: Instant,
): T | Committed {
  let here: T | Committed = known;
  for (let count = 0; count < DUE_PER_TASK_MAX; count += 1) {
    const change = nextDecision(db, here.aggregate, now);
    if (change === undefined) return here;
    here = commitChange(db, hub, here, change, { actor: 'hub', at: now });
  }
  throw new Error(`task ${here.aggregate.task.id} never settles`);
}

/** Drawing an arbiter and dividing a reward need more than the task; other due decisions do not. */
function nextDecision(db: Decider, aggregate: TaskAggregate, now: Instant): Change | undefined {
  const due = nextDue(aggregate);
  const isDue = due !== undefined && due.at <= now;
  if (isDue && due.kind === 'draw' && !isVoidDue(aggregate, now)) {
    return drawArbiter(db, aggregate, now);
  }
  const divides = aggregate.task.shares?.undecided === 'divide';
  const divided = isDue && due.kind === 'ignored' && divides && divide(db, aggregate, now);
  return divided === false || divided === undefined ? settleDue(aggregate, now) : divided;
}

/** The silence of the requester divides the reward among unlinked workers (T28). */
function divide(db: Decider, aggregate: TaskAggregate, now: Instant): Change | undefined {
  const groups = groupsOfWork(db, aggregate.task, candidates(aggregate));
  return divideUndecided(aggregate, groups, now);
}

/**
 * For a reader; writes only after a decision of the clock. While the ledger is frozen, one that
 * moves money waits, and the task is read as it stands (choices ledger.freeze).
 */
export async function readSettled(hub: Hub, id: string): Promise<KnownTask> {
  const { known } = await readSettledWith(hub, id, { needs: [], read: () => undefined });
  return known;
}

/** Rows that are read in the snapshot of a task. */
interface Beside<T> {
  readonly needs: readonly Need[];
  read(db: Decider, known: KnownTask): T;
}

/** The same with more that is read in the snapshot of the task. */
export async function readSettledWith<T>(
  hub: Hub,
  id: string,
  { needs, read }: Beside<T>,
): Promise<{ readonly known: KnownTask; readonly more: T }> {
  const look = (): Promise<{ readonly known: KnownTask; readonly more: T }> =>
    hub.store.look({
      needs: [need(TASKS, id), ...needs],
      decide(db) {
        const known = knownTask(db, id);
        return { known, more: read(db, known) };
      },
    });
  const loaded = await look();
  const due = nextDue(loaded.known.aggregate);
  if (due === undefined || due.at > hub.clock.now()) return loaded;
  try {
    await settle(hub, id);
  } catch (error) {
    if (error instanceof LedgerFrozen) return loaded;
    throw error;
  }
  return look();
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
    await apart(hub, named, () => settle(hub, id));
  }
}

function settle(hub: Hub, id: string): Promise<KnownTask> {
  return hub.store.decide({
    needs: [need(TASKS, id)],
    decide: (db) => settledTask(db, hub, id),
  });
}
