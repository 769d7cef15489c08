import type { RecordedEvent } from '../../../db/tasks/events.ts';
import type { RequesterRecord } from '../../../db/tasks/requesterRecord.ts';
import type { AcceptanceRule, FileCheck, Refusal } from '../../../domain/acceptance/rule.ts';
import { shorten } from '../../../domain/text.ts';
import type { Instant } from '../../../domain/instant.ts';
import { total } from '../../../domain/credit.ts';
import { atomic, display } from '../../../domain/money.ts';
import { feesOf } from '../../../domain/tasks/plan.ts';
import { NO_LOAN, type Settlement } from '../../../domain/settlement.ts';
import {
  isTrial,
  type Attempt,
  type BonusPayout,
  type TaskAggregate,
  type Reward,
  type Target,
  type Task,
} from '../../../domain/tasks/model.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import { presentLease } from './lease.ts';
import { presentAward, presentShares } from './shares.ts';
import { presentNext } from '../../../workflows/tasks/nextActions.ts';

/** `next` are the calls of every role, unless those of the answer's account are given. */
export function presentTask(
  aggregate: TaskAggregate,
  now: Instant,
  next = presentNext(aggregate, now),
): Schemas['Task'] {
  const { task } = aggregate;
  return {
    id: task.id,
    requester: task.requester,
    requesterKind: 'agent',
    mode: task.mode,
    state: task.state,
    title: task.title,
    description: task.description,
    requiredSkills: task.requiredSkills,
    tags: task.tags,
    comments: task.comments,
    ...(task.input !== undefined && { input: { ...task.input } }),
    ...(task.files !== undefined && { files: task.files }),
    audience: task.audience,
    ...(task.reward !== undefined && { reward: presentMoney(task.reward) }),
    fees: feesOf(task),
    paymentState: paymentState(task),
    verification: task.verification,
    minReliabilityBps: task.minReliabilityBps,
    ...presentShares(task),
    ...(task.acceptance !== undefined && { acceptance: presentRule(task.acceptance) }),
    factAnchored: isTrial(task),
    windows: task.windows,
    ...(task.target !== undefined && { target: presentTarget(task.target) }),
    ...(task.conduct !== undefined && {
      conduct: {
        ...task.conduct,
        methods: task.conduct.methods,
        maxSpendAtomic: task.conduct.maxSpendAtomic,
      },
    }),
    terms: task.terms,
    attempts: task.attempts,
    maxAttempts: task.maxAttempts,
    deadline: task.deadline,
    ...presentLease(task),
    clarifications: task.clarifications,
    offeredTo: task.invited,
    createdAt: task.createdAt,
    ...(task.payout !== undefined && { payout: presentPayout(task.payout) }),
    chain: task.chain,
    next,
  };
}

export function presentMoney(reward: Reward): Schemas['Money'] {
  const { amount, asset, network } = reward;
  return { amount, display: display(amount), asset, network };
}

export function paymentState(task: Task): Schemas['TaskPaymentState'] {
  const held: readonly Task['state'][] = ['open', 'held', 'delivered', 'accepted', 'disputed'];
  return task.reward !== undefined && held.includes(task.state) ? 'escrowed' : 'none';
}

export function presentRule(rule: AcceptanceRule): Schemas['AcceptanceRule'] {
  switch (rule.kind) {
    case 'all':
      return { kind: 'all', of: rule.of.map(presentRule) };
    case 'json_schema':
      return { ...rule, schema: { ...rule.schema } };
    case 'fields':
      return { kind: 'fields', checks: rule.checks.map((check) => ({ ...check })) };
    case 'contains':
      return { ...rule, values: rule.values };
    case 'files':
      return { ...rule, checks: rule.checks?.map(presentFileCheck) };
  }
}

function presentFileCheck({ contents, ...check }: FileCheck): Schemas['FileCheck'] {
  return { ...check, contents: contents && presentRule(contents) };
}

function presentPayout({ amount, ...rest }: BonusPayout): Schemas['BonusPayout'] {
  return { ...rest, amountAtomic: amount, asset: 'USDC' };
}

function presentTarget({ origin, paths }: Target): Schemas['TaskTarget'] {
  return { origin, paths };
}

const RULE_NAMED = /\(([\w.-]+)\)$/;

/**
 * Names only the rule that refused a result. The stored reason quotes the result, which is its
 * worker's own (threats.read-results).
 */
export function publicReason(reason: string | undefined): string {
  const rule = RULE_NAMED.exec(reason ?? '')?.[1];
  return rule === undefined
    ? 'The acceptance rule refused it.'
    : `The acceptance rule refused it (${rule}).`;
}

/** An attempt as everybody may see it: never its token, never its result. */
export function presentAttempt(attempt: Attempt): Schemas['Attempt'] {
  const { id, taskId, worker, agentId, payee, state, termsDigest, reason } = attempt;
  const { leaseEndsAt, progress, deliveredAt, endedAt } = attempt;
  return {
    id,
    taskId,
    worker,
    agentId,
    ...(payee !== worker && { payee }),
    state,
    startedAt: attempt.startedAt,
    leaseEndsAt,
    progress,
    deliveredAt,
    endedAt,
    ...presentAward(attempt),
    reason: state === 'refused' ? publicReason(reason) : reason,
    termsDigest,
  };
}

export function presentEvent(event: RecordedEvent): Schemas['TaskEvent'] {
  const { seq, at, state, actor, attemptId, transferId } = event;
  const note = event.event === 'attempt.refused' ? publicReason(event.note) : event.note;
  return {
    seq,
    at,
    event: event.event,
    state,
    actor,
    attemptId,
    transferId,
    note,
  };
}

const HOUR_MS = 3_600_000;

export function presentRecord(record: RequesterRecord): Schemas['RequesterRecord'] {
  const { medianMsToDecide: ms, ...counts } = record;
  return {
    ...counts,
    ...(ms !== undefined && { medianHoursToDecide: Math.round((ms / HOUR_MS) * 100) / 100 }),
  };
}

/** For everybody but the worker: what a loan takes back is no business of theirs. */
export function publicSplit(reward: Reward, split: Settlement): Schemas['RewardSplit'] {
  const gross = atomic(split.worker + total(split.loan));
  return presentSplit(reward, { ...split, loan: NO_LOAN, worker: gross });
}

export function presentSplit(reward: Reward, split: Settlement): Schemas['RewardSplit'] {
  const loan = split.loan.principal + split.loan.origination;
  return {
    reward: reward.amount,
    hub: split.hub,
    judges: split.judges.reduce((sum, share) => sum + share, 0n),
    loan,
    worker: split.worker,
    asset: reward.asset,
    network: reward.network,
  };
}

/** Paths are as deep as the worker's own result; an answer stays within its contract. */
export function presentRefusal(item: Refusal): Schemas['RefusalItem'] {
  return { ...item, path: shorten(item.path, 2_000) };
}
