import type { Account, KeyId } from '../domain/account.ts';
import type { SpentPart } from '../domain/wallet/spentParts.ts';

/**
 * The key that a unit of work spends for, under its spending policy (db/ledger/spending.ts). A unit
 * without one that gives back what a key held spends for that key from then on.
 */
export interface Spender {
  readonly keyId: KeyId;
  readonly account: Account;
  /** Digest of the signed call, by which it is approved; absent where no call is at work. */
  readonly digest?: () => string;
}

export interface Spending extends Spender {
  /** Taken by the call so far, beyond what was given back where the unit has a call of its own. */
  readonly taken: bigint;
  /** The parts of its holds that this unit gave back and did not take again. */
  readonly credits: readonly SpentPart[];
  readonly isApproved?: boolean;
}

export function spendingOf(spender: Spender): Spending {
  return { ...spender, taken: 0n, credits: [] };
}
