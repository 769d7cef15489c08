import { FEES } from '../../db/ledger/shards.ts';
import type { Writer } from '../../db/store.ts';
import { chargeOf, ended, type Ending, type ModelReceipt } from '../../domain/models/receipt.ts';
import { atomic, ZERO } from '../../domain/money.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { chargeHold, returnHold, type Meter } from '../metering/meter.ts';
import { giveBackBorne, giveBackSpend } from './ceilings.ts';

/**
 * The money of a call that ended (interface, Models, rules 2 and 3): metered usage is charged and
 * the rest returned in the transaction that says so on the receipt.
 */
export async function settleCall(
  tx: Writer,
  hub: Hub,
  running: ModelReceipt,
  ending: Ending,
): Promise<ModelReceipt> {
  const charged = chargeOf(ending, running.held);
  await giveBackSpend(tx, running, atomic(running.held - charged));
  const receipt = ended(running, ending, hub.clock.now());
  if (receipt.service !== undefined) await giveBackBorne(tx, receipt);
  if (running.holdId === undefined) return receipt;
  const hold = { id: running.holdId, amount: running.held };
  const meter = meterOf(running);
  const transferId =
    charged === ZERO
      ? await returnHold(tx, hub, meter, hold)
      : await chargeHold(tx, hub, meter, hold, [{ account: FEES, amount: charged }]);
  return { ...receipt, transferId };
}

/** The hold outlives its lease: the job that ends left calls gives it back, not the ledger. */
export function meterOf({ id, payer, network }: ModelReceipt): Meter {
  return {
    kind: 'model',
    ref: { kind: 'model', id },
    payer,
    network,
    events: { hold: 'models.hold', charge: 'models.charge', return: 'models.return' },
    reasons: { hold: 'model.hold', charge: 'model.charge', return: 'model.return' },
  };
}
