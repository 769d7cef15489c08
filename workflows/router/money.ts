import { recordCauses } from '../karma/record.ts';
import { mustTransfer, transfer, type TransferCause } from '../wallet/transfer.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import {
  commitmentId,
  type InsufficientFunds,
  type Step,
  type TransferId,
} from '../../domain/ledger/transfer.ts';
import type { Atomic } from '../../domain/money.ts';
import type { Receipt } from '../../domain/router/receipt.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import type { Hub } from '../../server/hub/hub.ts';

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
  const commitment = commitmentId(hub.ids.uuid());
  const posted = await transfer(tx, hub, {
    ...ofCall(receipt, 'router.hold'),
    steps: [
      ...returned(receipt),
      {
        verb: 'hold',
        commitment,
        account: receipt.caller,
        kind: 'call',
        amount,
        reason: 'call.hold',
        expiresAt: receipt.resolveAt,
      },
    ],
  });
  if ('refused' in posted) return posted;
  return { receipt: { ...receipt, hold: { id: commitment, amount } }, credit: posted.transferId };
}

/** Gives back what is held, if anything is. */
export async function returnPrice(tx: Writer, hub: Hub, receipt: Receipt): Promise<Receipt> {
  const { hold: _, ...rest } = receipt;
  const steps = returned(receipt);
  if (steps.length > 0) await mustTransfer(tx, hub, { ...ofCall(receipt, 'router.return'), steps });
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
  const paid = await mustTransfer(tx, hub, {
    ...ofCall(receipt, 'router.charge'),
    steps: [
      {
        verb: 'capture',
        commitment: hold.id,
        reason: 'call.charge',
        to: [{ account: owner, amount: hold.amount, reason: 'call.charge' }],
      },
    ],
  });
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

function returned({ hold }: Receipt): readonly Step[] {
  return hold === undefined
    ? []
    : [{ verb: 'release', commitment: hold.id, reason: 'call.return' }];
}

/** What every transfer of a call says of itself: the caller holds, the hub does the rest. */
function ofCall({ id, caller, network }: Receipt, event: string): TransferCause {
  const actor = event === 'router.hold' ? caller : 'hub';
  return { network, event, ref: { kind: 'call', id }, actor };
}
