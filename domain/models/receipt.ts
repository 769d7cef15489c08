import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import type { CommitmentId, TransferId } from '../ledger/transfer.ts';
import { atomic, ZERO, type Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import { cleanLine } from '../registry/text.ts';
import { costOf, type TokenPrice, type Tokens } from './offer.ts';

/**
 * One model call (interface, Models, rules 1 to 6). Invariant: what was held was charged or
 * returned, a failed call costs nothing, and one that is over holds nothing.
 */
export const MODEL_OUTCOMES = ['running', 'completed', 'closed-early', 'failed'] as const;
type ModelOutcome = (typeof MODEL_OUTCOMES)[number];

export const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter'] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];

export type Door = 'api' | 'v1';
type UsageSource = 'provider' | 'counted';

export interface Usage extends Tokens {
  readonly source: UsageSource;
}

export interface ModelReceipt {
  readonly id: string;
  readonly at: Instant;
  readonly payer: Account;
  readonly network: NetworkId;
  readonly door: Door;
  readonly apiKeyHint?: string;
  /** The API key against whose budget it counts. */
  readonly budget?: string;
  /** The paid service that made the call for the payer; its own price is held as well. */
  readonly service?: string;
  readonly model: string;
  readonly maxTokens: number;
  /** When a call that is still running then belongs to no process any more. */
  readonly resolveAt: Instant;
  readonly endedAt?: Instant;
  readonly outcome: ModelOutcome;
  readonly reason?: string;
  readonly finishReason?: FinishReason;
  readonly usage: Usage;
  /** The amount held before the call; it stays on the receipt after the hold ends. */
  readonly held: Atomic;
  readonly charged: Atomic;
  /** The part of the cost that the hub bears. */
  readonly borne: Atomic;
  readonly holdId?: CommitmentId;
  readonly durationMs: number;
  readonly firstTokenMs?: number;
  readonly servedBy?: string;
  /** The model that answered in place of the one that was asked for. */
  readonly servedModel?: string;
  /** The price of the provider that serves; of the cheapest until one does. */
  readonly price: TokenPrice;
  readonly refused: readonly ProviderRefusal[];
  readonly transferId?: TransferId;
}

export interface ProviderRefusal {
  readonly provider: string;
  readonly why: string;
}

export interface Ending {
  readonly outcome: Exclude<ModelOutcome, 'running'>;
  readonly reason?: string;
  readonly finishReason?: FinishReason;
  readonly usage: Usage;
  readonly firstTokenMs?: number;
  readonly servedBy?: string;
  readonly servedModel?: string;
  readonly price: TokenPrice;
  readonly refused: readonly ProviderRefusal[];
  /** The most that it costs, when more than that is held. */
  readonly most?: Atomic;
  /** The hub bears what it cost. */
  readonly isBorne?: boolean;
}

/** The lease of a running call, and how often the process that runs it renews it. */
export const LEASE_SECONDS = 60;
export const RENEW_FIRST_MS = 1_000;
export const RENEW_MS = 5_000;
export const DEFAULT_MAX_TOKENS = 4_096;
const WHY_LENGTH_MAX = 400;

/** The cost of an ended call, whether payer or hub bears it: its usage, at most the hold. */
export function usageCost({ outcome, usage, price, most }: Ending, held: Atomic): Atomic {
  if (outcome === 'failed') return ZERO;
  const cost = costOf(usage, price);
  const limit = most ?? held;
  return cost > limit ? limit : cost;
}

export function chargeOf(ending: Ending, held: Atomic): Atomic {
  return ending.isBorne === true ? ZERO : usageCost(ending, held);
}

export function returnedOf({ outcome, held, charged }: ModelReceipt): Atomic {
  return outcome === 'running' ? ZERO : atomic(held - charged);
}

export function ended(
  { holdId: _, ...receipt }: ModelReceipt,
  ending: Ending,
  at: Instant,
): ModelReceipt {
  const { reason, most: _most, isBorne: _isBorne, ...rest } = ending;
  const charged = chargeOf(ending, receipt.held);
  return {
    ...receipt,
    ...rest,
    ...(reason !== undefined && { reason: sentence(reason) }),
    charged,
    borne: atomic(usageCost(ending, receipt.held) - charged),
    endedAt: at,
    durationMs: Math.max(0, at - receipt.at),
  };
}

/** A reason as it is kept: parts of it may be a provider's words. */
export function sentence(text: string): string {
  return cleanLine(text, WHY_LENGTH_MAX) ?? 'It gave no reason.';
}
