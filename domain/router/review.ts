import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import type { TransferId } from '../ledger/transfer.ts';
import { atomic, type Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';

/**
 * Who may rate a listing (choices registry.reviews): who paid its holder at least 0.01 USDC, once
 * for each settlement, and never the holder itself.
 */
export const REVIEW_AMOUNT_MIN: Atomic = atomic(10_000n);
export const LICENSING_REASONS = ['call.charge', 'task.reward', 'pay'] as const;
type LicensingReason = (typeof LICENSING_REASONS)[number];

export interface Settlement {
  readonly transferId: TransferId;
  readonly reason: LicensingReason;
  readonly amount: Atomic;
  readonly network: NetworkId;
  readonly payer: Account;
  readonly payee: Account;
  readonly at: Instant;
  /** The call that it paid; absent for work and plain payments. */
  readonly call?: { readonly listingId: string; readonly operation: string };
}

export interface Review {
  readonly id: string;
  readonly listingId: string;
  readonly reviewer: Account;
  readonly rating: number;
  readonly settlement: Settlement;
  readonly at: Instant;
  /** The sealed block of the journal that has the payment; absent until it is sealed. */
  readonly seal?: { readonly blockNo: number; readonly digest: string };
}

export type NotReviewable = {
  readonly refused: 'not-licensed' | 'self-dealing' | 'settlement-too-small';
  readonly why: string;
};

/** Whether a settlement licenses its payer to rate the listing; `linked` is payer with holder. */
export function mayReview(
  settlement: Settlement | undefined,
  about: {
    readonly listingId: string;
    readonly holder: Account | undefined;
    readonly reviewer: Account;
    readonly linked: boolean;
  },
): Settlement | NotReviewable {
  const { listingId, holder, reviewer, linked } = about;
  if (holder === undefined) {
    const why = 'This listing has no holder: no account has proved it, so none was paid for it.';
    return { refused: 'not-licensed', why };
  }
  if (linked) {
    return { refused: 'self-dealing', why: 'The listing is yours, or an account linked to yours.' };
  }
  if (settlement === undefined || settlement.payer !== reviewer || settlement.payee !== holder) {
    const why = `The transfer is no payment of yours to ${holder}, who holds the listing.`;
    return { refused: 'not-licensed', why };
  }
  if (settlement.call !== undefined && settlement.call.listingId !== listingId) {
    const why = `The transfer paid a call of the listing ${settlement.call.listingId}.`;
    return { refused: 'not-licensed', why };
  }
  if (settlement.amount < REVIEW_AMOUNT_MIN) {
    const why = `The settlement is ${settlement.amount} atomic; at least ${REVIEW_AMOUNT_MIN} license.`;
    return { refused: 'settlement-too-small', why };
  }
  return settlement;
}
