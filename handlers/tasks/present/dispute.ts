import type { DisputeMoney } from '../../../db/tasks/disputes.ts';
import { iso } from '../../../domain/instant.ts';
import { rulings } from '../../../domain/task/next.ts';
import type { ArbiterDraw, Dispute, Task } from '../../../domain/task/model.ts';
import { payPlan } from '../../../domain/task/plan.ts';
import type { components } from '../../../generated/types.ts';
import { presentMoney } from './task.ts';
import { presentActions } from '../../../workflows/tasks/nextActions.ts';

type Schemas = components['schemas'];

/** A dispute as everybody may see it. */
export function presentDispute(
  task: Task,
  dispute: Dispute,
  money: DisputeMoney | undefined,
): Schemas['Dispute'] {
  const { raisedBy, reason, at, arbiter, until, voidAt, state, endedAt, resolution } = dispute;
  const { verdict, workerShareBps } = dispute;
  const attemptId = task.accepted?.attemptId ?? '';
  return {
    taskId: task.id,
    raisedBy,
    reason,
    at: iso(at),
    ...(arbiter !== undefined && { arbiter }),
    deadline: iso(until ?? voidAt),
    voidAt: iso(voidAt),
    state,
    disputed: disputed(task),
    draws: dispute.draws.map((draw, place) => presentDraw(draw, place + 1, attemptId)),
    ...(verdict !== undefined && { verdict }),
    ...(workerShareBps !== undefined && { workerShareBps }),
    ...(resolution !== undefined && { resolution }),
    ...(endedAt !== undefined && { ruledAt: iso(endedAt) }),
    ...(money !== undefined && { money: presentParts(money) }),
    next: presentActions(task.id, rulings({ dispute })),
  };
}

/** The frozen payout: what the worker side gets when the acceptance stands, loans included. */
function disputed(task: Task): Schemas['Money'] {
  const plan = payPlan(task);
  if (plan === undefined) throw new Error('a dispute is about a reward');
  return presentMoney({ ...plan.reward, amount: plan.split.worker });
}

function presentDraw(
  { arbiter, pulseSeq, seed, pool, drawnAt, until }: ArbiterDraw,
  round: number,
  attemptId: string,
): Schemas['Dispute']['draws'][number] {
  return {
    round,
    arbiter,
    attemptId,
    pulseSeq,
    seed,
    pool: pool.map(({ account, weight, group }) => ({ account, weight: `${weight}`, group })),
    drawnAt: iso(drawnAt),
    until: iso(until),
  };
}

function presentParts(money: DisputeMoney): NonNullable<Schemas['Dispute']['money']> {
  return {
    hub: `${money.hub}`,
    judges: `${money.judges}`,
    arbiter: `${money.arbiter}`,
    worker: `${money.worker}`,
    requester: `${money.requester}`,
    transferId: money.transferId,
  };
}
