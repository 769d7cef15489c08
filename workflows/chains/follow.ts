import { strict as assert } from 'node:assert';
import {
  beginStep,
  lockChain,
  stepOf,
  updateChain,
  type StoredChain,
} from '../../db/chains/chains.ts';
import { workersOfChain } from '../../db/chains/workers.ts';
import { resultOf } from '../../db/tasks/attempts.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import {
  completes,
  follow,
  isAccepted,
  karmaOfChain,
  type ChainChange,
} from '../../domain/chain/follow.ts';
import { openStep } from '../../domain/chain/publish.ts';
import type { Instant } from '../../domain/instant.ts';
import type { KarmaCause } from '../../domain/karma.ts';
import { ZERO, type Atomic } from '../../domain/money.ts';
import type { Change } from '../../domain/task/change.ts';
import { acceptedAttempt, type TaskAggregate, type Task } from '../../domain/task/model.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { mustTransfer } from '../wallet/transfer.ts';

/**
 * A chain follows the task of its step, in the transaction that decides about the task: what was
 * spent is counted, the next step opens, or what will not be earned goes back (choices
 * chains.steps).
 */
export async function chainOf(tx: Writer, task: Task): Promise<StoredChain | undefined> {
  if (task.chain === undefined) return undefined;
  const stored = await lockChain(tx, task.chain.id);
  assert(stored !== undefined, 'a step has its chain');
  return stored;
}

/** Standing that a decision earns everybody who worked on the chain that it completes. */
export async function karmaOfStep(
  db: Reader,
  { chain }: StoredChain,
  was: Task,
  aggregate: TaskAggregate,
): Promise<readonly KarmaCause[]> {
  if (!completes(chain, was, aggregate.task)) return [];
  const earlier = await workersOfChain(db, chain.id, aggregate.task.id);
  const worker =
    aggregate.task.state === 'refunded' ? undefined : acceptedAttempt(aggregate)?.worker;
  return karmaOfChain(chain, worker === undefined ? earlier : [...earlier, worker]);
}

export interface Turn {
  readonly was: Task;
  readonly is: Task;
  readonly change: Change;
  /** What the decision gave back to the requester. */
  readonly back?: Atomic;
}

/** The chain after a decision about its task, and the task of the step that it opens. */
export interface Followed {
  readonly stored: StoredChain;
  readonly opens?: Change;
}

export async function followStep(
  tx: Writer,
  hub: Hub,
  stored: StoredChain,
  { was, is, change, back = ZERO }: Turn,
  at: Instant,
): Promise<Followed> {
  const { chain } = stored;
  const turn = { was, is, back };
  const more = isAccepted(turn) && chain.step < chain.steps;
  const deal = more ? await stepOf(tx, chain.id, chain.step + 1) : undefined;
  const next = follow(chain, { ...turn, ...(deal && { following: deal.reward }) }, at);
  if (next === undefined) return { stored };
  const saved = await saveChain(tx, hub, stored, next, { actor: 'hub', at });
  if (!next.opens || deal === undefined) return { stored: saved };
  const previous = await acceptedResult(tx, change, is);
  const step = { taskId: hub.ids.uuid(), previous };
  return { stored: saved, opens: openStep(saved.chain, deal, step, at) };
}

/** A result that was delivered in this very call, or earlier. */
async function acceptedResult(
  db: Reader,
  { attempts }: Change,
  { accepted }: Task,
): Promise<{ readonly value: unknown }> {
  assert(accepted !== undefined, 'the step before was accepted');
  const delivered = attempts.find(({ id }) => id === accepted.attemptId)?.result;
  const result = delivered ?? (await resultOf(db, accepted.attemptId));
  assert(result !== undefined, 'what was accepted was delivered');
  return result;
}

/** The turn of a step has come. */
export async function noteStep(tx: Writer, task: Task): Promise<void> {
  if (task.chain !== undefined) await beginStep(tx, task.chain.id, task.chain.step, task.id);
}

/** Writes where a chain stands, and frees at once what no step can earn any more. */
export async function saveChain(
  tx: Writer,
  hub: Hub,
  { holdId }: StoredChain,
  { chain, refund }: Pick<ChainChange, 'chain' | 'refund'>,
  { actor, at }: { readonly actor: Account | 'hub'; readonly at: Instant },
): Promise<StoredChain> {
  if (refund !== undefined) {
    await mustTransfer(tx, hub, {
      network: chain.network,
      event: 'chain.abandoned',
      ref: { kind: 'chain', id: chain.id },
      actor,
      at,
      steps: [{ verb: 'release', commitment: holdId, amount: refund, reason: 'chain.refund' }],
    });
  }
  await updateChain(tx, chain);
  return { chain, holdId };
}
