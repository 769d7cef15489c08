import type { Decider } from '../../db/batch/transaction.ts';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { KarmaCause } from '../../domain/karma.ts';
import type { Receipt } from '../../domain/router/receipt.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import type { Hub } from '../kernel/hub.ts';
import { endHold, type Meter } from '../metering/meter.ts';

/**
 * The money of a call (choices router.money, router.calls, router.quotes): held before the call,
 * then charged to the holder or returned, in the transaction of the receipt.
 */
export function returnPrice(db: Decider, hub: Hub, receipt: Receipt): Receipt {
  const { hold, ...rest } = receipt;
  if (hold !== undefined) endHold(db, hub, meterOf(receipt), hold, []);
  return rest;
}

/** Returns the karma of a served call for the account that served it (choices karma.entries). */
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
