import type { Account } from './account.ts';
import { isLate, limitOf, originationOf, outstanding, securedBy, total } from './credit.ts';
import type { CreditLine, Loan } from './credit.ts';
import { iso, plus, seconds } from './instant.ts';
import type { Instant } from './instant.ts';
import { tierOf } from './karma.ts';
import { atomic } from './money.ts';
import type { Atomic } from './money.ts';
import type { NetworkKind } from './network.ts';
import { lesser } from './settlement.ts';
import type { LoanDue } from './settlement.ts';
import { claimed } from './tasks/model.ts';
import type { Attempt, TaskAggregate, Reward } from './tasks/model.ts';

/**
 * Whether an advance is given, and how much (choices credit.advance). Invariant: it is never above
 * a third of the escrowed reward, what is left of the limit, or what was asked for.
 */
export interface NotLent {
  readonly refused:
    'no-live-claim' | 'limit-zero' | 'loan-open' | 'over-limit' | 'credit-unavailable';
  readonly why: string;
  /** The next call, where it differs from the code's own hint. */
  readonly hint?: string;
}

export function isNotLent<T extends object>(decision: T | NotLent): decision is NotLent {
  return 'refused' in decision;
}

export interface Security {
  readonly attempt: Attempt;
  readonly reward: Reward;
}

/** A claim about to lapse secures nothing. */
const LEASE_LEFT_MIN = seconds(300);

export function securityOf(
  play: TaskAggregate,
  borrower: Account,
  now: Instant,
): Security | NotLent {
  const { task } = play;
  const attempt = claimed(play);
  if (attempt?.worker !== borrower) {
    return { refused: 'no-live-claim', why: 'You do not hold this task.' };
  }
  if (task.reward === undefined) {
    const why = 'This task is unpaid: there is no reward to advance.';
    return { refused: 'no-live-claim', why, hint: 'Claim a task with a reward.' };
  }
  const { leaseEndsAt } = attempt;
  if (leaseEndsAt === undefined || leaseEndsAt < plus(now, LEASE_LEFT_MIN)) {
    return {
      refused: 'no-live-claim',
      why: `Your lease ends ${leaseEndsAt === undefined ? 'now' : `at ${iso(leaseEndsAt)}`}; an advance needs ${LEASE_LEFT_MIN} seconds of it.`,
      hint: `Renew the lease: \`POST /api/v1/tasks/${task.id}/claim\`.`,
    };
  }
  return { attempt, reward: task.reward };
}

export interface Ask {
  readonly taskId: string;
  readonly reward: Reward;
  /** The most that is wanted; as much as may be had when absent. */
  readonly wanted?: Atomic;
  readonly line: CreditLine;
  readonly kind: NetworkKind;
  readonly karma: number;
  /** Every loan of the borrower on this network that is not repaid. */
  readonly loans: readonly Loan[];
  /** Principal that earlier claims of this task took and that is not repaid. */
  readonly unpaidOnTask: Atomic;
  readonly now: Instant;
}

export function advance(ask: Ask): LoanDue | NotLent {
  const { reward, wanted, loans } = ask;
  const limit = limitOf(ask.line, ask.kind, ask.karma);
  const refusal = noCredit(ask, limit) ?? loanInTheWay(ask);
  if (refusal !== undefined) return refusal;
  const lent = outstanding(loans);
  if (lent >= limit) {
    return {
      refused: 'over-limit',
      why: `Your limit on ${reward.network} is ${limit}, and ${lent} of it are lent to you.`,
      hint: 'Deliver a task that carries a loan: its settlement repays it. `GET /api/v1/me` lists your loans.',
    };
  }
  const secured = securedBy(reward.amount, ask.unpaidOnTask);
  if (secured === 0n && ask.unpaidOnTask > 0n) {
    return {
      refused: 'loan-open',
      why: `Earlier claims of this task left ${ask.unpaidOnTask} unpaid, all that its reward secures.`,
      hint: 'Deliver it without an advance, or claim another task.',
    };
  }
  const most = lesser(secured, atomic(limit - lent));
  const principal = wanted === undefined ? most : lesser(most, wanted);
  return { principal, origination: originationOf(principal) };
}

function noCredit(ask: Ask, limit: Atomic): NotLent | undefined {
  const { karma } = ask;
  const { network } = ask.reward;
  const lostAt = lostSince(ask);
  if (lostAt !== undefined) {
    return {
      refused: 'limit-zero',
      why: `Your limit on ${network} is 0 since the default of ${iso(lostAt)}.`,
      hint: 'It stays 0; work without an advance. What is owed is collected from your settlements.',
    };
  }
  if (tierOf(karma) === 'restricted') {
    return {
      refused: 'limit-zero',
      why: `Your standing is ${karma}; below 0 it gives no credit.`,
      hint: 'Settle tasks without a loan until your standing is 0 again; `GET /api/v1/me` shows it.',
    };
  }
  if (limit > 0n) return undefined;
  return {
    refused: 'limit-zero',
    why: `Your limit on ${network} is 0.`,
    hint: 'It grows with the hub fee of every task that others pay you for, and with loans repaid from settlements.',
  };
}

/** A loan that is late by now is a default, though no job has looked (choices pipeline.due). */
function lostSince({ line, loans, now }: Ask): Instant | undefined {
  return line.defaultedAt ?? (loans.some((loan) => isLate(loan, now)) ? now : undefined);
}

/** Loans that one borrower may have open at once on a network. */
export const LOANS_MAX = 100;

/** One open loan per task, and none while an earlier one is due and unpaid. */
function loanInTheWay({ taskId, loans }: Ask): NotLent | undefined {
  const here = loans.find((loan) => loan.taskId === taskId && loan.state === 'open');
  if (here !== undefined) {
    const why = `The task already carries a loan of ${here.lent.principal}.`;
    return { refused: 'loan-open', why };
  }
  const due = loans.find(({ state }) => state === 'due');
  if (due !== undefined) {
    const why = `The loan ${due.id} is due; ${total(due.left)} of it are unpaid.`;
    return { refused: 'loan-open', why };
  }
  if (loans.length < LOANS_MAX) return undefined;
  return { refused: 'loan-open', why: `You have ${loans.length} loans open, as many as one may.` };
}
