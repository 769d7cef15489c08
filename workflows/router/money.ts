import { decideIn } from '../../db/batch/inside.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { KarmaCause } from '../../domain/karma.ts';
import type { InsufficientFunds, TransferId } from '../../domain/ledger/transfer.ts';
import type { Atomic } from '../../domain/money.ts';
import type { Receipt } from '../../domain/router/receipt.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { endHold, holdAmount, type Meter } from '../metering/meter.ts';

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
  const held = await decideIn(tx, {
    needs: [],
    decide: (db) => holdAmount(db, hub, meterOf(receipt), amount, receipt.hold),
  });
  if ('refused' in held) return held;
  return { receipt: { ...receipt, hold: held.hold }, credit: held.transferId };
}

/** Gives back what is held, if anything is. */
export async function returnPrice(tx: Writer, hub: Hub, receipt: Receipt): Promise<Receipt> {
  const { hold, ...rest } = receipt;
  if (hold !== undefined) {
    const meter = meterOf(receipt);
    await decideIn(tx, { needs: [], decide: (db) => endHold(db, hub, meter, hold, []) });
  }
  return rest;
}

/** What a served call did for the standing of who served it (choices karma.entries). */
export function servedCause({ caller, id }: Receipt, owner: Account, at: Instant): KarmaCause {
  return {
    subject: owner,
    reason: 'call.served',
    ref: { kind: 'call', id },
    // One for each caller and day.
    occasion: `${caller} ${utcDay(at)}`,
    counterparty: caller,
  };
}

export function meterOf({ id, caller, network, resolveAt }: Receipt): Meter {
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
