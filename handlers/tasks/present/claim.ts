import { restsOnRequester } from '../../../domain/tasks/claim.ts';
import { renewableUntil } from '../../../domain/tasks/lease.ts';
import { promise } from '../../../domain/tasks/plan.ts';
import { attemptsLeft } from '../../../domain/tasks/worker.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import type { Taken } from '../../../workflows/tasks/claim.ts';
import { presentNextFor, taskPath } from '../../../workflows/tasks/nextActions.ts';
import { ignoredLately } from '../../../workflows/tasks/ignored.ts';
import { UNTRUSTED_TEXTS } from '../../untrusted.ts';
import { presentRecord, presentRule, presentTask } from './task.ts';

export function presentClaim(hub: Hub, taken: Taken) {
  const { aggregate, claimed, at, worker } = taken;
  return {
    work: presentTask(aggregate, at, presentNextFor(hub, aggregate, worker.account)),
    attemptId: claimed.attempt.id,
    claimToken: claimed.attempt.claimToken ?? '',
    deliver: presentDeliver(taken),
    repeated: claimed.renewed,
  } satisfies Schemas['Claim'];
}

/** The claim with how its requester treated those who worked for it before. */
export async function answerClaim(hub: Hub, taken: Taken) {
  const { record, aggregate } = taken;
  const { task } = aggregate;
  const ignored = restsOnRequester(task)
    ? await hub.store.read((db) => ignoredLately(db, [task], taken.at))
    : undefined;
  const count = ignored?.get(task.requester) ?? 0;
  return {
    ...presentClaim(hub, taken),
    ...(record !== undefined && { requesterRecord: presentRecord(record) }),
    ...(count > 0 && { warning: ignoredWarning(count) }),
    ...UNTRUSTED_TEXTS,
  } satisfies Schemas['Claim'];
}

function ignoredWarning(count: number): string {
  const results = count === 1 ? '1 delivered result' : `${count} delivered results`;
  return `In the last 30 days its requester left ${results} undecided, and without its decision this task does not pay. Work of others was offered first.`;
}

/** The exact call that pays (choices tasks.leases). */
function presentDeliver({
  claimed,
  worker,
  owed,
}: Pick<Taken, 'claimed' | 'worker' | 'owed'>): Schemas['DeliveryInstructions'] {
  const { task, attempt, renewed } = claimed;
  const plan = promise(task, owed);
  const left = attemptsLeft(task, worker.history) - (renewed ? 0 : 1);
  return {
    method: 'POST',
    path: taskPath(task.id, 'submit'),
    body: { claimToken: attempt.claimToken ?? '', result: '<your result>' },
    ...(task.acceptance !== undefined && { accepts: presentRule(task.acceptance) }),
    leaseEndsAt: attempt.leaseEndsAt ?? task.deadline,
    renewableUntil: renewableUntil(task, attempt),
    attemptsLeft: Math.max(0, left),
    ...(plan !== undefined && {
      pays: {
        worker: plan.split.worker,
        hub: plan.split.hub,
        judges: plan.split.judges.reduce((sum, share) => sum + share, 0n),
        loan: plan.split.loan.principal + plan.split.loan.origination,
        asset: plan.reward.asset,
        network: plan.reward.network,
        disputeWindowSeconds: task.windows.disputeWindowSeconds,
      },
    }),
  };
}
