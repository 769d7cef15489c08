import type { StoredChain } from '../../db/chains/chains.ts';
import { decideIn } from '../../db/declared/inside.ts';
import { need } from '../../db/declared/table.ts';
import { putTask, TASKS, type TaskWrite } from '../../db/tasks/declared.ts';
import { saveDispute, type DisputeMoney } from '../../db/tasks/disputes.ts';
import { savePitch } from '../../db/tasks/pitches.ts';
import type { Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import { atomic, ZERO, type Atomic } from '../../domain/money.ts';
import { applyChange, type Change } from '../../domain/task/change.ts';
import { closedUnpaid } from '../../domain/task/decide.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { applyEffects } from './effects.ts';
import { noteChange } from './noteChange.ts';
import type { SettlementResult } from './settle.ts';
import type { CommitCause, Committed, Loaded, TaskCommit } from './aggregate.ts';

/**
 * Commits a decision: the task's own tables here, everything else that follows from it in
 * `effects.ts`, all in the one transaction (choices tasks.transitions).
 */
export async function commitChange(
  tx: Writer,
  hub: Hub,
  before: Loaded | undefined,
  change: Change,
  cause: CommitCause,
): Promise<Committed> {
  const aggregate =
    before === undefined ? { task: change.task, live: [] } : applyChange(before.aggregate, change);
  const commit: TaskCommit = { ...cause, before, change, aggregate };
  const { settlement: moved, chain } = await applyEffects(tx, hub, commit, (settled) =>
    saveTask(tx, commit, settled),
  );
  noteChange(tx, commit);
  const events = (before?.events ?? 0) + change.events.length;
  const { holdId } = moved;
  const committed = { aggregate, ...(holdId && { holdId }), events, settlement: moved };
  if (chain === undefined) return committed;
  const { stored, opens } = chain;
  const next = { actor: 'hub', at: cause.at, holdId: stored.holdId } as const;
  if (opens !== undefined) await commitChange(tx, hub, undefined, opens, next);
  return closeUnwanted(tx, hub, { ...committed, chain: stored }, commit);
}

/** A step that comes back to a chain which was abandoned meanwhile ends as well. */
async function closeUnwanted(
  tx: Writer,
  hub: Hub,
  committed: Committed & { readonly chain: StoredChain },
  { before, at }: TaskCommit,
): Promise<Committed> {
  const { task } = committed.aggregate;
  const unwanted = committed.chain.chain.state === 'abandoned' && task.state === 'open';
  if (!unwanted || before?.aggregate.task.state === 'open') return committed;
  const over = closedUnpaid(task, 'withdrawn', { at, event: 'task.withdrawn' });
  return commitChange(tx, hub, committed, over, { actor: 'hub', at });
}

/** Writes the task's own tables: task, attempts, history; dispute and pitch. */
async function saveTask(tx: Writer, commit: TaskCommit, moved: SettlementResult): Promise<void> {
  const { change, aggregate } = commit;
  await decideIn(tx, {
    needs: [need(TASKS, aggregate.task.id)],
    decide: (db) => putTask(db, taskWrite(commit, moved)),
  });
  if (change.dispute !== undefined) await saveDispute(tx, change.dispute, splitOf(moved));
  if (change.pitch !== undefined) await savePitch(tx, change.pitch);
}

/** What a decision leaves in the task's own tables. */
export function taskWrite(
  { before, change, aggregate }: TaskCommit,
  { holdId, transferId }: SettlementResult,
  claimsMax?: number,
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
