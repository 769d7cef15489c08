import { TASKS, putTask, type KnownTask } from '../../db/tasks/declared.ts';
import type { Decider } from '../../db/declared/unit.ts';
import type { Instant } from '../../domain/instant.ts';
import { applyChange, type Change } from '../../domain/task/change.ts';
import { settleDue } from '../../domain/task/due.ts';
import type { TaskAggregate } from '../../domain/task/model.ts';
import type { Hub } from '../../server/hub/hub.ts';
import type { CommitCause, Committed } from './aggregate.ts';
import { taskWrite } from './commit.ts';
import { callEnded, settleChange, wake } from './effects.ts';
import { noteChange } from './noteChange.ts';
import { DUE_PER_TASK_MAX } from './due.ts';
import { noSuchTask } from './refuse.ts';
import { noteWelcome } from './welcome.ts';

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

/** The task with everything due by now applied, as `lockSettled` has it. */
export function plainTask(db: Decider, hub: Hub, id: string, now: Instant): KnownTask {
  return settlePlain(db, hub, db.find(TASKS, id) ?? noSuchTask(), now);
}

/**
 * The task, when the clock has decided nothing about it: what a worker did on a task is counted by
 * the database, which does not see what this transaction ends.
 */
export function undueTask(db: Decider, id: string, now: Instant): KnownTask {
  const known = db.find(TASKS, id) ?? noSuchTask();
  mustBePlain(known.aggregate);
  if (settleDue(known.aggregate, now) !== undefined) throw new NotPlain();
  return known;
}

/** Also before the unit, so that what is rare for ever is asked for once. */
export function mustBePlain({ task }: TaskAggregate): void {
  const isPanels = task.verification === 'validator' && task.state !== 'open';
  if (task.chain !== undefined || task.state === 'disputed' || isPanels) throw new NotPlain();
}

/** Applies what the clock has decided by now, earliest first. */
function settlePlain<T extends KnownTask>(
  db: Decider,
  hub: Hub,
  known: T,
  now: Instant,
): T | Committed {
  let here: T | Committed = known;
  for (let count = 0; count < DUE_PER_TASK_MAX; count += 1) {
    mustBePlain(here.aggregate);
    const change = settleDue(here.aggregate, now);
    if (change === undefined) return here;
    here = commitOne(db, hub, { actor: 'hub', at: now, before: here, change });
  }
  throw new Error(`task ${here.aggregate.task.id} never settles`);
}

interface PlainCause extends CommitCause {
  readonly before: KnownTask | undefined;
  readonly change: Change;
  /** How many tasks the worker may hold, of a claim. */
  readonly claimsMax?: number;
}

/** `commitChange` for a declared unit, whose task has no chain and no panel. */
export function commitPlain(db: Decider, hub: Hub, cause: PlainCause): Committed {
  return settlePlain(db, hub, commitOne(db, hub, cause), cause.at);
}

function commitOne(
  db: Decider,
  hub: Hub,
  { actor, at, before, change, claimsMax }: PlainCause,
): Committed {
  const aggregate =
    before === undefined ? { task: change.task, live: [] } : applyChange(before.aggregate, change);
  mustBePlain(aggregate);
  const commit = { actor, at, before, change, aggregate };
  const settlement = settleChange(db, hub, commit);
  const written = taskWrite(commit, settlement, claimsMax);
  putTask(db, written);
  callEnded(db, hub, commit);
  noteWelcome(db, hub, change, at);
  wake(db, hub, commit);
  noteChange(db, commit);
  return { ...written.task, settlement };
}
