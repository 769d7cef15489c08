import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { IDEMPOTENCY, keepOnce, knownOnce, readOnce } from '../../db/idempotency.ts';
import type { OnceKey, OnceOutcome } from '../../db/idempotency.ts';
import { isRefused } from '../../domain/tasks/change.ts';
import { claimed } from '../../domain/tasks/model.ts';
import type { Call } from '../kernel/call.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { refuseMismatch } from '../kernel/idempotencyMismatch.ts';
import { readsOfClaim, takeTask, type Taken } from './claim.ts';
import { settledTask } from './due.ts';
import type { Actor } from './worker.ts';

/** The stored part of a claim under its key: no token, which is in clear only while it is good. */
interface KeptClaim {
  readonly taskId: string;
  readonly attemptId: string;
}

/** A retry under a claim's key returns that claim with its lease renewed (choices tasks.queue). */
export class Repeated extends Error {
  readonly kept: KeptClaim;

  constructor(kept: KeptClaim) {
    super('the key was used by another call');
    this.kept = kept;
  }
}

type ClaimCall = Call<'tasks.claimNext'> | Call<'tasks.claim'>;

export function readsOfKey(key: OnceKey | undefined): readonly Need[] {
  return key === undefined ? [] : [need(IDEMPOTENCY, key)];
}

/** Keeps a task under the key of its claim; throws `Repeated` when the key was used. */
export function keepTaken<Missed extends string>(
  db: Decider,
  hub: Hub,
  key: OnceKey | undefined,
  take: () => Taken | Missed,
): Taken | Missed {
  const taken = key === undefined ? take() : takenOnce(db, hub, key, take);
  // A poll that missed has not acted: nothing of it is kept but its nonce.
  return typeof taken === 'string' ? db.leave(taken) : taken;
}

function takenOnce<Missed extends string>(
  db: Decider,
  hub: Hub,
  key: OnceKey,
  take: () => Taken | Missed,
): Taken | Missed {
  const known = knownOnce(db, key);
  if (known !== undefined) return repeat(known, key);
  const taken = take();
  if (typeof taken === 'string') return taken;
  const { task, attempt } = taken.claimed;
  const kept: KeptClaim = { taskId: task.id, attemptId: attempt.id };
  keepOnce(db, key, { result: kept, at: hub.clock.now() });
  return taken;
}

/** @throws Repeated when the key was used. */
export async function mustBeUnused(hub: Hub, key: OnceKey): Promise<void> {
  const known = await hub.store.readOne((db) => readOnce(db, key));
  if (known !== undefined) repeat(known, key);
}

function repeat(outcome: OnceOutcome<unknown>, { key }: OnceKey): never {
  if ('mismatch' in outcome) return refuseMismatch(key);
  throw new Repeated(outcome.result as KeptClaim);
}

/** The claim that was kept, its lease renewed. */
export function claimAgain(
  hub: Hub,
  call: ClaimCall,
  who: Actor,
  { taskId, attemptId }: KeptClaim,
): Promise<Taken> {
  return hub.transact(call, {
    needs: readsOfClaim(hub, who, { taskId }),
    decide(db) {
      const isMine = claimed(settledTask(db, hub, taskId).aggregate)?.id === attemptId;
      const outcome = isMine ? takeTask(db, hub, who, { taskId }, undefined).outcome : undefined;
      if (outcome !== undefined && !isRefused(outcome)) return outcome;
      return refuse('lease-over', {
        error: `The claim that this idempotency key took, ${attemptId} on the task ${taskId}, is over.`,
        hint: 'GET /api/v1/me/work says what it came to; send a new key for new work.',
        field: 'body.idempotencyKey',
      });
    },
  });
}
