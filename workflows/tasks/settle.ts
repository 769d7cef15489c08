import { strict as assert } from 'node:assert';
import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { CREDIT_LINES } from '../../db/credit/lines.ts';
import { STARTER_GRANTS } from '../../db/tasks/starterGrants.ts';
import { owed } from '../../domain/credit.ts';
import { commitmentId } from '../../domain/ledger/transfer.ts';
import type {
  CommitmentId,
  InsufficientFunds,
  Step,
  TransferId,
} from '../../domain/ledger/transfer.ts';
import type { Atomic } from '../../domain/money.ts';
import type { LoanDue, Settlement } from '../../domain/settlement.ts';
import type { MoneyStep, Winner } from '../../domain/tasks/change.ts';
import { isStarter } from '../../domain/tasks/model.ts';
import type { Reward, Task } from '../../domain/tasks/model.ts';
import { partPlan, payPlan, refundPlan, rulingPlan } from '../../domain/tasks/plan.ts';
import type { Hub } from '../kernel/hub.ts';
import { debtsOn, readsOfDebts, settleDebts } from '../credit/collect.ts';
import { refuseFunds } from '../wallet/funds.ts';
import { move, mustMove, NO_HOLD, readsOfMove } from '../wallet/transfer.ts';
import { part, raiseHold } from './amendMoney.ts';
import {
  divided,
  escrowed,
  escrowReason,
  heldBy,
  judgePostings,
  ofTask,
  postings,
  repayments,
  released,
  reserved,
  type Cause,
  type PaidAward,
} from './moneySteps.ts';

/** Turns a decision of a task or the clock into one transfer (choices tasks.settlement). */
export interface SettlementResult {
  readonly transferId?: TransferId;
  /** The commitment that holds the reward afterwards. */
  readonly holdId?: CommitmentId;
  readonly split?: Settlement;
  readonly awards?: readonly PaidAward[];
  readonly refunded?: Atomic;
  /** The payment of the arbiter of a dispute. */
  readonly arbiter?: Atomic;
}

export function settleMoney(
  db: Decider,
  hub: Hub,
  cause: Cause,
  money: MoneyStep,
): SettlementResult {
  const { task } = cause;
  assert(task.reward !== undefined, 'only a reward takes money steps');
  switch (money.step) {
    case 'escrow':
      return escrow(db, hub, cause, task.reward);
    case 'lower':
      return reduceHold(db, hub, cause, task.reward, money.by);
    case 'raise':
      return raiseHold(db, hub, cause, task.reward, money.by);
    case 'reserve':
      return reserve(db, hub, cause, money);
    case 'release':
      return release(db, hub, cause, money);
    case 'rule':
      return rule(db, hub, cause, money);
    case 'share':
      return share(db, hub, cause, money);
    case 'part':
      return part(db, hub, cause, money);
    case 'refund':
      return refund(db, hub, cause);
  }
}

export function readsOfMoney(hub: Hub, cause: Cause, money: MoneyStep): readonly Need[] {
  const plan = payPlan(cause.task);
  if (plan === undefined) return [];
  const { requester } = cause.task;
  switch (money.step) {
    case 'escrow':
      return readsOfMove(hub, escrowed(cause, plan.reward, NO_HOLD));
    case 'reserve':
      return [
        ...readsOfMove(hub, reserved(cause, plan, NO_HOLD), [requester]),
        ...readsOfDebts(cause.task, money.attempt.worker),
      ];
    case 'release':
      return [
        ...readsOfMove(hub, released(cause, plan, money), [requester]),
        ...readsOfDebts(cause.task, money.attempt.worker),
      ];
    case 'share': {
      const { winners, rest } = money;
      const { network } = plan.reward;
      const awards = winners.map((winner) => awardOf(cause.task, winner));
      return [
        ...readsOfMove(hub, divided(cause, plan.reward, { awards, rest }), [requester]),
        ...winners.flatMap(({ worker: account }) => [
          ...readsOfDebts(cause.task, account),
          need(CREDIT_LINES, { account, network }),
        ]),
      ];
    }
    case 'lower':
    case 'raise':
    case 'rule':
    case 'part':
    case 'refund':
      return [];
  }
}

function escrow(db: Decider, hub: Hub, cause: Cause, reward: Reward): SettlementResult {
  const holdId = commitmentId(db.newId(hub.ids));
  const posted = move(db, hub, escrowed(cause, reward, holdId));
  if ('refused' in posted) return refuseEscrow(hub, posted, reward);
  return { transferId: posted.transferId, holdId };
}

function refuseEscrow(hub: Hub, short: InsufficientFunds, { network }: Reward): never {
  return refuseFunds(hub, short, { network, field: 'body.rewardAmount' });
}

/** A lower price was agreed: the rest of the escrow is free at once, the hold goes on (T18). */
function reduceHold(
  db: Decider,
  hub: Hub,
  cause: Cause,
  reward: Reward,
  by: Atomic,
): SettlementResult {
  const holdId = heldBy(cause);
  const moved = mustMove(db, hub, {
    ...ofTask(cause, reward),
    steps: [{ verb: 'release', commitment: holdId, amount: by, reason: 'task.refund' }],
  });
  return { transferId: moved, holdId, refunded: by };
}

function reserve(
  db: Decider,
  hub: Hub,
  cause: Cause,
  money: Extract<MoneyStep, { step: 'reserve' }>,
): SettlementResult {
  const holdId = commitmentId(db.newId(hub.ids));
  const plan = payPlan(cause.task, owed(debtsOn(db, cause.task, money.attempt.worker)));
  assert(plan !== undefined, 'a payout is of a reward');
  const moved = mustMove(db, hub, reserved(cause, plan, holdId));
  return { transferId: moved, holdId, split: plan.split };
}

function release(
  db: Decider,
  hub: Hub,
  cause: Cause,
  money: Extract<MoneyStep, { step: 'release' }>,
): SettlementResult {
  const { task, at } = cause;
  const { worker } = money.attempt;
  const debts = debtsOn(db, task, worker);
  const plan = payPlan(task, owed(debts));
  assert(plan !== undefined, 'a release pays a reward');
  const moved = mustMove(db, hub, released(cause, plan, money));
  const { split } = plan;
  settleDebts(db, hub, { task, worker, debts, split, transferId: moved, at });
  if (isStarter(task)) db.put(STARTER_GRANTS, worker, { account: worker, taskId: task.id, at });
  return { transferId: moved, split };
}

/** Each winner is paid as one winner of its part would be, all of them in one transfer. */
function share(
  db: Decider,
  hub: Hub,
  cause: Cause,
  { winners, rest }: Extract<MoneyStep, { step: 'share' }>,
): SettlementResult {
  const { task, at } = cause;
  assert(task.reward !== undefined, 'a share is of a reward');
  const paid = winners.map((winner) => {
    const debts = debtsOn(db, task, winner.worker);
    return { debts, ...awardOf(task, winner, owed(debts)) };
  });
  const moved = mustMove(db, hub, divided(cause, task.reward, { awards: paid, rest }));
  for (const { winner, debts, split } of paid) {
    settleDebts(db, hub, { task, worker: winner.worker, debts, split, transferId: moved, at });
  }
  return { transferId: moved, awards: paid, ...(rest > 0n && { refunded: rest }) };
}

function awardOf(task: Task, winner: Winner, loan?: LoanDue): PaidAward {
  return { winner, split: partPlan(task, winner.award, loan) };
}

/** Pays as the arbiter rules: nothing was paid before, so none returns (choices disputes.money). */
function rule(
  db: Decider,
  hub: Hub,
  cause: Cause,
  money: Extract<MoneyStep, { step: 'rule' }>,
): SettlementResult {
  const { task, at } = cause;
  const { attempt, ruling } = money;
  const { worker } = attempt;
  const debts = debtsOn(db, task, worker);
  const plan = rulingPlan(task, owed(debts), ruling);
  assert(plan !== undefined, 'a ruling is on a reward');
  const { split } = plan;
  const { arbiter: amount, requester: refunded } = split;
  const arbiter = { account: money.arbiter, amount, reason: 'dispute.arbiter' } as const;
  const commitment = heldBy(cause);
  const moved = mustMove(db, hub, {
    ...ofTask(cause, plan.reward),
    steps: [
      {
        verb: 'capture',
        commitment,
        reason: 'task.payout.pending',
        to: postings(split, plan.judges, attempt, [arbiter]),
      },
      { verb: 'release', commitment, amount: refunded, reason: 'task.refund' },
      ...repayments(split, attempt),
    ],
  });
  settleDebts(db, hub, { task, worker, debts, split, transferId: moved, at });
  return { transferId: moved, split, refunded, arbiter: amount };
}

function refund(db: Decider, hub: Hub, cause: Cause): SettlementResult {
  const plan = refundPlan(cause.task);
  assert(plan !== undefined, 'a refund gives a reward back');
  const { judges } = cause.task;
  const commitment = heldBy(cause);
  const captured: readonly Step[] =
    judges.length === 0
      ? []
      : [
          {
            verb: 'capture',
            commitment,
            reason: escrowReason(cause.task),
            to: judgePostings(judges, plan.end.judges),
          },
        ];
  const moved = mustMove(db, hub, {
    ...ofTask(cause, plan.reward),
    steps: [
      ...captured,
      {
        verb: 'release',
        commitment,
        amount: plan.end.requester,
        reason: cause.task.chain === undefined ? 'task.refund' : 'chain.refund',
      },
    ],
  });
  return { transferId: moved, refunded: plan.end.requester };
}
