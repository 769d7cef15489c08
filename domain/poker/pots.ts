import { categoryOf, score } from './evaluate.ts';
import type { Category } from './evaluate.ts';
import type { Deal, Hand, HandEvent } from './hand.ts';
import { clockwiseFrom, live } from './hand.ts';

/**
 * Main and side pots, and who wins them (choices poker.betting). Invariant: the pots together are
 * what all seats put in, and what the winners get is what the pots hold, to the chip.
 */
export interface Pot {
  readonly amount: bigint;
  /** The seats that can win it, ascending. */
  readonly eligible: readonly number[];
}
export interface PotWinner {
  readonly seat: number;
  readonly amount: bigint;
}
export interface DecidedPot extends Pot {
  readonly winners: readonly PotWinner[];
}

/** What a seat has in, and whether it can still win. */
export interface Contribution {
  readonly seat: number;
  readonly total: bigint;
  readonly folded: boolean;
}

/** One pot for each level that a live seat is in for; levels with the same seats are one pot. */
export function potsOf(seats: readonly Contribution[]): readonly Pot[] {
  const standing = seats.filter(({ folded, total }) => !folded && total > 0n);
  const levels = [...new Set(standing.map(({ total }) => total))].sort((a, b) => (a < b ? -1 : 1));
  const pots: Pot[] = [];
  let below = 0n;
  for (const [nth, level] of levels.entries()) {
    const last = nth === levels.length - 1;
    const upTo = (total: bigint): bigint => (last || total < level ? total : level);
    const amount = seats.reduce(
      (sum, { total }) => sum + (total > below ? upTo(total) - below : 0n),
      0n,
    );
    const eligible = standing.filter(({ total }) => total >= level).map(({ seat }) => seat);
    const before = pots.at(-1);
    if (before !== undefined && before.eligible.length === eligible.length) {
      pots[pots.length - 1] = { amount: before.amount + amount, eligible };
    } else pots.push({ amount, eligible });
    below = level;
  }
  return pots;
}

export interface MadeHand {
  readonly score: number;
  readonly category: Category;
}

export interface Outcome {
  readonly pots: readonly DecidedPot[];
  /** What each seat that was dealt in has after the hand. */
  readonly stacks: ReadonlyMap<number, bigint>;
  /** What the seats at the showdown made; empty without one. */
  readonly made: ReadonlyMap<number, MadeHand>;
  readonly events: readonly HandEvent[];
}

/** Pays a hand that is over. */
export function decidePots(hand: Hand, deal: Deal): Outcome {
  const made = hand.street === 'showdown' ? madeHands(hand, deal) : new Map<number, MadeHand>();
  const pots = potsOf(hand.seats).map((pot) => ({ ...pot, winners: winnersOf(pot, made, hand) }));
  const stacks = new Map(hand.seats.map(({ seat, stack }) => [seat, stack]));
  const events: HandEvent[] = [];
  for (const { winners } of pots) {
    for (const { seat, amount } of winners) {
      stacks.set(seat, (stacks.get(seat) ?? 0n) + amount);
      events.push({ kind: 'win', seat, amount });
    }
  }
  return { pots, stacks, made, events };
}

function madeHands(hand: Hand, deal: Deal): ReadonlyMap<number, MadeHand> {
  const made = new Map<number, MadeHand>();
  for (const { seat } of live(hand)) {
    const cards = [...(deal.holes.get(seat) ?? []), ...deal.board];
    const scored = score(cards);
    made.set(seat, { score: scored, category: categoryOf(scored) });
  }
  return made;
}

/** Equal shares; odd chips one at a time from the first winner left of the button (TDA 20). */
function winnersOf(
  { amount, eligible }: Pot,
  made: ReadonlyMap<number, MadeHand>,
  { button }: Hand,
): readonly PotWinner[] {
  const scores = eligible.map((seat) => made.get(seat)?.score ?? 0);
  const best = Math.max(...scores);
  const winners = eligible.filter((_, nth) => scores[nth] === best);
  const count = BigInt(winners.length);
  const odd = Number(amount % count);
  return clockwiseFrom(winners, button).map((seat, nth) => ({
    seat,
    amount: amount / count + (nth < odd ? 1n : 0n),
  }));
}
