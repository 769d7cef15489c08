import type { Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
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
import type { Hub } from '../kernel/hub.ts';
import {
  move,
  mustMove,
  NO_HOLD,
  readsOfMove,
  type TransferCause,
  type TransferRequest,
} from '../wallet/transfer.ts';

/**
 * The money of a request that a slow provider serves: held before the work, which runs outside of
 * any unit of work, and afterwards charged or returned in the unit that says so on the receipt. One
 * meter belongs to one request; a killed hub leaves its hold, which the area's job returns.
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
type MeterStep = 'hold' | 'charge' | 'return';

export interface MeterHold {
  readonly id: CommitmentId;
  readonly amount: Atomic;
}

/** A payment to an account out of a hold. */
export interface MeterShare {
  readonly account: Account;
  readonly amount: Atomic;
}

/** Holds an amount, in place of what is held already; answers a refusal, having moved nothing. */
export function holdAmount(
  db: Decider,
  hub: Hub,
  meter: Meter,
  amount: Atomic,
  held?: MeterHold,
): { readonly hold: MeterHold; readonly transferId: TransferId } | InsufficientFunds {
  const hold = { id: commitmentId(db.newId(hub.ids)), amount };
  const posted = move(db, hub, holding(meter, hold, held));
  return 'refused' in posted ? posted : { hold, transferId: posted.transferId };
}

/** Returns the reads of `holdAmount` where nothing is held already. */
export function readsOfHold(hub: Hub, meter: Meter, amount: Atomic): readonly Need[] {
  return readsOfMove(hub, holding(meter, { id: NO_HOLD, amount }));
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

/** Pays shares out of a hold, which covers them, and gives the rest back: all of it without any. */
export function endHold(
  db: Decider,
  hub: Hub,
  meter: Meter,
  held: MeterHold,
  shares: readonly MeterShare[],
): TransferId {
  return mustMove(db, hub, ending(meter, held, shares));
}

export function readsOfEnd(
  hub: Hub,
  meter: Meter,
  held: MeterHold,
  shares: readonly MeterShare[],
): readonly Need[] {
  return readsOfMove(hub, ending(meter, held, shares), [meter.payer]);
}

function ending(meter: Meter, held: MeterHold, shares: readonly MeterShare[]): TransferRequest {
  return shares.length === 0
    ? { ...causeOf(meter, 'return'), steps: [release(meter, held)] }
    : charging(meter, held, shares);
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

function release({ reasons }: Meter, { id }: MeterHold): Step {
  return { verb: 'release', commitment: id, reason: reasons.return };
}

/** The payer holds, the hub does the rest. */
function causeOf({ ref, payer, network, events }: Meter, step: MeterStep): TransferCause {
  return { network, event: events[step], ref, actor: step === 'hold' ? payer : 'hub' };
}
