/** What a market pays (choices predictions.payout): exact, in atomic units, as the hub rounds. */
export interface Pots {
  readonly yes: string;
  readonly no: string;
}
export type Side = keyof Pots;

const BPS = 10_000n;

/**
 * What a stake on a side brings back, itself included, if that side comes true with these pots and
 * the stake in them. A left-over unit may come on top.
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
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The part of yes over time, both from 0 to 100, from the first bet to a moment in milliseconds. */
export function oddsLine(odds: readonly Odds[], until: number): readonly Point[] {
  const from = Date.parse(odds[0]?.at ?? '');
  const length = Math.max(1, until - from);
  return odds.flatMap(({ at, yes, no }) => {
    const pot = BigInt(yes) + BigInt(no);
    if (pot === 0n) return [];
    const x = Math.min(100, ((Date.parse(at) - from) * 100) / length);
    return [{ x, y: Number((BigInt(yes) * BPS) / pot) / 100 }];
  });
}
