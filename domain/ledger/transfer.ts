import type { Account } from '../account.ts';
import type { Brand } from '../brand.ts';
import type { Instant } from '../instant.ts';
import type { Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import type { HoldKind, Reason } from './reasons.ts';

/**
 * The words of the ledger. One business event is one transfer of n steps on one network and asset
 * (I6); money is parked in two ways only, by a move or by a hold (choices ledger.holds).
 */
export type TransferId = Brand<string, 'TransferId'>;
export type CommitmentId = Brand<string, 'CommitmentId'>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The caller makes ids; throws RangeError unless it is a lower-case UUID. */
export function transferId(uuid: string): TransferId {
  if (!UUID.test(uuid)) throw new RangeError(`not a transfer id: ${uuid}`);
  return uuid as TransferId;
}

export function commitmentId(uuid: string): CommitmentId {
  if (!UUID.test(uuid)) throw new RangeError(`not a commitment id: ${uuid}`);
  return uuid as CommitmentId;
}

/** The subject of a transfer or a hold: `{kind: 'task', id: ...}`. */
export interface Ref {
  readonly kind: string;
  readonly id: string;
}

/** Takes an amount from one balance and gives it to another; an amount of zero writes nothing. */
export interface Move {
  readonly verb: 'move';
  readonly from: Account;
  readonly to: Account;
  readonly amount: Atomic;
  readonly reason: Reason;
}
/** Opens a commitment: the amount stays in the balance and is no longer spendable. */
export interface Hold {
  readonly verb: 'hold';
  readonly commitment: CommitmentId;
  readonly account: Account;
  readonly kind: HoldKind;
  /** The subject that it is held for; the transfer's own ref when absent. */
  readonly ref?: Ref;
  readonly amount: Atomic;
  readonly reason: Reason;
  readonly expiresAt?: Instant;
}
/**
 * Gives back a part of a commitment, or all that remains when `amount` is absent; then nothing
 * remaining after a capture of the same transfer writes nothing.
 */
export interface Release {
  readonly verb: 'release';
  readonly commitment: CommitmentId;
  readonly amount?: Atomic;
  readonly reason: Reason;
}
/** Pays out of a commitment: releases the sum of the legs and moves each in the same breath. */
export interface Capture {
  readonly verb: 'capture';
  readonly commitment: CommitmentId;
  /** Reason of the release entry; each leg carries its own. */
  readonly reason: Reason;
  readonly to: readonly CapturePosting[];
}
export interface CapturePosting {
  readonly account: Account;
  readonly amount: Atomic;
  readonly reason: Reason;
}
export type Step = Move | Hold | Release | Capture;

export interface Transfer {
  readonly id: TransferId;
  readonly at: Instant;
  readonly network: NetworkId;
  readonly asset: string;
  /** The event that caused it, such as `wallet.pay`. */
  readonly event: string;
  readonly ref: Ref;
  /** Who caused it: an account, or `hub` for the hub's own jobs. */
  readonly actor: string;
  readonly memo?: string;
  readonly steps: readonly Step[];
}

export interface Balance {
  /** Only `external:*` accounts go below zero (choices ledger.tables). */
  readonly posted: bigint;
  readonly held: bigint;
  /** Sequence of the newest entry; 0 before the first. */
  readonly seq: number;
}
export interface Commitment {
  readonly id: CommitmentId;
  readonly account: Account;
  readonly network: NetworkId;
  readonly asset: string;
  readonly kind: HoldKind;
  readonly ref: Ref;
  readonly amount: Atomic;
  /** Zero closes it. */
  readonly remaining: Atomic;
  readonly expiresAt?: Instant;
}

/** One line of a statement. `delta` changes `posted` (move) or `held` (hold, release). */
export interface Entry {
  readonly account: Account;
  readonly accountSeq: number;
  readonly kind: 'move' | 'hold' | 'release';
  readonly reason: Reason;
  readonly counterparty?: Account;
  readonly delta: bigint;
  readonly postedAfter: bigint;
  readonly heldAfter: bigint;
}

export interface Applied {
  readonly entries: readonly Entry[];
  /** The accounts that the transfer touched, as they are after it. */
  readonly balances: ReadonlyMap<Account, Balance>;
  /** The commitments that it opened or changed, as they are after it. */
  readonly commitments: ReadonlyMap<CommitmentId, Commitment>;
}
export interface InsufficientFunds {
  readonly refused: 'insufficient-funds';
  readonly account: Account;
  /** The spendable amount before the transfer. */
  readonly spendable: Atomic;
  /** The spendable amount that the whole transfer would have needed. */
  readonly needed: Atomic;
}
