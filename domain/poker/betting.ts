import type {
  Deal,
  Hand,
  HandEvent,
  HandSeat,
  HandStart,
  LiveHand,
  MoveName,
  Step,
} from './hand.ts';
import { copyOf, countAble, countLive, isAble, pay, placeAfter, seatOf } from './hand.ts';
import { endStreet } from './street.ts';
import { defined } from '../defined.ts';

/**
 * No-limit betting (choices poker.betting). Invariant: a bet is a total on its street and only
 * grows; the smallest raise is by the last full bet or raise; who has acted may raise again only
 * when the bet has grown by a full raise since, in one step or in several (TDA 47-A).
 */
export interface LegalMove {
  readonly move: MoveName;
  /** Chips that it takes off the stack; on call and allin. */
  readonly costs?: number;
  /** Smallest and largest total bet; on bet and raise. */
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Move {
  readonly seat: number;
  readonly move: MoveName;
  /** The total bet on this street; with bet and raise. */
  readonly amount?: number | undefined;
}

export interface IllegalMove {
  readonly illegal: string;
}

/** Posts the blinds and finds the first to act. A short blind is all in and lowers no bet. */
export function startHand(start: HandStart, deal: Deal): Step & { readonly hand: LiveHand } {
  const { n, smallBlind, bigBlind, button, smallBlindSeat, bigBlindSeat, stacks } = start;
  const hand: LiveHand = {
    n,
    smallBlind,
    bigBlind,
    button,
    ...defined({ smallBlindSeat }),
    bigBlindSeat,
    street: 'preflop',
    seats: stacks.map(({ seat, stack }) => ({
      seat,
      startStack: stack,
      stack,
      bet: 0,
      total: 0,
      folded: false,
      facedAt: undefined,
    })),
    currentBet: bigBlind,
    lastFullRaise: bigBlind,
    toAct: undefined,
    aggressor: undefined,
    boardCount: 0,
    shown: [],
  };
  const events: HandEvent[] = [{ kind: 'deal' }];
  if (smallBlindSeat !== undefined) postBlind(hand, smallBlindSeat, smallBlind, events);
  postBlind(hand, bigBlindSeat, bigBlind, events);
  hand.toAct = nextToAct(hand, bigBlindSeat);
  if (hand.toAct === undefined) endStreet(hand, deal, events);
  return { hand, events };
}

function postBlind(hand: LiveHand, number: number, blind: number, events: HandEvent[]): void {
  const seat = seatOf(hand, number);
  pay(seat, blind);
  events.push({ kind: 'blind', seat: number, amount: seat.bet });
}

/** The moves that the seat whose turn it is may make; none when no seat is on turn. */
export function legalMoves(hand: Hand): readonly LegalMove[] {
  if (hand.toAct === undefined) return [];
  const seat = seatOf(hand, hand.toAct);
  const { currentBet } = hand;
  const moves: LegalMove[] = [{ move: 'fold' }];
  if (currentBet <= seat.bet) moves.push({ move: 'check' });
  else moves.push({ move: 'call', costs: callCosts(hand, seat) });
  if (!mayGoAllIn(hand, seat)) return moves;
  const minimum = smallestRaise(hand);
  const maximum = seat.bet + seat.stack;
  if (maximum > currentBet && maximum >= minimum) {
    moves.push({ move: currentBet === 0 ? 'bet' : 'raise', minimum, maximum });
  }
  moves.push({ move: 'allin', costs: seat.stack });
  return moves;
}

function callCosts({ currentBet }: Hand, { bet, stack }: HandSeat): number {
  return Math.min(currentBet - bet, stack);
}

/** The smallest total of a full bet or raise. */
export function smallestRaise({ currentBet, lastFullRaise, bigBlind }: Hand): number {
  return currentBet === 0 ? bigBlind : currentBet + lastFullRaise;
}

/**
 * All in that does not reach the bet is a call. Above it an opponent must have chips to pay a part
 * of the raise, and action must be open to this seat (TDA 47-A).
 */
function mayGoAllIn(hand: Hand, { seat, bet, stack, facedAt }: HandSeat): boolean {
  if (bet + stack <= hand.currentBet) return true;
  if (!canBePaid(hand, seat)) return false;
  return facedAt === undefined || hand.currentBet - facedAt >= hand.lastFullRaise;
}

/** Whether another seat can put in more than the bet; of a raise beyond that, all comes back. */
function canBePaid({ seats, currentBet }: Hand, by: number): boolean {
  for (const each of seats) {
    if (each.seat !== by && isAble(each) && each.bet + each.stack > currentBet) return true;
  }
  return false;
}

/** The hand after a move of the seat whose turn it is; a move that is not legal says why. */
export function makeMove(hand: Hand, move: Move, deal: Deal): Step | IllegalMove {
  const after = copyOf(hand);
  const made = applyMove(after, move, deal);
  return 'illegal' in made ? made : { hand: after, events: made };
}

/** The same on a hand of one's own, in place; a move that is not legal changes nothing. */
export function applyMove(
  hand: LiveHand,
  move: Move,
  deal: Deal,
): readonly HandEvent[] | IllegalMove {
  const to = betAfter(hand, move);
  if (typeof to !== 'number') return to;
  const seat = seatOf(hand, move.seat);
  if (move.move === 'fold') seat.folded = true;
  else pay(seat, to - seat.bet);
  raiseTo(hand, seat);
  seat.facedAt = hand.currentBet;
  const events: HandEvent[] = [{ kind: move.move, seat: move.seat, amount: seat.bet }];
  hand.toAct = countLive(hand) > 1 ? nextToAct(hand, move.seat) : undefined;
  if (hand.toAct === undefined) endStreet(hand, deal, events);
  return events;
}

function betAfter(hand: Hand, { seat: number, move, amount }: Move): number | IllegalMove {
  if (hand.toAct !== number) return notLegal(hand, move);
  const seat = seatOf(hand, number);
  if (move === 'bet' || move === 'raise') return sizedBet(hand, seat, { move, amount });
  const { currentBet } = hand;
  const isLegal =
    move === 'fold' ||
    (move === 'check' && currentBet <= seat.bet) ||
    (move === 'call' && currentBet > seat.bet) ||
    (move === 'allin' && mayGoAllIn(hand, seat));
  if (!isLegal) return notLegal(hand, move);
  if (amount !== undefined) return { illegal: `${move} takes no amount` };
  if (move === 'call') return seat.bet + callCosts(hand, seat);
  return move === 'allin' ? seat.bet + seat.stack : seat.bet;
}

function sizedBet(
  hand: Hand,
  seat: HandSeat,
  { move, amount }: { readonly move: 'bet' | 'raise'; readonly amount: number | undefined },
): number | IllegalMove {
  const minimum = smallestRaise(hand);
  const maximum = seat.bet + seat.stack;
  const isOpen = (move === 'bet') === (hand.currentBet === 0) && maximum > hand.currentBet;
  if (!isOpen || maximum < minimum || !mayGoAllIn(hand, seat)) return notLegal(hand, move);
  if (amount === undefined) return { illegal: `${move} needs the amount of the total bet` };
  if (amount >= minimum && amount <= maximum) return amount;
  return { illegal: `${move} is to a total of ${minimum} to ${maximum}, not ${amount}` };
}

function notLegal(hand: Hand, move: MoveName): IllegalMove {
  const names = legalMoves(hand).map((each) => each.move);
  return { illegal: `${move} is not legal here; legal: ${names.join(', ')}` };
}

/** A full raise sets the size of the next one; an all-in for less only raises what is to match. */
function raiseTo(hand: LiveHand, { seat, bet }: HandSeat): void {
  const by = bet - hand.currentBet;
  if (by <= 0) return;
  hand.currentBet = bet;
  hand.aggressor = seat;
  if (by >= hand.lastFullRaise) hand.lastFullRaise = by;
}

/**
 * The next seat that has something to decide: it has chips, and it has not acted or has not matched
 * the bet. Alone against seats that are all in, it decides only about what they have put in.
 */
function nextToAct(hand: Hand, from: number): number | undefined {
  const { seats, currentBet } = hand;
  const isAlone = countAble(hand) < 2;
  let place = placeAfter(hand, from);
  for (let nth = 0; nth < seats.length; nth += 1) {
    const seat = seats[place]!;
    if (isAble(seat)) {
      const { facedAt, bet } = seat;
      if (isAlone ? isOutbid(hand, bet) : facedAt === undefined || bet < currentBet) {
        return seat.seat;
      }
    }
    place = place + 1 === seats.length ? 0 : place + 1;
  }
  return undefined;
}

function isOutbid({ seats }: Hand, by: number): boolean {
  for (const { folded, bet } of seats) if (!folded && bet > by) return true;
  return false;
}
