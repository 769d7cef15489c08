import type { Deal, Hand, HandEvent, LiveHand, Street } from './hand.ts';
import { clockwiseFrom, countAble, countLive, isAble, live, placeAfter } from './hand.ts';

/** Ends a street: unmatched chips go back, and cards are turned, or `pots.ts` pays the hand out. */
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

/** Ends a street in place; the events are added to those so far. */
export function endStreet(hand: LiveHand, deal: Deal, events: HandEvent[]): void {
  refund(hand, events);
  if (countLive(hand) === 1) return;
  for (;;) {
    const isOpen = countAble(hand) > 1;
    if (!isOpen || hand.street === 'river') showAll(hand, deal, events);
    if (hand.street === 'river') {
      hand.street = 'showdown';
      return;
    }
    turn(hand, deal, events);
    if (isOpen) {
      hand.toAct = firstToAct(hand);
      return;
    }
  }
}

/** The first seat left of the button that can bet; at least two can. */
function firstToAct(hand: Hand): number {
  const { seats } = hand;
  let place = placeAfter(hand, hand.button);
  while (!isAble(seats[place]!)) place = place + 1 === seats.length ? 0 : place + 1;
  return seats[place]!.seat;
}

/** The part of the highest bet that no other seat matched was never at stake. */
function refund({ seats }: LiveHand, events: HandEvent[]): void {
  let [top, second] = [seats[0]!, 0];
  for (let nth = 1; nth < seats.length; nth += 1) {
    const seat = seats[nth]!;
    if (seat.bet > top.bet) {
      second = top.bet;
      top = seat;
    } else if (seat.bet > second) second = seat.bet;
  }
  const excess = top.bet - second;
  if (excess === 0) return;
  events.push({ kind: 'refund', seat: top.seat, amount: excess });
  top.stack += excess;
  top.bet = second;
  top.total -= excess;
}

function turn(hand: LiveHand, deal: Deal, events: HandEvent[]): void {
  const street = NEXT[hand.street];
  const boardCount = CARDS_AFTER[street];
  events.push({ kind: 'street', street, cards: deal.board.slice(hand.boardCount, boardCount) });
  hand.aggressor = undefined;
  hand.street = street;
  hand.boardCount = boardCount;
  hand.currentBet = 0;
  hand.lastFullRaise = hand.bigBlind;
  for (let nth = 0; nth < hand.seats.length; nth += 1) {
    const seat = hand.seats[nth]!;
    seat.bet = 0;
    seat.facedAt = undefined;
  }
}

/** The river's last aggressor, else first left of the button (choices poker.betting). */
function showOrder(hand: Hand): readonly number[] {
  const seats = live(hand).map(({ seat }) => seat);
  const { aggressor } = hand;
  if (hand.street !== 'river' || aggressor === undefined || !seats.includes(aggressor)) {
    return clockwiseFrom(seats, hand.button);
  }
  return [aggressor, ...clockwiseFrom(seats, aggressor).filter((seat) => seat !== aggressor)];
}

function showAll(hand: LiveHand, deal: Deal, events: HandEvent[]): void {
  for (const seat of showOrder(hand)) {
    if (hand.shown.includes(seat)) continue;
    events.push({ kind: 'show', seat, cards: deal.holes.get(seat) ?? [] });
    hand.shown.push(seat);
  }
}
