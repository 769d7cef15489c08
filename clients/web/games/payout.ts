import { usdc } from '../format.ts';
import type { Sample } from '../parts/plotScale.ts';

/** The pots of a market (choices predictions.payout), exact, in atomic units. */
export interface Pots {
  readonly yes: string;
  readonly no: string;
}
export type Side = keyof Pots;

const BPS = 10_000n;

/**
 * Returns the payout of a stake, itself included, if its side wins with these pots and the stake in
 * them, rounded as the hub rounds. A left-over unit may be added.
 */
export function projected(pots: Pots, side: Side, stake: string, judgeBps: number): string {
  const own = BigInt(stake);
  const winning = BigInt(pots[side]) + own;
  const losing = BigInt(pots[side === 'yes' ? 'no' : 'yes']);
  const shared = losing - (losing * BigInt(judgeBps)) / BPS;
  return String(winning === 0n ? 0n : own + (own * shared) / winning);
}

export interface Odds extends Pots {
  readonly at: string;
}
/**
 * Returns the share of yes in the pot, in percent, after each bet. Bets before the first one
 * against them have no price, so they are left out once both sides have bets.
 */
export function oddsOf(odds: readonly Odds[]): readonly Sample[] {
  const first = odds.findIndex(({ yes, no }) => yes !== '0' && no !== '0');
  return odds.slice(Math.max(0, first)).flatMap(({ at, yes, no }) => {
    const pot = BigInt(yes) + BigInt(no);
    if (pot === 0n) return [];
    return [{ at: Date.parse(at), values: [Number((BigInt(yes) * BPS) / pot) / 100] }];
  });
}

const CENT = 10_000n;

/** An amount down to the cent, for a price beside a question; the exact one is shown at a bet. */
export function cents(units: string): string {
  return usdc(String((BigInt(units) / CENT) * CENT));
}
