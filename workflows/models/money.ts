import { strict as assert } from 'node:assert';
import { FEES } from '../../db/ledger/shards.ts';
import type { Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { chargeOf, ended, type Ending, type ModelReceipt } from '../../domain/models/receipt.ts';
import { atomic, ZERO } from '../../domain/money.ts';
import type { Hub } from '../kernel/hub.ts';
import { endHold, readsOfEnd, type Meter } from '../metering/meter.ts';
import { budgetNeeds, giveBackBudget } from './budgets.ts';
import { daysNeeded, giveBackSpend } from './ceilings.ts';

export interface Settling {
  readonly needs: readonly Need[];
  settle(db: Decider, running: ModelReceipt): ModelReceipt;
}

/** Charges usage and returns the rest in the transaction of the receipt (Models, rules 2 and 3). */
export function settling(hub: Hub, begun: ModelReceipt, ending: Ending): Settling {
  const { held, holdId } = begun;
  const charged = chargeOf(ending, held);
  const shares = charged === ZERO ? [] : [{ account: FEES, amount: charged }];
  const hold = holdId && { id: holdId, amount: held };
  const meter = meterOf(begun);
  const money = hold === undefined ? [] : readsOfEnd(hub, meter, hold, shares);
  return {
    needs: [...daysNeeded(begun), ...budgetNeeds(begun), ...money],
    settle(db, running) {
      assert.equal(running.holdId, holdId, 'the hold of a call that runs is its one writer’s');
      giveBackSpend(db, running, atomic(held - charged));
      giveBackBudget(db, running, atomic(held - charged));
      const receipt = ended(running, ending, hub.clock.now());
      if (hold === undefined) return receipt;
      return { ...receipt, transferId: endHold(db, hub, meter, hold, shares) };
    },
  };
}

/** The hold outlives its lease: the job that ends left calls gives it back, not the ledger. */
export function meterOf({
  id,
  payer,
  network,
}: Pick<ModelReceipt, 'id' | 'payer' | 'network'>): Meter {
  return {
    kind: 'model',
    ref: { kind: 'model', id },
    payer,
    network,
    events: { hold: 'models.hold', charge: 'models.charge', return: 'models.return' },
    reasons: { hold: 'model.hold', charge: 'model.charge', return: 'model.return' },
  };
}
