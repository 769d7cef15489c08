import { once, readOnce, type OnceKey } from '../../db/idempotency.ts';
import { sha256Hex } from '../../domain/digest.ts';
import type { Instant } from '../../domain/instant.ts';
import { canonical } from '../../domain/json.ts';
import { isRefused } from '../../domain/task/change.ts';
import { claimed } from '../../domain/task/model.ts';
import type { Call } from '../../server/hub/call.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { refuseMismatch } from '../../server/hub/idempotencyMismatch.ts';
import { settleSigner } from '../../server/hub/keyMoved.ts';
import { takeTask, type Taken } from './claim.ts';
import { lockSettled } from './due.ts';
import { NotTaken, waitForWork, type ClaimFilter } from './offers.ts';
import type { Actor } from './worker.ts';

/** What is kept of a claim under its key: no token, which is in clear only while it is good. */
interface KeptClaim {
  readonly taskId: string;
  readonly attemptId: string;
}

/**
 * Claims from the queue once per key: a worker that lost the answer asks again and is given the same
 * claim, its lease renewed (choices tasks.queue). An idle answer keeps nothing.
 */
export async function claimOnce(
  hub: Hub,
  call: Call<'tasks.claimNext'>,
  filter: ClaimFilter,
  until: Instant,
): Promise<Taken | undefined> {
  const { gone } = call.request;
  const scope = scopeOf(call);
  if (scope === undefined) return waitForWork(hub, filter, until, gone);
  const known = await hub.store.read((db) => readOnce(db, scope));
  if (known !== undefined) return again(hub, filter.who, keptOf(known, scope));
  const keep: ClaimFilter['keep'] = async (tx, take) => {
    let taken: Taken | undefined;
    const outcome = await once(tx, scope, hub.clock.now(), async () => {
      taken = await take();
      if (taken === undefined) throw new NotTaken();
      const { task, attempt } = taken.claimed;
      return { taskId: task.id, attemptId: attempt.id };
    });
    if (taken === undefined) throw new Repeated(keptOf(outcome, scope));
    return taken;
  };
  try {
    return await waitForWork(hub, { ...filter, keep }, until, gone);
  } catch (error) {
    if (error instanceof Repeated) return again(hub, filter.who, error.kept);
    throw error;
  }
}

/** A twin of this call was quicker. */
class Repeated extends Error {
  readonly kept: KeptClaim;

  constructor(kept: KeptClaim) {
    super('the key was used by another call');
    this.kept = kept;
  }
}

function scopeOf({ caller, operation, request }: Call<'tasks.claimNext'>): OnceKey | undefined {
  const { idempotencyKey: key, ...said } = (request.wireBody ?? {}) as Record<string, unknown>;
  if (typeof key !== 'string') return undefined;
  return { account: caller.account, operation, key, digest: sha256Hex(canonical(said)) };
}

function keptOf(outcome: Awaited<ReturnType<typeof readOnce>>, { key }: OnceKey): KeptClaim {
  if (outcome === undefined || 'mismatch' in outcome) return refuseMismatch(key);
  return outcome.result as KeptClaim;
}

function again(hub: Hub, who: Actor, { taskId, attemptId }: KeptClaim): Promise<Taken> {
  return hub.store.write(async (tx) => {
    const loaded = await lockSettled(tx, hub, taskId);
    const isMine = claimed(loaded.aggregate)?.id === attemptId;
    const taken = isMine ? await takeTask(tx, hub, loaded, who, undefined) : undefined;
    if (taken === undefined || isRefused(taken)) {
      return refuse('lease-over', {
        error: `The claim that this idempotencyKey took, ${attemptId} on the task ${taskId}, is over.`,
        hint: 'GET /api/v1/me/work says what it came to; send a new idempotencyKey for new work.',
        field: 'body.idempotencyKey',
      });
    }
    await settleSigner(hub.callers, tx, who);
    return taken;
  });
}
