import type { Card } from './cards.ts';

/**
 * One hand under way. Invariant: the stacks, the refunds and what every seat has in the hand always
 * add up to the stacks before it; chips leave a hand only through `pots.ts`. Seats are numbers from
 * 1, in ascending order, which is clockwise.
 */
export const STREETS = ['preflop', 'flop', 'turn', 'river', 'showdown'] as const;
export type Street = (typeof STREETS)[number];
export const MOVES = ['fold', 'check', 'call', 'bet', 'raise', 'allin'] as const;
export type MoveName = (typeof MOVES)[number];

export interface HandSeat {
  readonly seat: number;
  readonly startStack: bigint;
  /** Chips behind. */
  readonly stack: bigint;
  /** Chips put in on this street. */
  readonly bet: bigint;
  /** Chips put in over the hand, this street included. */
  readonly total: bigint;
  readonly folded: boolean;
  /** The bet that it had to match when it last acted on this street; absent before that. */
  readonly facedAt?: bigint;
}

export interface Hand {
  readonly n: number;
  readonly smallBlind: bigint;
  readonly bigBlind: bigint;
  readonly button: number;
  /** Absent when the small blind is dead. */
  readonly smallBlindSeat?: number;
  readonly bigBlindSeat: number;
  readonly street: Street;
  readonly seats: readonly HandSeat[];
  readonly currentBet: bigint;
  readonly lastFullRaise: bigint;
  /** Whose turn it is; absent once the hand is decided. */
  readonly toAct?: number;
  /** Who bet or raised last on the present street. */
  readonly aggressor?: number;
  /** How many common cards are turned. */
  readonly boardCount: number;
  /** Seats whose cards are turned up, in the order in which they were. */
  readonly shown: readonly number[];
}

/** The cards of a hand, worked out from its deck; never part of what is shown. */
export interface Deal {
  readonly holes: ReadonlyMap<number, readonly [Card, Card]>;
  readonly board: readonly Card[];
}

/** What happened, in order; the table adds sequence numbers and times. */
export type HandEvent =
  | { readonly kind: 'deal' }
  | { readonly kind: 'blind'; readonly seat: number; readonly amount: bigint }
  | { readonly kind: MoveName; readonly seat: number; readonly amount: bigint }
  | { readonly kind: 'street'; readonly street: Street; readonly cards: readonly Card[] }
  | { readonly kind: 'refund'; readonly seat: number; readonly amount: bigint }
  | { readonly kind: 'show'; readonly seat: number; readonly cards: readonly Card[] }
  | { readonly kind: 'win'; readonly seat: number; readonly amount: bigint };

export interface Step {
  readonly hand: Hand;
  readonly events: readonly HandEvent[];
}

export interface HandStart {
  readonly n: number;
  readonly smallBlind: bigint;
  readonly bigBlind: bigint;
  readonly button: number;
  readonly smallBlindSeat?: number;
  readonly bigBlindSeat: number;
  /** In ascending order of seats, each with chips. */
  readonly stacks: readonly { readonly seat: number; readonly stack: bigint }[];
}

/** Two cards to each seat, one at a time from the first seat left of the button; then the board. */
export function dealt(deck: readonly Card[], seats: readonly number[], button: number): Deal {
  const order = clockwiseFrom(seats, button);
  const at = (place: number): Card => {
    const card = deck[place];
    if (card === undefined) throw new RangeError('a deck has 52 cards');
    return card;
  };
  const count = order.length;
  const holes = order.map((seat, place) => [seat, [at(place), at(count + place)]] as const);
  return { holes: new Map(holes), board: deck.slice(2 * count, 2 * count + 5) };
}

/** The seats clockwise, the first one left of a position first and that position's own last. */
export function clockwiseFrom(seats: readonly number[], position: number): readonly number[] {
  const sorted = [...seats].sort((a, b) => a - b);
  return [
    ...sorted.filter((seat) => seat > position),
    ...sorted.filter((seat) => seat <= position),
  ];
}

export function seatOf(hand: Hand, seat: number): HandSeat {
  const found = hand.seats.find((each) => each.seat === seat);
  if (found === undefined) throw new RangeError(`seat ${seat} is not in the hand`);
  return found;
}

export function withSeat(hand: Hand, changed: HandSeat): Hand {
  return {
    ...hand,
    seats: hand.seats.map((each) => (each.seat === changed.seat ? changed : each)),
  };
}

/** Seats that have not folded. */
export function live(hand: Hand): readonly HandSeat[] {
  return hand.seats.filter(({ folded }) => !folded);
}

/** Puts chips in, at most all that the seat has. */
export function paid(seat: HandSeat, amount: bigint): HandSeat {
  const part = amount < seat.stack ? amount : seat.stack;
  return {
    ...seat,
    stack: seat.stack - part,
    bet: seat.bet + part,
    total: seat.total + part,
  };
}
