import { announcedBy } from '../../db/tasks/attempts.ts';
import { lockWorker } from '../../db/tasks/links.ts';
import type { Writer } from '../../db/store.ts';
import { iso } from '../../domain/instant.ts';
import { claim as decide } from '../../domain/task/claim.ts';
import type { Claimed } from '../../domain/task/claim.ts';
import type { Refused } from '../../domain/task/change.ts';
import { isRefused } from '../../domain/task/change.ts';
import { promise } from '../../domain/task/plan.ts';
import { attemptsLeft } from '../../domain/task/worker.ts';
import type { Worker } from '../../domain/task/worker.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/handler.ts';
import type { Hub } from '../../server/hub.ts';
import { commitChange } from './_commit.ts';
import type { Loaded } from './_commit.ts';
import { lockSettled } from './_due.ts';
import { presentRule, presentTask, taskPath } from './_present.ts';
import { granted } from './_refuse.ts';
import { actor, mustReachPayee, workerOn } from './_worker.ts';
import type { Actor } from './_worker.ts';

type Schemas = components['schemas'];

export const TOKEN_BYTES = 32;

/** Transitions T2 and T3: takes the task, or renews the lease of the one that you hold. */
export const claim: Handler<'tasks.claim'> = async (call, hub) => {
  const who = actor(call.caller, call.body);
  const body = await hub.store.write(async (tx) => {
    await mustReachPayee(hub, tx, who);
    const loaded = await lockSettled(tx, hub, call.path.id);
    const outcome = await takeTask(tx, hub, loaded, who, call.body.skills);
    return granted(outcome, { play: loaded.play, now: hub.clock.now() });
  });
  return { status: 200, body };
};

/** Claims a locked task for a worker; a refusal is a value, so that the queue can look further. */
export async function takeTask(
  tx: Writer,
  hub: Hub,
  loaded: Loaded,
  who: Actor,
  skills: readonly string[] | undefined,
): Promise<Schemas['Claim'] | Refused> {
  const now = hub.clock.now();
  const { task } = loaded.play;
  await lockWorker(tx, who.account);
  const worker = await workerOn(tx, who, task);
  const announced = await announcedBy(tx, who.account, task.id);
  const decision = decide(
    loaded.play,
    {
      worker,
      ...(skills !== undefined && { skills }),
      attemptId: hub.ids.uuid(),
      claimToken: Buffer.from(hub.random(TOKEN_BYTES)).toString('base64url'),
      ...(announced !== undefined && { announced }),
    },
    now,
  );
  if (isRefused(decision)) return decision;
  const { play } = await commitChange(tx, hub, loaded, decision, { actor: who.account, at: now });
  return {
    work: presentTask(play, now),
    attemptId: decision.attempt.id,
    claimToken: decision.attempt.claimToken ?? '',
    deliver: deliverBlock(decision, worker),
    repeated: decision.renewed,
  };
}

/** The exact call that pays (choices tasks.leases). */
export function deliverBlock(claimed: Claimed, worker: Worker): Schemas['Deliver'] {
  const { task, attempt, renewed } = claimed;
  const plan = promise(task);
  const left = attemptsLeft(task, worker.history) - (renewed ? 0 : 1);
  return {
    method: 'POST',
    path: taskPath(task.id, 'submit'),
    body: { claimToken: attempt.claimToken ?? '', result: '<your result>' },
    ...(task.acceptance !== undefined && { accepts: presentRule(task.acceptance) }),
    leaseEndsAt: iso(attempt.leaseEndsAt ?? task.deadline),
    attemptsLeft: Math.max(0, left),
    ...(plan !== undefined && {
      pays: {
        worker: `${plan.split.worker}`,
        hub: `${plan.split.hub}`,
        judges: `${plan.split.judges.reduce((sum, share) => sum + share, 0n)}`,
        asset: plan.reward.asset,
        network: plan.reward.network,
        disputeWindowSeconds: task.windows.disputeWindowSeconds,
      },
    }),
  };
}
