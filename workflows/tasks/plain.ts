import { TASKS, putTask, type KnownTask } from '../../db/tasks/declared.ts';
import { BEFORE_WELCOME } from '../../db/tasks/workersDeclared.ts';
import type { Decider } from '../../db/declared/unit.ts';
import type { Instant } from '../../domain/instant.ts';
import { applyChange, type Change } from '../../domain/task/change.ts';
import { nextDue } from '../../domain/task/due.ts';
import { isStarter, isTrial, type TaskAggregate } from '../../domain/task/model.ts';
import type { Hub } from '../../server/hub/hub.ts';
import type { CommitCause, Committed } from './aggregate.ts';
import { taskWrite } from './commit.ts';
import { callEnded, settleChange, wake } from './effects.ts';
import { noteChange } from './noteChange.ts';
import { noSuchTask } from './refuse.ts';

/**
 * What is common in the life of a task is done by declared units: published, claimed, delivered,
 * accepted by its rule and paid. This ends one that met anything else: nothing of it is kept but its
 * nonce, and a free unit decides by the same rules (`commit.ts`).
 */
export class NotPlain extends Error {}

/** The declared unit, or the free one where it is not plain. */
export async function plainOr<T>(plain: () => Promise<T>, wide: () => Promise<T>): Promise<T> {
  try {
    return await plain();
  } catch (error) {
    if (error instanceof NotPlain) return wide();
    throw error;
  }
}

/** `lockSettled` for a declared unit that needs the task: the clock has decided nothing by now. */
export function plainTask(db: Decider, id: string, now: Instant): KnownTask {
  const known = db.find(TASKS, id) ?? noSuchTask();
  mustBePlain(known.aggregate, now);
  return known;
}

/** Also before the unit, so that what is rare for ever is asked for once. */
export function mustBePlain(aggregate: TaskAggregate, now: Instant): void {
  const { task } = aggregate;
  const isRare = task.chain !== undefined || task.state === 'disputed';
  const due = nextDue(aggregate);
  const isDue = due !== undefined && due.at <= now;
  if (isRare || isDue || isStarter(task) || isTrial(task)) throw new NotPlain();
}

interface PlainCause extends CommitCause {
  readonly before: KnownTask | undefined;
  readonly change: Change;
  /** How many tasks the worker may hold, of a claim. */
  readonly claimsMax?: number;
}

/** `commitChange` for a declared unit, whose task has no chain and no panel. */
export function commitPlain(
  db: Decider,
  hub: Hub,
  { actor, at, before, change, claimsMax }: PlainCause,
): Committed {
  const aggregate =
    before === undefined ? { task: change.task, live: [] } : applyChange(before.aggregate, change);
  mustBePlain(aggregate, at);
  const commit = { actor, at, before, change, aggregate };
  mustNotJoinLine(db, change);
  const settlement = settleChange(db, hub, commit);
  const written = taskWrite(commit, settlement, claimsMax);
  putTask(db, written);
  callEnded(db, hub, commit);
  wake(db, hub, commit);
  noteChange(db, commit);
  return { ...written.task, settlement };
}

/** The line of the welcome bonus is entered in free units. */
function mustNotJoinLine(db: Decider, { money }: Change): void {
  if (money?.step !== 'reserve' && money?.step !== 'release') return;
  if (db.find(BEFORE_WELCOME, money.attempt.worker) !== undefined) throw new NotPlain();
}
