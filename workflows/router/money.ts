import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import type { InsufficientFunds, TransferId } from '../../domain/ledger/transfer.ts';
import type { Atomic } from '../../domain/money.ts';
import type { Receipt } from '../../domain/router/receipt.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { recordCauses } from '../karma/record.ts';
import { chargeHold, holdAmount, returnHold, type Meter } from '../metering/meter.ts';

/**
 * The money of a call (choices router.money, router.calls and router.quotes): held before the agent
 * is called, then either charged to the holder of the listing or returned, in the transaction that
 * says so on the receipt.
 */
export interface HeldMoney {
  readonly receipt: Receipt;
  /** The transfer that holds it, as the agent is told in `hub-credit`. */
  readonly credit: TransferId;
}

/** Holds a price, in place of what is held already. */
export async function holdPrice(
  tx: Writer,
  hub: Hub,
  receipt: Receipt,
  amount: Atomic,
): Promise<HeldMoney | InsufficientFunds> {
  const held = await holdAmount(tx, hub, meterOf(receipt), amount, receipt.hold);
  if ('refused' in held) return held;
  return { receipt: { ...receipt, hold: held.hold }, credit: held.transferId };
}

/** Gives back what is held, if anything is. */
export async function returnPrice(tx: Writer, hub: Hub, receipt: Receipt): Promise<Receipt> {
  const { hold, ...rest } = receipt;
  if (hold !== undefined) await returnHold(tx, hub, meterOf(receipt), hold);
  return rest;
}

/** Pays the holder of the listing all that is held, and records that it served. */
export async function chargePrice(
  tx: Writer,
  hub: Hub,
  receipt: Receipt,
  owner: Account,
): Promise<Receipt> {
  const { hold, ...rest } = receipt;
  if (hold === undefined) return receipt;
  const shares = [{ account: owner, amount: hold.amount }];
  const paid = await chargeHold(tx, hub, meterOf(receipt), hold, shares);
  const [at, { caller, network, id }] = [hub.clock.now(), receipt];
  const cause = {
    subject: owner,
    reason: 'call.served',
    ref: { kind: 'call', id },
    // One for each caller and day (choices karma.entries).
    occasion: `${caller} ${utcDay(at)}`,
    counterparty: caller,
  } as const;
  await recordCauses(tx, hub, [cause], { at, network });
  return { ...rest, cost: hold.amount, paidTo: owner, transferId: paid };
}

function meterOf({ id, caller, network, resolveAt }: Receipt): Meter {
  return {
    kind: 'call',
    ref: { kind: 'call', id },
    payer: caller,
    network,
    events: { hold: 'router.hold', charge: 'router.charge', return: 'router.return' },
    reasons: { hold: 'call.hold', charge: 'call.charge', return: 'call.return' },
    expiresAt: resolveAt,
  };
}
