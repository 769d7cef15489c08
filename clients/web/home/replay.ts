import type { Earnings } from '../types.ts';

type Payout = Earnings['recent'][number];

/** A line of the ticker: a payout that happened, or a step of the starter task as an example. */
export type Line =
  { readonly is: 'paid'; readonly payout: Payout } | { readonly is: 'step'; readonly step: number };

const PAYOUTS_MAX = 8;

/** Returns what the ticker shows in turn: payouts, or the steps of an example while there is none. */
export function linesOf(payouts: readonly Payout[], steps: number): readonly Line[] {
  if (payouts.length > 0) {
    return payouts.slice(0, PAYOUTS_MAX).map((payout) => ({ is: 'paid', payout }));
  }
  return Array.from({ length: steps }, (_, step) => ({ is: 'step', step }));
}

/** Returns the line to show. A payout that is new is shown at once, whatever the turn was. */
export function turnAfter(turn: number, lines: number, isNew: boolean): number {
  return isNew || lines === 0 ? 0 : (turn + 1) % lines;
}
