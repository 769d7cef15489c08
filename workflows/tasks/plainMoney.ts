import { strict as assert } from 'node:assert';
import { CREDIT_LINES } from '../../db/credit/lines.ts';
import { need, type Need } from '../../db/declared/table.ts';
import type { Decider } from '../../db/declared/unit.ts';
import { earnedBy } from '../../domain/credit.ts';
import type { Instant } from '../../domain/instant.ts';
import { commitmentId } from '../../domain/ledger/transfer.ts';
import { atomic, ZERO } from '../../domain/money.ts';
import type { MoneyStep } from '../../domain/task/change.ts';
import type { Reward } from '../../domain/task/model.ts';
import { payPlan, type PayPlan } from '../../domain/task/plan.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { mustPost, plannedTransfer, postPlanned } from '../wallet/transfer.ts';
import { escrowed, released, reserved, type Cause } from './moneySteps.ts';
import { NotPlain } from './plain.ts';
import { refuseEscrow, type SettlementResult } from './settle.ts';

/** `settleMoney` for declared units: the steps that are common, of those who owe nothing. */
export interface PlainMoney {
  readonly needs: readonly Need[];
  move(db: Decider, at: Instant): SettlementResult;
}

export function plainMoney(hub: Hub, cause: Cause, money: MoneyStep): PlainMoney {
  const plan = payPlan(cause.task);
  assert(plan !== undefined, 'only a reward takes money steps');
  if (money.step === 'escrow') return escrow(hub, cause, plan.reward);
  if (money.step === 'reserve') return reserve(hub, cause, plan);
  if (money.step === 'release') return release(hub, cause, plan, money);
  throw new NotPlain();
}

function escrow(hub: Hub, cause: Cause, reward: Reward): PlainMoney {
  const holdId = commitmentId(hub.ids.uuid());
  const planned = plannedTransfer(hub, escrowed(cause, reward, holdId));
  return {
    needs: planned.needs,
    move(db, at) {
      const posted = postPlanned(db, planned, at);
      if ('refused' in posted) return refuseEscrow(hub, posted, reward);
      return { transferId: posted.transferId, holdId };
    },
  };
}

function reserve(hub: Hub, cause: Cause, plan: PayPlan): PlainMoney {
  const holdId = commitmentId(hub.ids.uuid());
  const owners = [cause.task.requester];
  const planned = plannedTransfer(hub, reserved(cause, plan, holdId), owners);
  return {
    needs: planned.needs,
    move: (db, at) => ({ transferId: mustPost(db, planned, at), holdId, split: plan.split }),
  };
}

function release(
  hub: Hub,
  cause: Cause,
  plan: PayPlan,
  money: Extract<MoneyStep, { step: 'release' }>,
): PlainMoney {
  const { requester } = cause.task;
  const { split, reward } = plan;
  const planned = plannedTransfer(hub, released(cause, plan, money), [requester]);
  const line = { account: money.attempt.worker, network: reward.network };
  const earned = earnedBy(split, { requester, carriesLoan: false });
  return {
    needs: [need(CREDIT_LINES, line), ...planned.needs],
    move(db, at) {
      const transferId = mustPost(db, planned, at);
      if (earned > ZERO) {
        const before = db.find(CREDIT_LINES, line)?.earned ?? ZERO;
        db.put(CREDIT_LINES, line, { ...line, earned: atomic(before + earned) });
      }
      return { transferId, split };
    },
  };
}
