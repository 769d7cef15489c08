import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import type { CommitmentId, TransferId } from '../ledger/transfer.ts';
import type { Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import type { ChainHash, EvmAddress } from '../rails/evm.ts';
import type { AccessClass, Price } from '../registry/listing.ts';
import type { Refusal as RuleBreak } from '../acceptance/rule.ts';
import { cleanLine } from '../registry/text.ts';
import type { Exclusion } from './candidate.ts';

/**
 * The record of one call (Router rules 1 to 4). Invariant: only a call that was served costs
 * something, with the transfer that paid beside it, and an ended call holds nothing.
 */
export const CALL_OUTCOMES = [
  'running',
  'served',
  'priced',
  'failed',
  'none-suitable',
  'unknown',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

export interface Receipt {
  readonly id: string;
  readonly caller: Account;
  readonly network: NetworkId;
  readonly operation: string;
  readonly maxPrice?: Atomic;
  readonly at: Instant;
  /** The time from which a call that still runs counts as abandoned. */
  readonly resolveAt: Instant;
  readonly endedAt?: Instant;
  readonly outcome: CallOutcome;
  readonly why: string;
  /** Who was called last, and where. */
  readonly listingId?: string;
  readonly endpoint?: string;
  readonly listedPrice?: Atomic;
  readonly quotedPrice?: Atomic;
  readonly cost: Atomic;
  readonly durationMs: number;
  /** SHA-256 in hex of the body of the last answer, exactly as received. */
  readonly responseHash?: string;
  readonly responseBytes: number;
  /** SHA-256 in hex of the JCS text of the rule that came along. */
  readonly acceptHash?: string;
  /** Why the last answer was not paid for, although there was one. */
  readonly unmet?: Unmet;
  readonly refused: readonly Refusal[];
  readonly considered: readonly Considered[];
  /** The hold for the candidate that is being called now. */
  readonly hold?: { readonly id: CommitmentId; readonly amount: Atomic };
  readonly paidTo?: Account;
  readonly transferId?: TransferId;
  /** A payment on the chain that the hub made for it. */
  readonly upstream?: UpstreamReceipt;
}

/** An answer that breaks what was promised (choices router.refunds). */
export interface Unmet {
  readonly by: 'output-schema' | 'acceptance';
  readonly refused: readonly RuleBreak[];
}

export interface UpstreamReceipt {
  readonly amount: Atomic;
  readonly payTo: EvmAddress;
  /** `open` may still be used by its receiver. */
  readonly state: 'open' | 'settled' | 'returned';
  /** The transactions of the chain and of the ledger, when it settled. */
  readonly transaction?: ChainHash;
  readonly transferId?: TransferId;
}

export interface Refusal {
  readonly listingId: string;
  readonly why: string;
  readonly price?: Price;
}

export interface Considered {
  readonly listingId: string;
  readonly name: string;
  readonly access: AccessClass;
  readonly price?: Price;
  readonly decision: Exclusion | 'tried' | 'not-needed';
  readonly why: string;
}

/** How an attempt ended, as measurements count it (`CallTally`). */
export type AttemptEnd = 'ok' | 'failed' | 'timedOut' | 'quoted' | 'keyNeeded';

/** One candidate has this long, and all of them together that long (choices router.calls). */
export const ATTEMPT_MS_MAX = 20_000;
export const CALL_MS_MAX = 60_000;
export const ANSWER_BYTES_MAX = 2 * 1_048_576;
/** A call that has not ended by now was cut off by a stop of the hub. */
export const RESOLVE_AFTER_SECONDS = 90;
export const CONSIDERED_MAX = 100;
const WHY_LENGTH_MAX = 400;

/** The receipt of a call that is over. What it held has been charged or returned before. */
export function closed(
  { hold: _, ...receipt }: Receipt,
  outcome: Exclude<CallOutcome, 'running'>,
  why: string,
  endedAt: Instant,
): Receipt {
  return { ...receipt, outcome, why: sentence(why), endedAt };
}

/** A reason as it is stored: parts of it may be untrusted text. */
export function sentence(text: string): string {
  return cleanLine(text, WHY_LENGTH_MAX) ?? 'It gave no reason.';
}
