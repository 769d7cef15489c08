import type { Instant } from '../instant.ts';
import { ZERO, type Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import type { ChainHash, EvmAddress, Hex } from './evm.ts';

/**
 * A call that the hot wallet is to send, and its state (choices rails.withdrawals). Any part of the
 * hub enqueues one; one signer gives it a nonce and follows it to its end.
 *
 * `queued` waits for a nonce, and only then may it be dropped; `signed` is stored and may be out
 * already; `broadcast` was taken by a node. It ends as `confirmed` (mined and deep enough),
 * `reverted` (mined and refused by the contract, final), `replaced` (another transaction of its
 * nonce is final) or `dropped` (never signed). The last three prove that the call did nothing.
 */
export const TRANSACTION_STATES = [
  'queued',
  'dropped',
  'signed',
  'broadcast',
  'confirmed',
  'reverted',
  'replaced',
] as const;
export type TransactionState = (typeof TRANSACTION_STATES)[number];

export interface ChainTransaction {
  readonly id: string;
  readonly network: NetworkId;
  readonly purpose: string;
  readonly refId: string;
  readonly to: EvmAddress;
  readonly data: Hex;
  readonly state: TransactionState;
  readonly sender: EvmAddress | null;
  readonly nonce: number | null;
  /** Nothing about it can change any more, on the chain either. */
  readonly final: boolean;
  /** Units of the token that the wallet must have before it is worth signing. */
  readonly needs: Atomic;
  /** How often the contract would have refused it, and how often is enough to drop it. */
  readonly tries: number;
  readonly triesMax: number;
  readonly nextTryAt: Instant;
  /** An operator wants the nonce spent on nothing. */
  readonly cancelAsked: boolean;
  readonly minedHash: ChainHash | null;
  readonly minedBlock: number | null;
  readonly replacedBy: ChainHash | null;
  /** Why it waits or came to nothing. */
  readonly note: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Returns an untouched transaction: queued, without a nonce, due at once. */
export function newTransaction<Known extends Partial<ChainTransaction>>(
  now: Instant,
  known: Known,
) {
  return {
    state: 'queued',
    sender: null,
    nonce: null,
    final: false,
    needs: ZERO,
    tries: 0,
    nextTryAt: now,
    cancelAsked: false,
    minedHash: null,
    minedBlock: null,
    replacedBy: null,
    note: null,
    createdAt: now,
    updatedAt: now,
    ...known,
  } as const;
}

/** One signed form of a transaction; all forms of one have the same nonce. */
export interface Attempt {
  readonly attempt: number;
  /** A cancel sends nothing to oneself. */
  readonly kind: 'call' | 'cancel';
  readonly hash: ChainHash;
  readonly raw: Hex;
  readonly gas: bigint;
  readonly maxFee: bigint;
  readonly priorityFee: bigint;
  readonly signedAt: Instant;
}

const FIRST_WAIT_SECONDS = 15;
const WAIT_SECONDS_MAX = 900;

/** Seconds until a call that the contract would refuse is looked at again: 15, 30, 60 … 900. */
export function waitAfter(tries: number): number {
  return Math.min(FIRST_WAIT_SECONDS * 2 ** Math.max(0, tries - 1), WAIT_SECONDS_MAX);
}

/** A node takes a replacement from 10 % on; a quarter more leaves room for its rounding. */
const BUMP_NUMERATOR = 5n;
const BUMP_DENOMINATOR = 4n;

/** Fees of the next form of a transaction: the market's, but never too little to replace it. */
export function bumped(
  last: Pick<Attempt, 'maxFee' | 'priorityFee'>,
  market: Pick<Attempt, 'maxFee' | 'priorityFee'>,
): { readonly maxFee: bigint; readonly priorityFee: bigint } {
  const above = (fee: bigint): bigint => (fee * BUMP_NUMERATOR) / BUMP_DENOMINATOR + 1n;
  const priorityFee = max(above(last.priorityFee), market.priorityFee);
  return { priorityFee, maxFee: max(above(last.maxFee), max(market.maxFee, priorityFee)) };
}

/** Gas that is asked for: the estimate and a third, since storage may cost more by then. */
export function gasLimit(estimate: bigint): bigint {
  return estimate + estimate / 3n + 10_000n;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
