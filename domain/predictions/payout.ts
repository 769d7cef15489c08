import type { Account } from '../account.ts';
import { atomic, bpsFloor, ZERO } from '../money.ts';
import type { Atomic } from '../money.ts';
import { largestRemainder } from '../remainder.ts';
import {
  JUDGE_BPS,
  otherSide,
  type Outcome,
  type Position,
  type Pots,
  type Side,
} from './model.ts';

/**
 * Who gets what (choices predictions.payout). Invariant: what goes back, what is won and the
 * judge's share are the whole pot, to the unit, and a winner never gets back less than the stake.
 */
export interface Payout {
  readonly account: Account;
  /** Own stakes that go back. */
  readonly returned: Atomic;
  readonly won: Atomic;
  readonly lost: Atomic;
}

export interface Settlement {
  readonly outcome: Outcome;
  readonly judgeShare: Atomic;
  readonly won: Atomic;
  readonly returned: Atomic;
  readonly payouts: readonly Payout[];
}

/** Returns the judge's share when this side comes true; nothing when no account had bet on it. */
export function judgeShareOf(pots: Pots, outcome: Side): Atomic {
  return pots[outcome] === ZERO ? ZERO : bpsFloor(pots[otherSide(outcome)], JUDGE_BPS);
}

export function voided(positions: readonly Position[]): Settlement {
  const payouts = positions.map(({ account, yes, no }) => ({
    account,
    returned: atomic(yes + no),
    won: ZERO,
    lost: ZERO,
  }));
  const returned = atomic(payouts.reduce((sum, payout) => sum + payout.returned, 0n));
  return { outcome: 'void', judgeShare: ZERO, won: ZERO, returned, payouts };
}

/** Shares the losing pot by stake; what is left over goes out by largest remainder. */
export function settled(
  positions: readonly Position[],
  outcome: Side,
  settledBy: 'judge' | 'check',
): Settlement {
  const pots = potsOfPositions(positions);
  const winning = pots[outcome];
  if (winning === ZERO && pots[otherSide(outcome)] > 0n) return voided(positions);
  const judgeShare = settledBy === 'judge' ? judgeShareOf(pots, outcome) : ZERO;
  const shared = pots[otherSide(outcome)] - judgeShare;
  const shares = largestRemainder(
    shared,
    positions.map((position) => position[outcome]),
    positions.map(({ place }) => place),
  );
  const payouts = positions.map((position, nth) => ({
    account: position.account,
    returned: position[outcome],
    won: atomic(shares[nth] ?? 0n),
    lost: position[otherSide(outcome)],
  }));
  return { outcome, judgeShare, won: atomic(shared), returned: winning, payouts };
}

export function potsOfPositions(positions: readonly Position[]): Pots {
  const sum = (side: Side): Atomic =>
    atomic(positions.reduce((total, position) => total + position[side], 0n));
  return { yes: sum('yes'), no: sum('no') };
}

/**
 * Returns the payout of a stake on a side that comes true at these pots, which contain it. A
 * left-over unit may come on top.
 */
export function returnOf(
  stake: Atomic,
  side: Side,
  pots: Pots,
  settledBy: 'judge' | 'check',
): Atomic {
  if (stake === ZERO) return ZERO;
  const losing = pots[otherSide(side)];
  const share = settledBy === 'judge' ? judgeShareOf(pots, side) : ZERO;
  return atomic(stake + (stake * (losing - share)) / pots[side]);
}

/** Returns the payout of an account with stakes on both sides by outcome, at the present pots. */
export function ifOutcome(
  position: Pick<Position, 'yes' | 'no'>,
  side: Side,
  pots: Pots,
  settledBy: 'judge' | 'check',
): Atomic {
  // No account bet on the side that came true: every stake goes back.
  if (pots[side] === ZERO) return atomic(position.yes + position.no);
  return returnOf(position[side], side, pots, settledBy);
}
