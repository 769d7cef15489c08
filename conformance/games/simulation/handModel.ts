import { compare, worth } from './bestHand.ts';

/** A hand of hold'em from choices poker.betting alone; its cards are known only from the record. */
export interface Seat {
  readonly seat: number;
  readonly start: number;
  stack: number;
  /** In on this street, and over the hand. */
  bet: number;
  total: number;
  folded: boolean;
  /** The bet that it answered when it last acted on this street. */
  answered: number | undefined;
}
export type Street = 'preflop' | 'flop' | 'turn' | 'river' | 'showdown';
const AFTER: Readonly<Record<Street, Street>> = {
  preflop: 'flop',
  flop: 'turn',
  turn: 'river',
  river: 'showdown',
  showdown: 'showdown',
};

export interface Legal {
  readonly move: string;
  readonly costs?: string;
  readonly minimum?: string;
  readonly maximum?: string;
}
export interface Pot {
  readonly amount: number;
  readonly eligible: readonly number[];
}
export interface Cards {
  readonly board: readonly string[];
  readonly holes: ReadonlyMap<number, readonly string[]>;
}

export interface Positions {
  readonly button: number;
  readonly small: number | undefined;
  readonly big: number;
}

export interface Blinds {
  readonly small: number;
  readonly big: number;
}

/** Seats clockwise, the first one after a place first. */
export function clockwise(seats: readonly number[], after: number): readonly number[] {
  const sorted = [...seats].sort((a, b) => a - b);
  return [...sorted.filter((seat) => seat > after), ...sorted.filter((seat) => seat <= after)];
}

export class HandModel {
  readonly n: number;
  readonly seats: readonly Seat[];
  readonly at: Positions;
  readonly bigBlind: number;
  street: Street = 'preflop';
  bet: number;
  step: number;
  toAct: number | undefined;

  constructor(n: number, stacks: ReadonlyMap<number, number>, at: Positions, blinds: Blinds) {
    const { small, big: bigBlind } = blinds;
    this.n = n;
    this.at = at;
    this.bigBlind = bigBlind;
    this.bet = bigBlind;
    this.step = bigBlind;
    this.seats = [...stacks]
      .sort(([a], [b]) => a - b)
      .map(([seat, stack]) => {
        const chips = { stack, bet: 0, total: 0 };
        return { seat, start: stack, ...chips, folded: false, answered: undefined };
      });
    if (at.small !== undefined) this.put(this.seat(at.small), small);
    this.put(this.seat(at.big), bigBlind);
    this.goOn(at.big);
  }

  seat(number: number): Seat {
    const seat = this.seats.find((each) => each.seat === number);
    if (seat === undefined) throw new Error(`the model has no seat ${number}`);
    return seat;
  }

  isOver(): boolean {
    return this.toAct === undefined;
  }

  legal(): readonly Legal[] {
    if (this.toAct === undefined) return [];
    const seat = this.seat(this.toAct);
    const moves: Legal[] = [{ move: 'fold' }];
    const owed = this.bet - seat.bet;
    if (owed <= 0) moves.push({ move: 'check' });
    else moves.push({ move: 'call', costs: `${Math.min(owed, seat.stack)}` });
    const all = { move: 'allin', costs: `${seat.stack}` };
    if (seat.stack <= owed) return [...moves, all];
    // A raise that no other seat can pay a part of would come back whole.
    const canPay = (each: Seat): boolean => each !== seat && each.bet + each.stack > this.bet;
    const isAnswered = this.active().some(canPay);
    const isOpen = seat.answered === undefined || this.bet - seat.answered >= this.step;
    if (!isAnswered || !isOpen) return moves;
    const [minimum, maximum] = [this.least(), seat.bet + seat.stack];
    if (maximum >= minimum) {
      const move = this.bet === 0 ? 'bet' : 'raise';
      moves.push({ move, minimum: `${minimum}`, maximum: `${maximum}` });
    }
    return [...moves, all];
  }

  least(): number {
    return this.bet === 0 ? this.bigBlind : this.bet + this.step;
  }

  /** A legal move; `to` is the total of a bet or raise. */
  move(name: string, to: number): void {
    const seat = this.seat(this.toAct ?? 0);
    if (name === 'fold') seat.folded = true;
    if (name === 'call') this.put(seat, this.bet - seat.bet);
    if (name === 'allin') this.put(seat, seat.stack);
    if (name === 'bet' || name === 'raise') this.put(seat, to - seat.bet);
    const more = seat.bet - this.bet;
    if (more > 0) {
      this.bet = seat.bet;
      if (more >= this.step) this.step = more;
    }
    seat.answered = this.bet;
    this.goOn(seat.seat);
  }

  live(): readonly Seat[] {
    return this.seats.filter(({ folded }) => !folded);
  }

  private active(): readonly Seat[] {
    return this.live().filter(({ stack }) => stack > 0);
  }

  private put(seat: Seat, chips: number): void {
    const paid = Math.min(chips, seat.stack);
    seat.stack -= paid;
    seat.bet += paid;
    seat.total += paid;
  }

  /** The next who has to decide after a seat; without one, the next street, or the end. */
  private goOn(after: number): void {
    this.toAct = undefined;
    if (this.live().length === 1) return this.giveBack();
    const order = clockwise(
      this.active().map(({ seat }) => seat),
      after,
    );
    const highest = Math.max(...this.live().map(({ bet }) => bet));
    this.toAct = order.find((number) => {
      const { bet, answered } = this.seat(number);
      return order.length === 1 ? bet < highest : answered === undefined || bet < this.bet;
    });
    if (this.toAct === undefined) this.nextStreet();
  }

  private nextStreet(): void {
    this.giveBack();
    this.street = this.active().length > 1 ? AFTER[this.street] : 'showdown';
    if (this.street === 'showdown') return;
    this.bet = 0;
    this.step = this.bigBlind;
    for (const seat of this.seats) {
      seat.bet = 0;
      seat.answered = undefined;
    }
    const [first] = clockwise(
      this.active().map(({ seat }) => seat),
      this.at.button,
    );
    this.toAct = first;
  }

  /** Puts the part of a bet that no other seat matched back on its stack: it was never at stake. */
  private giveBack(): void {
    const [first, second] = [...this.seats].sort((a, b) => b.bet - a.bet);
    if (first === undefined) return;
    const over = first.bet - (second?.bet ?? 0);
    first.bet -= over;
    first.total -= over;
    first.stack += over;
  }

  /** Peels the smallest stake of a live seat off all seats, until none is left. */
  pots(): readonly Pot[] {
    const left = new Map(this.seats.map(({ seat, total }) => [seat, total]));
    const pots: { amount: number; eligible: readonly number[] }[] = [];
    for (;;) {
      const eligible = this.live()
        .map(({ seat }) => seat)
        .filter((seat) => (left.get(seat) ?? 0) > 0);
      if (eligible.length === 0) break;
      const layer = Math.min(...eligible.map((seat) => left.get(seat) ?? 0));
      let amount = 0;
      for (const [seat, chips] of left) {
        amount += Math.min(chips, layer);
        left.set(seat, Math.max(chips - layer, 0));
      }
      const before = pots.at(-1);
      if (before?.eligible.join() === eligible.join()) before.amount += amount;
      else pots.push({ amount, eligible });
    }
    const dead = [...left.values()].reduce((sum, chips) => sum + chips, 0);
    const last = pots.at(-1);
    if (last !== undefined) last.amount += dead;
    return pots;
  }

  /** While it is played only an all-in seat divides the pot: everybody else may still match. */
  potsShown(): readonly Pot[] {
    const live = this.live();
    const ends = new Set(live.filter(({ stack }) => stack === 0).map(({ total }) => total));
    const levels = [...ends, Infinity].sort((a, b) => a - b);
    const pots: { amount: number; eligible: number[] }[] = [];
    for (const [nth, top] of levels.entries()) {
      const bottom = levels[nth - 1] ?? 0;
      let amount = 0;
      for (const { total } of this.seats)
        amount += Math.min(Math.max(total - bottom, 0), top - bottom);
      if (amount === 0) continue;
      const eligible = live.filter(({ stack, total }) => stack > 0 || total > bottom);
      const last = pots.at(-1);
      if (eligible.length === 0 && last !== undefined) last.amount += amount;
      else pots.push({ amount, eligible: eligible.map(({ seat }) => seat) });
    }
    return pots;
  }

  /** Returns the stack of every seat after the hand; cards are asked for only at a showdown. */
  stacksAfter(cards: Cards): ReadonlyMap<number, number> {
    const after = new Map(this.seats.map(({ seat, stack }) => [seat, stack]));
    for (const { amount, eligible } of this.pots()) {
      const winners = eligible.length === 1 ? eligible : bestOf(eligible, cards);
      const order = clockwise(winners, this.at.button);
      for (const [nth, seat] of order.entries()) {
        const odd = nth < amount % order.length ? 1 : 0;
        after.set(seat, (after.get(seat) ?? 0) + Math.floor(amount / order.length) + odd);
      }
    }
    return after;
  }
}

function bestOf(seats: readonly number[], { board, holes }: Cards): readonly number[] {
  const hands = seats.map((seat) => ({
    seat,
    worth: worth([...(holes.get(seat) ?? []), ...board]),
  }));
  const best = hands.reduce((top, each) => (compare(each.worth, top.worth) > 0 ? each : top));
  return hands.filter((each) => compare(each.worth, best.worth) === 0).map(({ seat }) => seat);
}
