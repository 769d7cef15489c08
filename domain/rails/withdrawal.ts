import type { Account } from '../account.ts';
import { plus, seconds, type Instant } from '../instant.ts';
import type { CommitmentId } from '../ledger/transfer.ts';
import { atomic, type Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import type { ChainHash, EvmAddress } from './evm.ts';
import type { TransactionState } from './transaction.ts';

/**
 * Money on its way out (choices rails.withdrawals), held whole from the request on. It leaves when
 * the network confirms it, and comes back only if recalled unsigned, or with proof that none left.
 */
export const WITHDRAWAL_STATES = ['pending', 'confirmed', 'failed', 'recalled'] as const;
type WithdrawalState = (typeof WITHDRAWAL_STATES)[number];
export const FAILURE_PROOFS = ['never-signed', 'reverted', 'nonce-spent'] as const;
export type FailureProof = (typeof FAILURE_PROOFS)[number];
export type WithdrawalStage = 'queued' | 'signed' | 'broadcast';

export interface Withdrawal {
  readonly id: string;
  readonly network: NetworkId;
  readonly account: Account;
  readonly address: EvmAddress;
  /** The amount that leaves the balance, the fee included. */
  readonly amount: Atomic;
  readonly fee: Atomic;
  readonly state: WithdrawalState;
  readonly waitsForOperator: boolean;
  readonly commitment: CommitmentId;
  /** The call that carries it; null on a simulated rail and while it waits for an operator. */
  readonly transactionId: string | null;
  readonly transferId: string | null;
  readonly txHash: ChainHash | null;
  readonly failureProof: FailureProof | null;
  readonly failureReason: string | null;
  readonly requestedAt: Instant;
  readonly updatedAt: Instant;
}

export interface Carried {
  readonly state: TransactionState;
  readonly minedBlock: number | null;
  readonly note: string | null;
}

/** The simulated rail takes as long as a client needs to see every stage. */
const SIMULATED_SIGNED_SECONDS = seconds(4);
const SIMULATED_SENT_SECONDS = seconds(6);
export const SIMULATED_SECONDS = seconds(10);

/** How far a pending withdrawal is; undefined once it ended. */
export function stageOf(
  withdrawal: Pick<Withdrawal, 'state' | 'network' | 'requestedAt'>,
  carried: Pick<Carried, 'state'> | undefined,
  now: Instant,
): WithdrawalStage | undefined {
  if (withdrawal.state !== 'pending') return undefined;
  if (withdrawal.network === 'sandbox') return simulatedStage(withdrawal.requestedAt, now);
  if (carried === undefined || carried.state === 'queued') return 'queued';
  return carried.state === 'signed' || carried.state === 'dropped' ? 'signed' : 'broadcast';
}

function simulatedStage(requestedAt: Instant, now: Instant): WithdrawalStage {
  if (now < plus(requestedAt, SIMULATED_SIGNED_SECONDS)) return 'queued';
  return now < plus(requestedAt, SIMULATED_SENT_SECONDS) ? 'signed' : 'broadcast';
}

/** The address of the simulated rail whose withdrawals fail, so that clients rehearse that too. */
export const SIMULATED_FAILURE = '0x000000000000000000000000000000000000dead' as EvmAddress;

/** On a real network more than this waits for an operator: each, and in a UTC day. */
export const AUTOMATIC_EACH = atomic(500_000_000n);
export const AUTOMATIC_DAILY = atomic(2_000_000_000n);

/** `today` is what the account asked for in this UTC day, this withdrawal included. */
export function needsOperator(amount: Atomic, today: Atomic): boolean {
  return amount > AUTOMATIC_EACH || today > AUTOMATIC_DAILY;
}

export function arrives({ amount, fee }: Pick<Withdrawal, 'amount' | 'fee'>): Atomic {
  return atomic(amount - fee);
}

/** After a change of the payout address on a real network. */
const COOLING_SECONDS = seconds(86_400);

export function coolingUntil(changedAt: Instant | null, now: Instant): Instant | undefined {
  if (changedAt === null) return undefined;
  const until = plus(changedAt, COOLING_SECONDS);
  return now < until ? until : undefined;
}
