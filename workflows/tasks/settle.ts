import { strict as assert } from 'node:assert';
import { grantStarter } from '../../db/tasks/starterGrants.ts';
import type { Writer } from '../../db/store.ts';
import { owed } from '../../domain/credit.ts';
import { commitmentId } from '../../domain/ledger/transfer.ts';
import type {
  CommitmentId,
  InsufficientFunds,
  Step,
  TransferId,
} from '../../domain/ledger/transfer.ts';
import type { Atomic } from '../../domain/money.ts';
import type { Settlement } from '../../domain/settlement.ts';
import type { MoneyStep } from '../../domain/task/change.ts';
import { isStarter } from '../../domain/task/model.ts';
import type { Reward } from '../../domain/task/model.ts';
import { payPlan, refundPlan, rulingPlan } from '../../domain/task/plan.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { lockDebts, owedOn, settleDebts } from '../credit/collect.ts';
import { refuseFunds } from '../wallet/funds.ts';
import { mustTransfer, transfer } from '../wallet/transfer.ts';
import {
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
} from './moneySteps.ts';

/**
 * Where a task's decision becomes a transfer, whoever decided: submit, accept, cancel or the clock;
 * `plainMoney.ts` does so in declared units. Each step is one transfer (choices tasks.settlement).
 */
export interface SettlementResult {
  readonly transferId?: TransferId;
  /** The commitment that holds the reward afterwards. */
  readonly holdId?: CommitmentId;
  readonly split?: Settlement;
  readonly refunded?: Atomic;
  /** What the arbiter of a dispute was paid. */
  readonly arbiter?: Atomic;
}

export async function settleMoney(
  tx: Writer,
  hub: Hub,
  cause: Cause,
  money: MoneyStep,
): Promise<SettlementResult> {
  const { task } = cause;
  assert(task.reward !== undefined, 'only a reward takes money steps');
  switch (money.step) {
    case 'escrow':
      return escrow(tx, hub, cause, task.reward);
    case 'lower':
      return reduceHold(tx, hub, cause, task.reward, money.by);
    case 'reserve':
      return reserve(tx, hub, cause, money);
    case 'release':
      return release(tx, hub, cause, money);
    case 'rule':
      return rule(tx, hub, cause, money);
    case 'refund':
      return refund(tx, hub, cause);
  }
}

async function escrow(
  tx: Writer,
  hub: Hub,
  cause: Cause,
  reward: Reward,
): Promise<SettlementResult> {
  const holdId = commitmentId(hub.ids.uuid());
  const posted = await transfer(tx, hub, escrowed(cause, reward, holdId));
  if ('refused' in posted) return refuseEscrow(hub, posted, reward);
  return { transferId: posted.transferId, holdId };
}

export function refuseEscrow(hub: Hub, short: InsufficientFunds, { network }: Reward): never {
  return refuseFunds(hub, short, { network, field: 'body.rewardAmount' });
}

/** A lower price was agreed: the rest of the escrow is free at once, the hold goes on (T18). */
async function reduceHold(
  tx: Writer,
  hub: Hub,
  cause: Cause,
  reward: Reward,
  by: Atomic,
): Promise<SettlementResult> {
  const holdId = heldBy(cause);
  const moved = await mustTransfer(tx, hub, {
    ...ofTask(cause, reward),
    steps: [{ verb: 'release', commitment: holdId, amount: by, reason: 'task.refund' }],
  });
  return { transferId: moved, holdId, refunded: by };
}

async function reserve(
  tx: Writer,
  hub: Hub,
  cause: Cause,
  money: Extract<MoneyStep, { step: 'reserve' }>,
): Promise<SettlementResult> {
  const holdId = commitmentId(hub.ids.uuid());
  const plan = payPlan(cause.task, await owedOn(tx, cause.task, money.attempt.worker));
  assert(plan !== undefined, 'a payout is of a reward');
  const moved = await mustTransfer(tx, hub, reserved(cause, plan, holdId));
  return { transferId: moved, holdId, split: plan.split };
}

async function release(
  tx: Writer,
  hub: Hub,
  cause: Cause,
  money: Extract<MoneyStep, { step: 'release' }>,
): Promise<SettlementResult> {
  const { task, at } = cause;
  const { worker } = money.attempt;
  const debts = await lockDebts(tx, task, worker);
  const plan = payPlan(task, owed(debts));
  assert(plan !== undefined, 'a release pays a reward');
  const moved = await mustTransfer(tx, hub, released(cause, plan, money));
  const { split } = plan;
  await settleDebts(tx, hub, { task, worker, debts, split, transferId: moved, at });
  if (isStarter(task)) await grantStarter(tx, worker, task.id, at);
  return { transferId: moved, split };
}

/**
 * What the arbiter ordered: nothing was paid before it, so nothing has to come back (choices
 * disputes.money).
 */
async function rule(
  tx: Writer,
  hub: Hub,
  cause: Cause,
  money: Extract<MoneyStep, { step: 'rule' }>,
): Promise<SettlementResult> {
  const { task, at } = cause;
  const { attempt, ruling } = money;
  const { worker } = attempt;
  const debts = await lockDebts(tx, task, worker);
  const plan = rulingPlan(task, owed(debts), ruling);
  assert(plan !== undefined, 'a ruling is on a reward');
  const { split } = plan;
  const { arbiter: amount, requester: refunded } = split;
  const arbiter = { account: money.arbiter, amount, reason: 'dispute.arbiter' } as const;
  const commitment = heldBy(cause);
  const moved = await mustTransfer(tx, hub, {
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
  await settleDebts(tx, hub, { task, worker, debts, split, transferId: moved, at });
  return { transferId: moved, split, refunded, arbiter: amount };
}

async function refund(tx: Writer, hub: Hub, cause: Cause): Promise<SettlementResult> {
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
  const moved = await mustTransfer(tx, hub, {
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
