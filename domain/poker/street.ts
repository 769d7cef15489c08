import type { Deal, Hand, HandEvent, HandSeat, Step, Street } from './hand.ts';
import { clockwiseFrom, live, withSeat } from './hand.ts';

/**
 * What happens between streets: what nobody matched goes back, the next common cards are turned,
 * and the hand goes on or is over. A hand that is over has no seat to act; `pots.ts` pays it out.
 */
const CARDS_AFTER: Readonly<Record<Street, number>> = {
  preflop: 0,
  flop: 3,
  turn: 4,
  river: 5,
  showdown: 5,
};
const NEXT: Readonly<Record<Street, Street>> = {
  preflop: 'flop',
  flop: 'turn',
  turn: 'river',
  river: 'showdown',
  showdown: 'showdown',
};

export function endStreet(before: Hand, deal: Deal): Step {
  const { toAct: _turn, ...ended } = before;
  const events: HandEvent[] = [];
  let hand = refunded(ended, events);
  if (live(hand).length === 1) return { hand, events };
  for (;;) {
    if (live(hand).filter(({ stack }) => stack > 0n).length < 2) {
      hand = shownAll(hand, deal, events, showOrder(hand));
    }
    if (hand.street === 'river') {
      hand = shownAll({ ...hand, street: 'showdown' }, deal, events, showOrder(hand));
      return { hand, events };
    }
    hand = turned(hand, deal, events);
    const first = firstToAct(hand);
    if (first !== undefined) return { hand: { ...hand, toAct: first }, events };
  }
}

/** The part of the highest bet that no other seat matched was never at stake. */
function refunded(hand: Hand, events: HandEvent[]): Hand {
  const [top, second] = [...hand.seats].sort((a, b) => (a.bet < b.bet ? 1 : -1));
  if (top === undefined || second === undefined || top.bet === second.bet) return hand;
  const excess = top.bet - second.bet;
  events.push({ kind: 'refund', seat: top.seat, amount: excess });
  return withSeat(hand, {
    ...top,
    stack: top.stack + excess,
    bet: second.bet,
    total: top.total - excess,
  });
}

function turned(hand: Hand, deal: Deal, events: HandEvent[]): Hand {
  const street = NEXT[hand.street];
  const boardCount = CARDS_AFTER[street];
  events.push({ kind: 'street', street, cards: deal.board.slice(hand.boardCount, boardCount) });
  const { aggressor: _raiser, ...kept } = hand;
  return {
    ...kept,
    street,
    boardCount,
    currentBet: 0n,
    lastFullRaise: hand.bigBlind,
    seats: hand.seats.map(fresh),
  };
}

function fresh({ facedAt: _faced, ...seat }: HandSeat): HandSeat {
  return { ...seat, bet: 0n };
}

function firstToAct(hand: Hand): number | undefined {
  const able = live(hand).filter(({ stack }) => stack > 0n);
  if (able.length < 2) return undefined;
  const seats = able.map(({ seat }) => seat);
  return clockwiseFrom(seats, hand.button)[0];
}

/**
 * The last aggressor of the river first, else the first seat left of the button (choices
 * poker.betting).
 */
function showOrder(hand: Hand): readonly number[] {
  const seats = live(hand).map(({ seat }) => seat);
  const order = clockwiseFrom(seats, hand.button);
  const { aggressor } = hand;
  if (hand.street !== 'river' || aggressor === undefined || !seats.includes(aggressor)) {
    return order;
  }
  return [aggressor, ...clockwiseFrom(seats, aggressor).filter((seat) => seat !== aggressor)];
}

function shownAll(hand: Hand, deal: Deal, events: HandEvent[], order: readonly number[]): Hand {
  const added = order.filter((seat) => !hand.shown.includes(seat));
  for (const seat of added) {
    events.push({ kind: 'show', seat, cards: deal.holes.get(seat) ?? [] });
  }
  return added.length === 0 ? hand : { ...hand, shown: [...hand.shown, ...added] };
}
