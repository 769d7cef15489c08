import type { Account } from '../../../domain/account.ts';
import type { DisputeMoney } from '../../../db/tasks/disputes.ts';
import { rulings } from '../../../domain/tasks/next.ts';
import { shorten } from '../../../domain/text.ts';
import type { ArbiterDraw, Dispute, Task } from '../../../domain/tasks/model.ts';
import { payPlan } from '../../../domain/tasks/plan.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import { presentMoney } from './task.ts';
import { ofReader, presentActions } from '../../../workflows/tasks/nextActions.ts';
import { UNTRUSTED_TEXTS } from '../../untrusted.ts';

export function presentDispute(
  task: Task,
  dispute: Dispute,
  money: DisputeMoney | undefined,
  reader?: Account,
): Schemas['Dispute'] {
  const { raisedBy, reason, at, arbiter, until, voidAt, state, endedAt, resolution } = dispute;
  const { verdict, workerShareBps, settledBy } = dispute;
  const attemptId = task.accepted?.attemptId ?? '';
  return {
    taskId: task.id,
    raisedBy,
    reason,
    at,
    arbiter,
    deadline: until ?? voidAt,
    voidAt,
    state: isSearching(dispute) ? 'searching' : state,
    ...(isSearching(dispute) && waiting(task, dispute)),
    disputed: disputed(task),
    draws: dispute.draws.map((draw, place) => presentDraw(draw, place + 1, attemptId)),
    settledBy,
    verdict,
    workerShareBps,
    resolution,
    ruledAt: endedAt,
    ...(money !== undefined && { money: presentParts(money) }),
    next: presentActions(task.id, ofReader(rulings({ dispute }), reader)),
    ...UNTRUSTED_TEXTS,
  };
}

function isSearching({ state, arbiter }: Dispute): boolean {
  return state === 'drawn' && arbiter === undefined;
}

/** Returns why no arbiter decides yet, and when the next draw is (choices disputes.arbiter). */
function waiting(
  { reward, requiredSkills }: Task,
  { drawAt, voidAt }: Dispute,
): Pick<Schemas['Dispute'], 'why' | 'nextDrawAt'> {
  if (reward === undefined) throw new Error('a dispute is about a reward');
  const skills = requiredSkills.length === 0 ? '' : ` with ${requiredSkills.join(', ')}`;
  return {
    why: shorten(
      `No validator seated on ${reward.network}${skills}, who is no party and did not judge this work, may decide about ${reward.amount}: a seat's stake is its ceiling. Without one the outcome before the dispute stands.`,
      WHY_MAX,
    ),
    nextDrawAt: drawAt ?? voidAt,
  };
}
const WHY_MAX = 400;

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
    drawnAt,
    until,
  };
}

function presentParts(money: DisputeMoney): NonNullable<Schemas['Dispute']['money']> {
  return {
    hub: money.hub,
    judges: money.judges,
    arbiter: money.arbiter,
    worker: money.worker,
    requester: money.requester,
    transferId: money.transferId,
  };
}
