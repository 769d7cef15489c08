import { decideIn } from '../../db/batch/inside.ts';
import { needNew } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import type { Writer } from '../../db/store.ts';
import { AMENDMENTS } from '../../db/tasks/amendments.ts';
import { TASKS, type KnownTask } from '../../db/tasks/taskRow.ts';
import { putTask, type TaskWrite } from '../../db/tasks/taskTables.ts';
import { DISPUTES, type DisputeMoney } from '../../db/tasks/disputes.ts';
import { PITCH_NAMED, PITCHES } from '../../db/tasks/pitches.ts';
import { defined } from '../../domain/defined.ts';
import { atomic, ZERO, type Atomic } from '../../domain/money.ts';
import { applyChange, type Change, type PitchStep } from '../../domain/tasks/change.ts';
import { closedUnpaid } from '../../domain/tasks/decide.ts';
import type { Hub } from '../kernel/hub.ts';
import { chainOf, followStep, karmaOfStep, noteStep } from '../chains/follow.ts';
import { followPanels } from '../validators/cases.ts';
import type { CommitCause, Committed, TaskCommit } from './aggregate.ts';
import { callEnded, readsOfChange, settleChange, wake } from './effects.ts';
import { noteFigures } from './figures.ts';
import { noteChange } from './noteChange.ts';
import type { SettlementResult } from './settle.ts';
import { noteWelcome } from './welcome.ts';

/**
 * Commits a decision with everything that follows from it: standing, money, the task's own tables,
 * panels, loans, the welcome line and the chain (choices tasks.transitions).
 */
export function commitChange(
  db: Decider,
  hub: Hub,
  before: KnownTask | undefined,
  change: Change,
  cause: CommitCause,
): Committed {
  const aggregate =
    before === undefined ? { task: change.task, live: [] } : applyChange(before.aggregate, change);
  const holdId = cause.holdId ?? before?.holdId;
  const commit: TaskCommit = { ...cause, ...defined({ holdId }), before, change, aggregate };
  // The same windows of time in each run, so that what is asked for once is there.
  db.ask(readsOfChange(hub, { ...commit, at: db.startedAt(hub.clock) }));
  const ofChain = before === undefined ? [] : karmaOfStep(db, before.aggregate.task, aggregate);
  const settlement = settleChange(db, hub, commit, ofChain);
  const written = taskWrite(commit, settlement);
  putTask(db, written);
  if (change.dispute !== undefined) {
    const money = splitOf(settlement);
    db.put(DISPUTES, change.task.id, { dispute: change.dispute, ...defined({ money }) });
  }
  if (change.amendment !== undefined) db.put(AMENDMENTS, change.amendment.id, change.amendment);
  if (change.pitch !== undefined) putPitch(db, change.task.id, change.pitch);
  followPanels(db, hub, change, cause.at);
  callEnded(db, hub, commit);
  noteWelcome(db, hub, change, cause.at);
  noteFigures(db, commit);
  wake(db, hub, commit);
  noteChange(db, commit);
  return followChain(db, hub, commit, { ...written.task, settlement });
}

/** Publishes a task inside a transaction that is written statement by statement. */
export function publishInside(
  tx: Writer,
  hub: Hub,
  change: Change,
  cause: CommitCause,
): Promise<Committed> {
  return decideIn(tx, {
    needs: [needNew(TASKS, change.task.id)],
    decide: (db) => commitChange(db, hub, undefined, change, cause),
  });
}

function taskWrite(
  { before, change, aggregate, claimsMax }: TaskCommit,
  { holdId, transferId }: SettlementResult,
): TaskWrite {
  const known = before?.events ?? 0;
  const events = change.events.map((event, place) => ({ seq: known + place + 1, ...event }));
  const last = events.pop();
  return {
    task: { aggregate, ...defined({ holdId }), events: known + change.events.length },
    attempts: change.attempts.map((attempt) => ({ attempt, ...defined({ claimsMax }) })),
    // The last event is the one that money moved for.
    events: last === undefined ? [] : [...events, { ...last, ...defined({ transferId }) }],
  };
}

function putPitch(db: Decider, taskId: string, step: PitchStep): void {
  if ('offered' in step) {
    const { offered } = step;
    db.put(PITCHES, offered, offered);
    return;
  }
  if ('passed' in step) return;
  for (const pitch of db.list(PITCH_NAMED, { taskId, id: step.lapsedId })) {
    if (pitch.id === step.lapsedId) db.put(PITCHES, pitch, { ...pitch, lapsed: true });
  }
}

/** Where a disputed reward went; nothing while it is frozen. */
function splitOf({ split, transferId, ...moved }: SettlementResult): DisputeMoney | undefined {
  if (split === undefined || transferId === undefined) return undefined;
  const { hub, judges, loan, worker } = split;
  const sum = (parts: readonly bigint[]): Atomic =>
    atomic(parts.reduce((total, part) => total + part, 0n));
  return {
    hub,
    judges: sum(judges),
    arbiter: moved.arbiter ?? ZERO,
    worker: sum([loan.principal, loan.origination, worker]),
    requester: moved.refunded ?? ZERO,
    transferId,
  };
}

/**
 * Takes the chain on: what was spent is counted, its next step opens or what is left goes back. A
 * step that comes back to a chain which was abandoned meanwhile ends as well.
 */
function followChain(
  db: Decider,
  hub: Hub,
  { before, change, at }: TaskCommit,
  committed: Committed,
): Committed {
  const { task } = committed.aggregate;
  const chain = chainOf(db, task);
  if (chain === undefined) return committed;
  if (before === undefined) {
    noteStep(db, task);
    return committed;
  }
  const was = before.aggregate.task;
  const turn = { was, is: task, change, ...defined({ back: committed.settlement.refunded }) };
  const { stored, opens } = followStep(db, hub, chain, turn, at);
  if (opens !== undefined) {
    commitChange(db, hub, undefined, opens, { actor: 'hub', at, holdId: stored.holdId });
  }
  const isUnwanted = stored.chain.state === 'abandoned' && task.state === 'open';
  if (!isUnwanted || was.state === 'open') return committed;
  const over = closedUnpaid(task, 'withdrawn', { at, event: 'task.withdrawn' });
  return commitChange(db, hub, committed, over, { actor: 'hub', at });
}
