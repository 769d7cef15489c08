import { atomic } from '../money.ts';
import type { Card } from './cards.ts';

/**
 * One hand under way. Invariant: stacks, refunds and the seats' chips in the hand add up to the
 * stacks before it; chips leave only through `pots.ts`. Seats are numbers from 1, clockwise.
 */
export type Street = 'preflop' | 'flop' | 'turn' | 'river' | 'showdown';
export type MoveName = 'fold' | 'check' | 'call' | 'bet' | 'raise' | 'allin';

/**
 * Chips are plain integers: all chips of a table are on one ledger account, whose balance is below
 * 2^53 (`BALANCE_MAX`), so none of them loses a unit. `chipsIn` checks it where a bigint comes in.
 */
export interface HandSeat {
  readonly seat: number;
  readonly startStack: number;
  readonly stack: number;
  /** Chips put in on this street. */
  readonly bet: number;
  /** Chips put in over the hand, this street included. */
  readonly total: number;
  readonly folded: boolean;
  /** The bet that it had to match when it last acted on this street; absent before that. */
  readonly facedAt?: number | undefined;
}

export interface Hand {
  readonly n: number;
  readonly smallBlind: number;
  readonly bigBlind: number;
  readonly button: number;
  /** Absent when the small blind is dead. */
  readonly smallBlindSeat?: number;
  readonly bigBlindSeat: number;
  readonly street: Street;
  readonly seats: readonly HandSeat[];
  readonly currentBet: number;
  readonly lastFullRaise: number;
  /** Whose turn it is; absent once the hand is decided. */
  readonly toAct?: number | undefined;
  /** Who bet or raised last on the present street. */
  readonly aggressor?: number | undefined;
  /** How many common cards are turned. */
  readonly boardCount: number;
  /** Seats whose cards are turned up, in the order in which they were. */
  readonly shown: readonly number[];
}

/** A hand that its holder changes in place: the engine's own form. */
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
export type LiveSeat = Mutable<HandSeat>;
export interface LiveHand extends Mutable<Omit<Hand, 'seats' | 'shown'>> {
  readonly seats: readonly LiveSeat[];
  readonly shown: number[];
}

/** The cards of a hand, worked out from its deck; never part of what is shown. */
export interface Deal {
  readonly holes: ReadonlyMap<number, readonly [Card, Card]>;
  readonly board: readonly Card[];
}

/** The events of a hand, in order; the table adds sequence numbers and times. */
export type HandEvent =
  | { readonly kind: 'deal' }
  | { readonly kind: 'blind'; readonly seat: number; readonly amount: number }
  | { readonly kind: MoveName; readonly seat: number; readonly amount: number }
  | { readonly kind: 'street'; readonly street: Street; readonly cards: readonly Card[] }
  | { readonly kind: 'refund'; readonly seat: number; readonly amount: number }
  | { readonly kind: 'show'; readonly seat: number; readonly cards: readonly Card[] }
  | { readonly kind: 'win'; readonly seat: number; readonly amount: number };

export interface Step {
  readonly hand: Hand;
  readonly events: readonly HandEvent[];
}

export interface HandStart {
  readonly n: number;
  readonly smallBlind: number;
  readonly bigBlind: number;
  readonly button: number;
  readonly smallBlindSeat?: number;
  readonly bigBlindSeat: number;
  /** In ascending order of seats, each with chips. */
  readonly stacks: readonly { readonly seat: number; readonly stack: number }[];
}

/** Two cards to each seat, one at a time from the first seat left of the button; then the board. */
export function dealt(deck: readonly Card[], seats: readonly number[], button: number): Deal {
  const order = clockwiseFrom(seats, button);
  const count = order.length;
  if (deck.length < 2 * count + 5) throw new RangeError('a deck has 52 cards');
  const holes = new Map<number, readonly [Card, Card]>();
  for (let place = 0; place < count; place += 1) {
    holes.set(order[place]!, [deck[place]!, deck[count + place]!]);
  }
  return { holes, board: deck.slice(2 * count, 2 * count + 5) };
}

/** The seats clockwise, the first one left of a position first and that position's own last. */
export function clockwiseFrom(seats: readonly number[], position: number): readonly number[] {
  const order: number[] = [];
  for (const seat of seats) {
    let at = order.length;
    // Seats mostly come in ascending order already, so each is put in its place from the end.
    while (at > 0 && isAfter(order[at - 1]!, seat, position)) {
      order[at] = order[at - 1]!;
      at -= 1;
    }
    order[at] = seat;
  }
  return order;
}

function isAfter(seat: number, other: number, position: number): boolean {
  const wraps = seat <= position;
  return wraps === other <= position ? seat > other : wraps;
}

export function seatOf<Seat extends HandSeat>(
  { seats }: { readonly seats: readonly Seat[] },
  number: number,
): Seat {
  for (let nth = 0; nth < seats.length; nth += 1) {
    const seat = seats[nth]!;
    if (seat.seat === number) return seat;
  }
  throw new RangeError(`seat ${number} is not in the hand`);
}

export function copyOf(hand: Hand): LiveHand {
  return { ...hand, seats: hand.seats.map((seat) => ({ ...seat })), shown: [...hand.shown] };
}

export function live(hand: Hand): readonly HandSeat[] {
  return hand.seats.filter(({ folded }) => !folded);
}

export function countLive({ seats }: Hand): number {
  let count = 0;
  for (let nth = 0; nth < seats.length; nth += 1) if (!seats[nth]!.folded) count += 1;
  return count;
}

export function isAble({ folded, stack }: HandSeat): boolean {
  return !folded && stack > 0;
}

export function countAble({ seats }: Hand): number {
  let count = 0;
  for (let nth = 0; nth < seats.length; nth += 1) if (isAble(seats[nth]!)) count += 1;
  return count;
}

/** Where in `seats` the first seat clockwise after a position is. */
export function placeAfter({ seats }: Hand, position: number): number {
  for (let nth = 0; nth < seats.length; nth += 1) if (seats[nth]!.seat > position) return nth;
  return 0;
}

/** Puts chips in, at most all that the seat has. */
export function pay(seat: LiveSeat, amount: number): void {
  const part = amount < seat.stack ? amount : seat.stack;
  seat.stack -= part;
  seat.bet += part;
  seat.total += part;
}

/** Chips that come in as a bigint; more than a ledger account can hold is a bug. */
export function chipsIn(amount: bigint): number {
  return Number(atomic(amount));
}
