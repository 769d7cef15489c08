import { strict as assert } from 'node:assert';
import { CHAINS, type StoredChain } from '../../db/chains/chains.ts';
import { CHAIN_STEPS, STEPS_OF_CHAIN, type StoredStep } from '../../db/chains/steps.ts';
import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { TASKS } from '../../db/tasks/taskRow.ts';
import { RESULTS } from '../../db/tasks/taskTables.ts';
import type { Account } from '../../domain/account.ts';
import {
  completes,
  follow,
  karmaOfChain,
  opensNext,
  type ChainChange,
} from '../../domain/chains/follow.ts';
import { openStep } from '../../domain/chains/publish.ts';
import type { Instant } from '../../domain/instant.ts';
import type { KarmaCause } from '../../domain/karma.ts';
import { ZERO, type Atomic } from '../../domain/money.ts';
import { defined } from '../../domain/defined.ts';
import { paidBy, type Change } from '../../domain/tasks/change.ts';
import { acceptedAttempt, type TaskAggregate, type Task } from '../../domain/tasks/model.ts';
import type { Hub } from '../kernel/hub.ts';
import { mustMove } from '../wallet/transfer.ts';

/**
 * A chain follows its step's task, in the transaction of the decision: counts the spent part, opens
 * the next step, or returns what will not be earned (choices chains.steps).
 */
export function chainOf(db: Decider, { chain: step }: Task): StoredChain | undefined {
  if (step === undefined) return undefined;
  const stored = db.find(CHAINS, step.id);
  assert(stored !== undefined, 'a step has its chain');
  return stored;
}

export function readsOfStep({ id: chainId, step }: NonNullable<Task['chain']>): readonly Need[] {
  const steps = [step, step + 1].map((n) => need(CHAIN_STEPS, { chainId, n }));
  return [need(CHAINS, chainId), ...steps];
}

/** A step of a chain with its task, which is absent while the step waits. */
export interface StepTask extends StoredStep {
  readonly aggregate: TaskAggregate | undefined;
}

export function stepsOf(db: Decider, chainId: string): readonly StepTask[] {
  const steps = db.list(STEPS_OF_CHAIN, chainId);
  db.ask(steps.flatMap(({ taskId }) => (taskId === undefined ? [] : [need(TASKS, taskId)])));
  return steps.map((step) => {
    const known = step.taskId === undefined ? undefined : db.find(TASKS, step.taskId);
    return { ...step, aggregate: known?.aggregate };
  });
}

/** Whose work was accepted on the other steps of a task's chain. */
export function workersElsewhere(
  db: Decider,
  { id, chain }: Pick<Task, 'id' | 'chain'>,
): readonly { readonly worker: Account; readonly task: Task }[] {
  if (chain === undefined) return [];
  return stepsOf(db, chain.id).flatMap(({ aggregate, taskId }) => {
    const worker = aggregate && acceptedAttempt(aggregate)?.worker;
    const isOther = aggregate !== undefined && worker !== undefined && taskId !== id;
    return isOther ? [{ worker, task: aggregate.task }] : [];
  });
}

/** Standing that a decision earns each account that worked on the chain that it completes. */
export function karmaOfStep(
  db: Decider,
  was: Task,
  aggregate: TaskAggregate,
): readonly KarmaCause[] {
  const chain = chainOf(db, was)?.chain;
  const { task } = aggregate;
  if (chain === undefined || !completes(chain, was, task)) return [];
  const earlier = workersElsewhere(db, task)
    .filter((other) => other.task.state !== 'refunded')
    .map(({ worker }) => worker);
  const worker = task.state === 'refunded' ? undefined : acceptedAttempt(aggregate)?.worker;
  return karmaOfChain(chain, worker === undefined ? earlier : [...earlier, worker]);
}

export interface Turn {
  readonly was: Task;
  readonly is: Task;
  readonly change: Change;
  /** The amount that the decision returned to the requester. */
  readonly back?: Atomic;
}

/** The chain after a decision about its task, and the task of the step that it opens. */
export interface Followed {
  readonly stored: StoredChain;
  readonly opens?: Change;
}

export function followStep(
  db: Decider,
  hub: Hub,
  stored: StoredChain,
  { was, is, change, back = ZERO }: Turn,
  at: Instant,
): Followed {
  const { chain } = stored;
  const turn = { was, is, back };
  const deal = opensNext(chain, was, is) ? stepOf(db, chain.id, chain.step + 1).deal : undefined;
  const next = follow(chain, { ...turn, ...(deal && { following: deal.reward }) }, at);
  if (next === undefined) return { stored };
  const saved = saveChain(db, hub, stored, next, { actor: 'hub', at });
  if (!next.opens || deal === undefined) return { stored: saved };
  const [paid] = chain.sameWorker ? paidBy(change.money) : [];
  const step = {
    taskId: db.newId(hub.ids),
    previous: acceptedResult(db, change, is),
    ...defined({ worker: paid?.worker }),
  };
  return { stored: saved, opens: openStep(saved.chain, deal, step, at) };
}

export function stepOf(db: Decider, chainId: string, n: number): StoredStep {
  const step = db.find(CHAIN_STEPS, { chainId, n });
  assert(step !== undefined, `chain ${chainId} has step ${n}`);
  return step;
}

/** A result that was delivered in this very call, or earlier. */
function acceptedResult(
  db: Decider,
  { attempts }: Change,
  { id: taskId, accepted }: Task,
): { readonly value: unknown } {
  assert(accepted !== undefined, 'the step before was accepted');
  const { attemptId } = accepted;
  const delivered = attempts.find(({ id }) => id === attemptId)?.result;
  if (delivered !== undefined) return delivered;
  const kept = db.find(RESULTS, { taskId, attemptId });
  assert(kept !== undefined && 'result' in kept, 'what was accepted was delivered');
  return { value: kept.result };
}

/** The turn of a step has come. */
export function noteStep(db: Decider, { id: taskId, chain }: Task): void {
  if (chain === undefined) return;
  const key = { chainId: chain.id, n: chain.step };
  db.put(CHAIN_STEPS, key, { ...stepOf(db, chain.id, chain.step), taskId });
}

/** Writes where a chain stands, and frees at once what no step can earn any more. */
export function saveChain(
  db: Decider,
  hub: Hub,
  { holdId }: StoredChain,
  { chain, refund }: Pick<ChainChange, 'chain' | 'refund'>,
  { actor, at }: { readonly actor: Account | 'hub'; readonly at: Instant },
): StoredChain {
  if (refund !== undefined) {
    mustMove(db, hub, {
      network: chain.network,
      event: 'chain.abandoned',
      ref: { kind: 'chain', id: chain.id },
      actor,
      at,
      steps: [{ verb: 'release', commitment: holdId, amount: refund, reason: 'chain.refund' }],
    });
  }
  const stored = { chain, holdId };
  db.put(CHAINS, chain.id, stored);
  return stored;
}
