import { charges } from '../../generated/charges.ts';
import type { Account } from '../account.ts';
import { seconds } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { atomic, bps, ZERO } from '../money.ts';
import type { Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';

/**
 * A parimutuel market (choices predictions.terms). Invariant: a pot is the sum of its side's held
 * stakes, and only the settlement takes anything out, and all of it.
 */
export const MARKET_STATES = ['open', 'closed', 'resolved', 'voided'] as const;
export type MarketState = (typeof MARKET_STATES)[number];
export const SIDES = ['yes', 'no'] as const;
export type Side = (typeof SIDES)[number];
export type Outcome = Side | 'void';
export const VOID_REASONS = ['unanswerable', 'empty-side', 'unresolved', 'no-sample'] as const;
export type VoidReason = (typeof VOID_REASONS)[number];
export const CHECK_OPS = ['gt', 'gte', 'lt', 'lte', 'eq'] as const;
export type CheckOp = (typeof CHECK_OPS)[number];

export const METRICS = [
  'agents.total',
  'agents.live',
  'agents.x402',
  'tasks.open',
  'tasks.paid.24h',
  'volume.settled.24h',
  'fees.pool',
  'supply.total',
  'disputes.open',
  'validators.seated',
  'calls.ok.24h',
  'calls.volume.24h',
  'poker.hands.24h',
  'markets.open',
  'time.head',
  'time.gaps.7d',
] as const;
export type Metric = (typeof METRICS)[number];

export interface Check {
  readonly metric: Metric;
  readonly op: CheckOp;
  readonly value: bigint;
}

/** A number as it stood at a moment, the closing time of its market. */
export interface Sample {
  readonly value: bigint;
  readonly at: Instant;
  readonly pulseSeq: number;
}

export interface Pots {
  readonly yes: Atomic;
  readonly no: Atomic;
}

export interface Market {
  readonly id: string;
  readonly question: string;
  readonly source: string;
  readonly network: NetworkId;
  readonly creator: Account;
  readonly state: MarketState;
  /** Absent on a market that a judge settles. */
  readonly check?: Check;
  readonly pots: Pots;
  /** Accounts with a stake on each side, and on either. */
  readonly bettors: { readonly yes: number; readonly no: number; readonly all: number };
  /** Grows by one with every bet and every change of state. */
  readonly version: number;
  readonly closesAt: Instant;
  readonly resolveBy: Instant;
  readonly createdAt: Instant;
  readonly ended?: Ended;
}

interface Ended {
  readonly outcome: Outcome;
  readonly voidReason?: VoidReason;
  /** The judge; absent when a number or the clock settled it. */
  readonly resolvedBy?: Account;
  readonly evidence?: string;
  readonly sample?: Sample;
  readonly judgeShare: Atomic;
  readonly won: Atomic;
  readonly returned: Atomic;
  readonly transferId?: string;
  readonly at: Instant;
}

export interface Position {
  readonly account: Account;
  readonly yes: Atomic;
  readonly no: Atomic;
  /** Order of its first bet in the market. */
  readonly place: number;
}

export const LISTING_FEE = atomic(BigInt(charges['predictions.create'].parts.base.amount));
export const BET_MINIMUM = atomic(10_000n);
export const BETTORS_MAXIMUM = 2_000;
export const JUDGE_BPS = bps(100);
export const VOID_AFTER = seconds(7 * 86_400);
export const VOID_AFTER_CHECK = seconds(86_400);
/** After closing, so that transactions begun before it are committed when a number is counted. */
export const COUNTED_AFTER = seconds(10);
/** How long a market stays open on a real network. */
export const OPEN_MINIMUM = seconds(600);
export const OPEN_MINIMUM_CHECK = seconds(86_400);
export const OPEN_MAXIMUM = seconds(90 * 86_400);
/** The databases hold moments up to 2^53 - 1; beyond the year 9999 a time has no ISO text. */
const LAST_MOMENT = 253_402_300_799_000;
export const CLOSES_MAXIMUM = LAST_MOMENT - VOID_AFTER * 1000;

export const NO_POTS: Pots = { yes: ZERO, no: ZERO };

export function potOf({ yes, no }: Pots): Atomic {
  return atomic(yes + no);
}

export function otherSide(side: Side): Side {
  return side === 'yes' ? 'no' : 'yes';
}
