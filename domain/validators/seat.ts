import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import type { CommitmentId } from '../ledger/transfer.ts';
import { atomic, ZERO } from '../money.ts';
import type { Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import { measuredNext } from './measureTime.ts';

/**
 * A judge's seat (choices validators.seats, validators.record). Invariant: an account has one for
 * ever, on one network, and its stake is held exactly while it is seated.
 */
export const SEAT_STATES = ['seated', 'closed', 'retired'] as const;
export type SeatState = (typeof SEAT_STATES)[number];
export const PAUSED_REASONS = ['probe-pending', 'probe-failed', 'no-shows'] as const;
type PausedReason = (typeof PAUSED_REASONS)[number];

export interface ValidatorSeat {
  readonly id: string;
  readonly account: Account;
  readonly network: NetworkId;
  readonly state: SeatState;
  /** Why no case is routed to it; absent while cases are. */
  readonly paused?: PausedReason;
  readonly endpoint: string;
  /** The host that one seat alone may have, or an opened pair. */
  readonly endpointHost: string;
  /** Absent judges any task. */
  readonly skill?: string;
  readonly minFeeBps: number;
  readonly stake: Atomic;
  readonly holdId?: CommitmentId;
  readonly seatedAt: Instant;
  readonly endedAt?: Instant;
  readonly record: SeatRecord;
  /** When the next synthetic case goes out, and how many were answered badly in a row. */
  readonly probe: { readonly at?: Instant; readonly failed: number };
  /** When its figures are computed again; absent while they are current. */
  readonly measureAt?: Instant;
}

export interface SeatRecord {
  /** Decided rounds that it voted in. */
  readonly rounds: number;
  /** Votes with the majority, and against it, of rounds with several judges. */
  readonly agreed: number;
  readonly disagreed: number;
  readonly noShows: number;
  /** Accepted verdicts that lost a dispute; shown, not counted. */
  readonly overturned: number;
  /** Draws in a row that it did not answer. */
  readonly missedInRow: number;
  /** The newest of its decided rounds with several judges, oldest first: `a` agreed, `d` not. */
  readonly window: string;
  /** Milliseconds from call to verdict, of its newest votes in decided rounds, oldest first. */
  readonly answersMs: readonly number[];
}

export const NO_RECORD: SeatRecord = {
  rounds: 0,
  agreed: 0,
  disagreed: 0,
  noShows: 0,
  overturned: 0,
  missedInRow: 0,
  window: '',
  answersMs: [],
};

const CEILING_BASE = 1_000_000n;
const CEILING_FACTOR = 5n;
const WINDOW_ROUNDS = 20;
export const RETIRES_AT_DISAGREED = 10;
const NO_SHOWS_MAX = 3;
/** The median is over this many answers. */
const ANSWERS_KEPT = 99;

/** The largest reward that a seat may judge or arbitrate: 1 USDC and five times its stake. */
export function ceilingOf(stake: Atomic): Atomic {
  return atomic(CEILING_BASE + CEILING_FACTOR * stake);
}

/** The least stake whose ceiling covers a reward. */
export function stakeFor(reward: bigint): bigint {
  const above = reward - CEILING_BASE;
  return above <= 0n ? 0n : (above + CEILING_FACTOR - 1n) / CEILING_FACTOR;
}

export function mayJudge({ state, paused }: ValidatorSeat): boolean {
  return state === 'seated' && paused === undefined;
}

/** The record after a decided round; a lone judge has no other judge to agree with. */
export function voted(
  record: SeatRecord,
  { agreed, answerMs }: { readonly agreed: boolean | undefined; readonly answerMs: number },
): SeatRecord {
  const answersMs = [...record.answersMs, answerMs].slice(-ANSWERS_KEPT);
  const answer = { ...record, rounds: record.rounds + 1, missedInRow: 0, answersMs };
  if (agreed === undefined) return answer;
  return {
    ...answer,
    agreed: record.agreed + (agreed ? 1 : 0),
    disagreed: record.disagreed + (agreed ? 0 : 1),
    window: (record.window + (agreed ? 'a' : 'd')).slice(-WINDOW_ROUNDS),
  };
}

export function disagreedInWindow({ window }: SeatRecord): number {
  return [...window].filter((each) => each === 'd').length;
}

/** The lower median; undefined before the first answer. */
export function medianAnswerMs({ answersMs }: SeatRecord): number | undefined {
  const sorted = [...answersMs].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** Half of twenty rounds lost: the seat ends, its stake is burned (choices validators.record). */
export function mustRetire(record: SeatRecord): boolean {
  return disagreedInWindow(record) >= RETIRES_AT_DISAGREED;
}

/** Ends a seat: its stake is decided elsewhere and no longer its own. */
export function endSeat(
  seat: ValidatorSeat,
  state: 'closed' | 'retired',
  at: Instant,
): ValidatorSeat {
  const { paused: _paused, holdId: _holdId, ...kept } = seat;
  return { ...kept, state, stake: ZERO, endedAt: at, probe: { failed: 0 } };
}

/** The seat after a draw that it did not answer; the third in a row pauses it. */
export function timedOut(seat: ValidatorSeat, now: Instant): ValidatorSeat {
  const { record } = seat;
  const missedInRow = record.missedInRow + 1;
  const missed = { ...record, noShows: record.noShows + 1, missedInRow };
  const after = { ...seat, record: missed, measureAt: measuredNext(now) };
  if (missedInRow < NO_SHOWS_MAX || seat.state !== 'seated') return after;
  return { ...after, paused: 'no-shows', probe: { at: now, failed: 0 } };
}
