import type { Decider } from '../../db/declared/unit.ts';
import {
  once,
  onceDeclared,
  readOnce,
  type OnceKey,
  type OnceOutcome,
} from '../../db/idempotency.ts';
import type { Writer } from '../../db/store.ts';
import { sha256Hex } from '../../domain/digest.ts';
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
import type { Actor } from './worker.ts';

/** What is kept of a claim under its key: no token, which is in clear only while it is good. */
interface KeptClaim {
  readonly taskId: string;
  readonly attemptId: string;
}

/**
 * A worker that lost the answer asks again under its key and is given the same claim, its lease
 * renewed (choices tasks.queue). An idle answer keeps nothing.
 */
export class Repeated extends Error {
  readonly kept: KeptClaim;

  constructor(kept: KeptClaim) {
    super('the key was used by another call');
    this.kept = kept;
  }
}

export function claimKey({
  caller,
  operation,
  request,
}: Call<'tasks.claimNext'>): OnceKey | undefined {
  const { idempotencyKey: key, ...said } = (request.wireBody ?? {}) as Record<string, unknown>;
  if (typeof key !== 'string') return undefined;
  return { account: caller.account, operation, key, digest: sha256Hex(canonical(said)) };
}

/** Keeps what is taken in the unit that takes it; throws `Repeated` when the key was used. */
export function keepDeclared(
  db: Decider,
  hub: Hub,
  key: OnceKey | undefined,
  take: () => Taken,
): Taken {
  if (key === undefined) return take();
  let taken: Taken | undefined;
  const outcome = onceDeclared(db, key, hub.clock.now(), () => keptOf((taken = take())));
  return taken ?? repeat(outcome, key);
}

/** The same in a free unit. */
export async function keep(
  tx: Writer,
  hub: Hub,
  key: OnceKey | undefined,
  take: () => Promise<Taken>,
): Promise<Taken> {
  if (key === undefined) return take();
  let taken: Taken | undefined;
  const outcome = await once(tx, key, hub.clock.now(), async () => {
    taken = await take();
    return keptOf(taken);
  });
  return taken ?? repeat(outcome, key);
}

/** Throws `Repeated` when the key was used. */
export async function mustBeUnused(hub: Hub, key: OnceKey): Promise<void> {
  const known = await hub.store.read((db) => readOnce(db, key));
  if (known !== undefined) repeat(known, key);
}

function keptOf({ claimed: { task, attempt } }: Taken): KeptClaim {
  return { taskId: task.id, attemptId: attempt.id };
}

function repeat(outcome: OnceOutcome<unknown>, { key }: OnceKey): never {
  if ('mismatch' in outcome) return refuseMismatch(key);
  throw new Repeated(outcome.result as KeptClaim);
}

/** The claim that was kept, its lease renewed. */
export function claimAgain(hub: Hub, who: Actor, { taskId, attemptId }: KeptClaim): Promise<Taken> {
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
