import { strict as assert } from 'node:assert';
import type { Decider } from '../../db/batch/transaction.ts';
import { owed } from '../../domain/credit.ts';
import { commitmentId } from '../../domain/ledger/transfer.ts';
import type { CommitmentId, TransferId } from '../../domain/ledger/transfer.ts';
import type { Atomic } from '../../domain/money.ts';
import type { Settlement } from '../../domain/settlement.ts';
import type { MoneyStep } from '../../domain/tasks/change.ts';
import type { Reward } from '../../domain/tasks/model.ts';
import { partedPlan } from '../../domain/tasks/plan.ts';
import type { Hub } from '../kernel/hub.ts';
import { debtsOn, settleDebts } from '../credit/collect.ts';
import { refuseFunds } from '../wallet/funds.ts';
import { move, mustMove } from '../wallet/transfer.ts';
import { heldBy, ofTask, postings, raised, repayments, type Cause } from './moneySteps.ts';

/** The money of changes by consent (choices tasks.amendments). */
interface Settled {
  readonly transferId: TransferId;
  readonly holdId?: CommitmentId;
  readonly split?: Settlement;
  readonly refunded?: Atomic;
}

/** The requester adds to the reward: what was held is held again with the raise (T29). */
export function raiseHold(
  db: Decider,
  hub: Hub,
  cause: Cause,
  reward: Reward,
  by: Atomic,
): Settled {
  const holdId = commitmentId(db.newId(hub.ids));
  const posted = move(db, hub, raised(cause, reward, { by, holdId }));
  if ('refused' in posted) {
    const { network } = reward;
    return refuseFunds(hub, posted, { network, field: 'body.change.rewardAmount' });
  }
  return { transferId: posted.transferId, holdId };
}

/** Pays as the parties agreed, in one transfer (T30, choices tasks.amendments). */
export function part(
  db: Decider,
  hub: Hub,
  cause: Cause,
  money: Extract<MoneyStep, { step: 'part' }>,
): Settled {
  const { task, at } = cause;
  const { attempt, from } = money;
  const { worker } = attempt;
  const debts = debtsOn(db, task, worker);
  const plan = partedPlan(task, owed(debts), money.amount);
  assert(plan !== undefined, 'a reward is divided');
  const { split } = plan;
  const commitment = heldBy(cause);
  const moved = mustMove(db, hub, {
    ...ofTask(cause, plan.reward),
    steps: [
      {
        verb: 'capture',
        commitment,
        reason: from === 'task' ? 'task.escrow' : 'task.payout.pending',
        to: postings(split, plan.judges, attempt),
      },
      { verb: 'release', commitment, amount: split.requester, reason: 'task.refund' },
      ...repayments(split, attempt),
    ],
  });
  settleDebts(db, hub, { task, worker, debts, split, transferId: moved, at });
  return { transferId: moved, split, refunded: split.requester };
}
