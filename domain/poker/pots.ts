import { categoryOf, scoreSeven } from './evaluate.ts';
import type { Category } from './evaluate.ts';
import type { Deal, Hand, HandEvent } from './hand.ts';
import { clockwiseFrom } from './hand.ts';

/**
 * Main and side pots, and who wins them (choices poker.betting). Invariant: the pots together are
 * what all seats put in, and what the winners get is what the pots hold, to the chip.
 */
export interface Pot {
  readonly amount: number;
  /** The seats that can win it, ascending. */
  readonly eligible: readonly number[];
}
interface PotWinner {
  readonly seat: number;
  readonly amount: number;
}
interface DecidedPot extends Pot {
  readonly winners: readonly PotWinner[];
}

/** The chips that a seat has put in, and whether it can still win. */
export interface Contribution {
  readonly seat: number;
  readonly total: number;
  readonly folded: boolean;
}

/** One pot for each level that a live seat is in for, so each has fewer seats than the one before. */
export function potsOf(seats: readonly Contribution[]): readonly Pot[] {
  const pots: Pot[] = [];
  let top = 0;
  for (const { folded, total } of seats) if (!folded && total > top) top = total;
  let below = 0;
  while (below < top) {
    let level = top;
    for (const { folded, total } of seats) {
      if (!folded && total > below && total < level) level = total;
    }
    let amount = 0;
    const eligible: number[] = [];
    for (const { seat, total, folded } of seats) {
      // Chips of a folded seat above the last level belong to the last pot.
      if (total > below) amount += (total < level || level === top ? total : level) - below;
      if (!folded && total >= level) eligible.push(seat);
    }
    pots.push({ amount, eligible });
    below = level;
  }
  return pots;
}

export interface Playing extends Contribution {
  readonly stack: number;
}

/** Pots during play: only an all-in divides them, since any other seat may still match the bet. */
export function potsInPlay(seats: readonly Playing[]): readonly Pot[] {
  const live = seats.filter(({ folded }) => !folded);
  const caps = new Set(live.filter(({ stack }) => stack === 0).map(({ total }) => total));
  const levels = [...caps].sort((a, b) => a - b);
  const pots: Pot[] = [];
  let below = 0;
  for (const level of [...levels, Infinity]) {
    const amount = seats.reduce(
      (sum, { total }) => sum + Math.max(Math.min(total, level) - below, 0),
      0,
    );
    const eligible = live.filter(({ stack, total }) => stack > 0 || total >= level);
    if (eligible.length > 0 && amount > 0) {
      pots.push({ amount, eligible: eligible.map(({ seat }) => seat) });
    } else if (amount > 0) addToLast(pots, amount);
    below = level;
  }
  return pots;
}

function addToLast(pots: Pot[], amount: number): void {
  const last = pots.pop();
  if (last !== undefined) pots.push({ ...last, amount: last.amount + amount });
}

interface MadeHand {
  readonly score: number;
  readonly category: Category;
}

export interface Outcome {
  readonly pots: readonly DecidedPot[];
  /** The stack of each seat that was dealt in, after the hand. */
  readonly stacks: ReadonlyMap<number, number>;
  /** The hands of the seats at the showdown; empty without one. */
  readonly made: ReadonlyMap<number, MadeHand>;
  readonly events: readonly HandEvent[];
}

export function decidePots(hand: Hand, deal: Deal): Outcome {
  const made = hand.street === 'showdown' ? madeHands(hand, deal) : NOTHING_MADE;
  const pots: DecidedPot[] = [];
  const stacks = new Map<number, number>();
  for (const { seat, stack } of hand.seats) stacks.set(seat, stack);
  const events: HandEvent[] = [];
  for (const { amount, eligible } of potsOf(hand.seats)) {
    const winners = winnersOf(amount, eligible, { made, button: hand.button });
    pots.push({ amount, eligible, winners });
    for (const winner of winners) {
      stacks.set(winner.seat, stacks.get(winner.seat)! + winner.amount);
      events.push({ kind: 'win', seat: winner.seat, amount: winner.amount });
    }
  }
  return { pots, stacks, made, events };
}
const NOTHING_MADE: ReadonlyMap<number, MadeHand> = new Map();

function madeHands(hand: Hand, deal: Deal): ReadonlyMap<number, MadeHand> {
  const made = new Map<number, MadeHand>();
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = deal.board;
  for (const { seat, folded } of hand.seats) {
    const hole = folded ? undefined : deal.holes.get(seat);
    if (hole === undefined) continue;
    const scored = scoreSeven(hole[0], hole[1], a, b, c, d, e);
    made.set(seat, { score: scored, category: categoryOf(scored) });
  }
  return made;
}

/** Equal shares; odd chips one at a time from the first winner left of the button (TDA 20). */
function winnersOf(
  amount: number,
  eligible: readonly number[],
  { made, button }: { readonly made: Outcome['made']; readonly button: number },
): readonly PotWinner[] {
  if (eligible.length === 1) return [{ seat: eligible[0]!, amount }];
  let best = -1;
  let winners: number[] = [];
  for (const seat of eligible) {
    const score = made.get(seat)?.score ?? 0;
    if (score > best) {
      best = score;
      winners = [seat];
    } else if (score === best) winners.push(seat);
  }
  const odd = amount % winners.length;
  const share = (amount - odd) / winners.length;
  return clockwiseFrom(winners, button).map((seat, nth) => ({
    seat,
    amount: share + (nth < odd ? 1 : 0),
  }));
}
