import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { HoldKind, Reason } from '../../domain/ledger/reasons.ts';
import {
  commitmentId,
  type CommitmentId,
  type InsufficientFunds,
  type Ref,
  type Step,
  type TransferId,
} from '../../domain/ledger/transfer.ts';
import type { Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Hub } from '../../server/hub/hub.ts';
import {
  mustTransfer,
  plannedTransfer,
  type PlannedTransfer,
  transfer,
  type TransferCause,
  type TransferRequest,
} from '../wallet/transfer.ts';

/**
 * The money of a request that somebody slow serves: held before the work, which runs outside of any
 * unit of work, and afterwards charged or returned in the unit that says so on the receipt. One meter
 * belongs to one request; a killed hub leaves its hold, which the area's job returns.
 */
export interface Meter {
  readonly kind: HoldKind;
  /** The row that keeps the receipt. */
  readonly ref: Ref;
  readonly payer: Account;
  readonly network: NetworkId;
  /** Names of the three transfers, such as `router.hold`. */
  readonly events: Readonly<Record<MeterStep, string>>;
  readonly reasons: Readonly<Record<MeterStep, Reason>>;
  /** When the hold counts as left behind. */
  readonly expiresAt?: Instant;
}
export type MeterStep = 'hold' | 'charge' | 'return';

/** Money that is held for a request. */
export interface MeterHold {
  readonly id: CommitmentId;
  readonly amount: Atomic;
}

/** What somebody is paid of a hold. */
export interface MeterShare {
  readonly account: Account;
  readonly amount: Atomic;
}

/** Holds an amount, in place of what is held already; answers a refusal, having moved nothing. */
export async function holdAmount(
  tx: Writer,
  hub: Hub,
  meter: Meter,
  amount: Atomic,
  held?: MeterHold,
): Promise<{ readonly hold: MeterHold; readonly transferId: TransferId } | InsufficientFunds> {
  const hold = { id: commitmentId(hub.ids.uuid()), amount };
  const posted = await transfer(tx, hub, holding(meter, hold, held));
  return 'refused' in posted ? posted : { hold, transferId: posted.transferId };
}

/** The same for a declared unit. */
export function plannedHold(
  hub: Hub,
  meter: Meter,
  amount: Atomic,
): { readonly hold: MeterHold; readonly planned: PlannedTransfer } {
  const hold = { id: commitmentId(hub.ids.uuid()), amount };
  return { hold, planned: plannedTransfer(hub, holding(meter, hold)) };
}

function holding(meter: Meter, { id, amount }: MeterHold, held?: MeterHold): TransferRequest {
  const { kind, payer, reasons, expiresAt } = meter;
  return {
    ...causeOf(meter, 'hold'),
    steps: [
      ...(held === undefined ? [] : [release(meter, held)]),
      {
        verb: 'hold',
        commitment: id,
        account: payer,
        kind,
        amount,
        reason: reasons.hold,
        ...defined({ expiresAt }),
      },
    ],
  };
}

/**
 * Of a declared unit: pays the shares out of the hold and gives the rest back; the shares are within
 * the hold, and without any all of it is given back.
 */
export function plannedEnd(
  hub: Hub,
  meter: Meter,
  held: MeterHold,
  shares: readonly MeterShare[],
): PlannedTransfer {
  const request = shares.length === 0 ? returning(meter, held) : charging(meter, held, shares);
  return plannedTransfer(hub, request, [meter.payer]);
}

function charging(meter: Meter, held: MeterHold, shares: readonly MeterShare[]): TransferRequest {
  const reason = meter.reasons.charge;
  const charged = shares.reduce((sum, { amount }) => sum + amount, 0n);
  return {
    ...causeOf(meter, 'charge'),
    steps: [
      {
        verb: 'capture',
        commitment: held.id,
        reason,
        to: shares.map((share) => ({ ...share, reason })),
      },
      ...(charged < held.amount ? [release(meter, held)] : []),
    ],
  };
}

/** Gives back all that is held. */
export function returnHold(
  tx: Writer,
  hub: Hub,
  meter: Meter,
  held: MeterHold,
): Promise<TransferId> {
  return mustTransfer(tx, hub, returning(meter, held));
}

function returning(meter: Meter, held: MeterHold): TransferRequest {
  return { ...causeOf(meter, 'return'), steps: [release(meter, held)] };
}

function release({ reasons }: Meter, { id }: MeterHold): Step {
  return { verb: 'release', commitment: id, reason: reasons.return };
}

/** The payer holds, the hub does the rest. */
function causeOf({ ref, payer, network, events }: Meter, step: MeterStep): TransferCause {
  return { network, event: events[step], ref, actor: step === 'hold' ? payer : 'hub' };
}
