import { strict as assert } from 'node:assert';
import { FEES } from '../../db/ledger/shards.ts';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { CapturePosting, CommitmentId, Step } from '../../domain/ledger/transfer.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import { total } from '../../domain/credit.ts';
import type { Settlement } from '../../domain/settlement.ts';
import type { MoneyStep, Winner } from '../../domain/tasks/change.ts';
import type { Attempt, Reward, Task } from '../../domain/tasks/model.ts';
import type { PayPlan } from '../../domain/tasks/plan.ts';
import { CREDIT } from '../credit/collect.ts';
import type { TransferCause, TransferRequest } from '../wallet/transfer.ts';

/** The transfers of a task, whichever kind of unit posts them (choices tasks.settlement). */
export interface Cause {
  readonly task: Task;
  /** The commitment that holds the reward now. */
  readonly holdId?: CommitmentId;
  /** The event that the transfer stands for. */
  readonly event: string;
  readonly actor: Account | 'hub';
  readonly at: Instant;
}
export function escrowed(cause: Cause, reward: Reward, holdId: CommitmentId): TransferRequest {
  return {
    ...ofTask(cause, reward),
    steps: [
      {
        verb: 'hold',
        commitment: holdId,
        account: cause.task.requester,
        kind: 'task',
        amount: reward.amount,
        reason: 'task.escrow',
      },
    ],
  };
}

/** A raise holds the whole reward again in the place of what was held, by one transfer. */
export function raised(
  cause: Cause,
  reward: Reward,
  { by, holdId }: { readonly by: Atomic; readonly holdId: CommitmentId },
): TransferRequest {
  const before = atomic(reward.amount - by);
  const { steps } = escrowed(cause, reward, holdId);
  return {
    ...ofTask(cause, reward),
    steps: [
      { verb: 'release', commitment: heldBy(cause), amount: before, reason: 'task.escrow' },
      ...steps,
    ],
  };
}

/** Nothing moves at acceptance: the escrow becomes a payout that waits for its window. */
export function reserved(cause: Cause, { reward }: PayPlan, holdId: CommitmentId): TransferRequest {
  const { amount } = reward;
  return {
    ...ofTask(cause, reward),
    steps: [
      { verb: 'release', commitment: heldBy(cause), amount, reason: 'task.payout.pending' },
      {
        verb: 'hold',
        commitment: holdId,
        account: cause.task.requester,
        kind: 'payout',
        amount,
        reason: 'task.payout.pending',
      },
    ],
  };
}

export function released(
  cause: Cause,
  plan: PayPlan,
  money: Extract<MoneyStep, { step: 'release' }>,
): TransferRequest {
  return {
    ...ofTask(cause, plan.reward),
    steps: [
      {
        verb: 'capture',
        commitment: heldBy(cause),
        reason: money.from === 'task' ? escrowReason(cause.task) : 'task.payout.pending',
        to: postings(plan.split, plan.judges, money.attempt),
      },
      ...repayments(plan.split, money.attempt),
    ],
  };
}

/** A winner of a divided reward, and the split of its part. */
export interface PaidAward {
  readonly winner: Winner;
  readonly split: Settlement;
}

/** Pays the parts of all winners, and returns what none of them takes. */
export function divided(
  cause: Cause,
  reward: Reward,
  { awards, rest }: { readonly awards: readonly PaidAward[]; readonly rest: Atomic },
): TransferRequest {
  const commitment = heldBy(cause);
  return {
    ...ofTask(cause, reward),
    steps: [
      ...awards.map(({ winner, split }): Step => ({
        verb: 'capture',
        commitment,
        reason: 'task.escrow',
        to: postings(split, [], winner),
      })),
      { verb: 'release', commitment, amount: rest, reason: 'task.refund' },
      ...awards.flatMap(({ winner, split }) => repayments(split, winner)),
    ],
  };
}

/** Fees, the arbiter's too, then the payee, then a loan's part (choices tasks.settlement). */
export function postings(
  split: Settlement,
  judges: readonly Account[],
  attempt: Attempt,
  more: readonly CapturePosting[] = [],
): readonly CapturePosting[] {
  const { hub, loan, worker } = split;
  return [
    { account: FEES, amount: hub, reason: 'task.fee.hub' },
    ...judgePostings(judges, split.judges),
    ...more,
    ...rewardPostings(worker, total(loan), attempt),
  ];
}

/** The loan's part reaches the worker, who owes it, even with another payee. */
function rewardPostings(
  net: Atomic,
  debt: Atomic,
  { worker, payee }: Attempt,
): readonly CapturePosting[] {
  const reason = 'task.reward';
  if (worker === payee) return [{ account: payee, amount: atomic(net + debt), reason }];
  return [
    { account: worker, amount: debt, reason },
    { account: payee, amount: net, reason },
  ];
}

/** A loan is repaid out of the reward, in entries of the borrower (choices credit.collection). */
export function repayments({ loan }: Settlement, { worker: from }: Attempt): readonly Step[] {
  const { principal, origination } = loan;
  return [
    { verb: 'move', from, to: CREDIT, amount: principal, reason: 'loan.repay' },
    { verb: 'move', from, to: FEES, amount: origination, reason: 'loan.origination' },
  ];
}

export function judgePostings(
  judges: readonly Account[],
  shares: readonly Atomic[],
): readonly CapturePosting[] {
  return judges.map((account, place) => {
    const amount = shares[place];
    assert(amount !== undefined, 'every judge has a share');
    return { account, amount, reason: 'task.fee.judges' };
  });
}

/** A step is held by its chain until a result is accepted. */
export function escrowReason(task: Task): 'task.escrow' | 'chain.escrow' {
  return task.chain === undefined ? 'task.escrow' : 'chain.escrow';
}

export function heldBy(cause: Cause): CommitmentId {
  assert(cause.holdId !== undefined, 'a rewarded task in play has its reward held');
  return cause.holdId;
}

export function ofTask({ task, event, actor, at }: Cause, { network }: Reward): TransferCause {
  return { network, event, ref: { kind: 'task', id: task.id }, actor, at };
}
