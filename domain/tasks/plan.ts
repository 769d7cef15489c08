import type { Account } from '../account.ts';
import { atomic, bps, type Atomic, type Bps } from '../money.ts';
import {
  divisible,
  endUnpaid,
  NO_LOAN,
  settle,
  settleDispute,
  settleParted,
} from '../settlement.ts';
import type { DisputeSettlement, LoanDue, Ruling, Settlement, UnpaidEnd } from '../settlement.ts';
import type { Reward, Task } from './model.ts';

/**
 * How a reward is shared. Invariant: one function answers for the plan that economics shows, a
 * claim's promise and the release, so they never differ (choices tasks.settlement).
 */
export interface PayPlan {
  readonly reward: Reward;
  readonly judges: readonly Account[];
  readonly split: Settlement;
}

/** The split if the task were accepted now; undefined on unpaid work. */
export function payPlan(task: Task, loan: LoanDue = NO_LOAN): PayPlan | undefined {
  const { reward, fees, judges } = task;
  if (reward === undefined) return undefined;
  const terms = { reward: reward.amount, ...fees, judges: judges.length, loan };
  return { reward, judges, split: settle(terms) };
}

export function partPlan({ fees }: Pick<Task, 'fees'>, part: Atomic, loan: LoanDue = NO_LOAN) {
  return settle({ reward: part, hubBps: fees.hubBps, judgesBps: bps(0), judges: 0, loan });
}

/** The split that the parties agreed on; `part` is of the worker's side before fees. */
export function partedPlan(task: Task, loan: LoanDue, part: Atomic) {
  const { reward, fees, judges } = task;
  if (reward === undefined) return undefined;
  const terms = { reward: reward.amount, ...fees, judges: judges.length, loan };
  return { reward, judges, split: settleParted(terms, part) };
}

/** Returns the amount that the parties can divide; undefined on unpaid work. */
export function divisibleOf({ reward, fees, judges }: Task): Atomic | undefined {
  return reward && divisible({ reward: reward.amount, ...fees, judges: judges.length });
}

export interface RulingPlan extends PayPlan {
  readonly split: DisputeSettlement;
}

export function rulingPlan(task: Task, loan: LoanDue, ruling: Ruling): RulingPlan | undefined {
  const { reward, fees, judges } = task;
  if (reward === undefined) return undefined;
  const terms = { reward: reward.amount, ...fees, judges: judges.length, loan };
  return { reward, judges, split: settleDispute(terms, ruling) };
}

/** The payout that a claim promises, without the share of a panel that may yet be paid. */
export function promise(task: Task, loan: LoanDue = NO_LOAN): PayPlan | undefined {
  const panel = task.verification === 'validator' && task.judges.length === 0;
  const plan = payPlan(task, loan);
  if (plan === undefined || !panel) return plan;
  const terms = { reward: plan.reward.amount, ...task.fees, judges: 1, loan };
  return { ...plan, split: settle(terms) };
}

/**
 * Returns the part of the reward that judges have already earned, however the rest is split;
 * undefined while no round was decided (choices validators.pay).
 */
export function earmarked(
  task: Task,
): { readonly judges: Atomic; readonly ifRefunded: Atomic } | undefined {
  const plan = refundPlan(task);
  const judges = atomic(plan?.end.judges.reduce((sum, share) => sum + share, 0n) ?? 0n);
  if (plan === undefined || judges === 0n) return undefined;
  return { judges, ifRefunded: plan.end.requester };
}

export function refundPlan(
  task: Task,
): { readonly reward: Reward; readonly end: UnpaidEnd } | undefined {
  const { reward, fees, judges } = task;
  if (reward === undefined) return undefined;
  const terms = { reward: reward.amount, judgesBps: fees.judgesBps, judges: judges.length };
  return { reward, end: endUnpaid(terms) };
}

/**
 * Returns the fees as they are paid: a judged task that was accepted before any round was decided
 * pays no panel (choices validators.pay).
 */
export function feesOf({ fees, accepted, judges }: Task): {
  readonly hubBps: Bps;
  readonly judgesBps: Bps;
} {
  return accepted === undefined || judges.length > 0 ? fees : { ...fees, judgesBps: bps(0) };
}
