import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import { atomic, type Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import type { ChainHash, EvmAddress } from './evm.ts';

/**
 * A transfer of the chain to an address of deposits (choices rails.deposits). It is one thing for
 * ever by its transaction and log index, whichever block it is in, and is credited once.
 */
export const DEPOSIT_STATES = ['seen', 'credited', 'orphaned', 'reversed'] as const;
type DepositState = (typeof DEPOSIT_STATES)[number];

export interface Deposit {
  readonly id: string;
  readonly network: NetworkId;
  readonly account: Account;
  readonly address: EvmAddress;
  readonly sender: EvmAddress;
  readonly txHash: ChainHash;
  readonly logIndex: number;
  readonly height: number;
  readonly blockHash: ChainHash;
  readonly amount: Atomic;
  readonly state: DepositState;
  /** Its block cannot leave the chain any more. */
  readonly final: boolean;
  /** Since when it is credited and in no block of the chain; null while it is in one. */
  readonly missingSince: Instant | null;
  readonly transferId: string | null;
  readonly reversalId: string | null;
  /** The amount that a reversal did not find in the account. */
  readonly shortfall: Atomic;
  readonly seenAt: Instant;
  readonly updatedAt: Instant;
}

/** Above this a deposit waits for finality, however deep it is: 1,000 USDC. */
export const FINALITY_ABOVE = atomic(1_000_000_000n);

/** The heights of the chain, and the confirmations that a deposit needs. */
export interface Depth {
  readonly head: number;
  readonly finalized: number;
  readonly confirmations: number;
}

export function blocksOnTop({ height }: Pick<Deposit, 'height'>, head: number): number {
  return Math.max(0, head - height);
}

/** Whether a deposit that is still in its block may be credited. */
export function isDeepEnough(deposit: Pick<Deposit, 'height' | 'amount'>, depth: Depth): boolean {
  if (deposit.height <= depth.finalized) return true;
  return (
    deposit.amount <= FINALITY_ABOVE && blocksOnTop(deposit, depth.head) >= depth.confirmations
  );
}

/** The money of an account from which a missing deposit may be taken back. */
export interface AtRisk {
  /** Credited deposits that are in no block of the chain now. */
  readonly missing: Atomic;
  readonly spendable: bigint;
  /** Held for withdrawals that are not signed. */
  readonly unsent: Atomic;
}

/** Whether money stays until the state of the deposits that it may come from is known. */
export function waitsForDeposits(amount: Atomic, { missing, spendable, unsent }: AtRisk): boolean {
  return missing > 0n && spendable + unsent - amount < missing;
}

/** A vanished deposit is taken from the account, then from the hub; the rest is lost. */
export function reversalOf(
  amount: Atomic,
  spendable: bigint,
  reserve: bigint,
): { readonly account: Atomic; readonly reserve: Atomic; readonly shortfall: Atomic } {
  const account = least(amount, spendable);
  const shortfall = atomic(amount - account);
  return { account, shortfall, reserve: least(shortfall, reserve) };
}

function least(wanted: bigint, has: bigint): Atomic {
  const some = has < 0n ? 0n : has;
  return atomic(wanted < some ? wanted : some);
}
