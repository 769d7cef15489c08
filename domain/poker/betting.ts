import type { Deal, Hand, HandEvent, HandSeat, HandStart, MoveName, Step } from './hand.ts';
import { live, paid, seatOf, withSeat } from './hand.ts';
import { endStreet } from './street.ts';

/**
 * No-limit betting (choices poker.betting). Invariant: a bet is a total on its street and only
 * grows; the smallest raise is by the last full bet or raise; who has acted may raise again only
 * when the bet has grown by a full raise since, in one step or in several (TDA 47-A).
 */
export interface LegalMove {
  readonly move: MoveName;
  /** Chips that it takes off the stack; on call and allin. */
  readonly costs?: bigint;
  /** Smallest and largest total bet; on bet and raise. */
  readonly minimum?: bigint;
  readonly maximum?: bigint;
}

export interface Move {
  readonly seat: number;
  readonly move: MoveName;
  /** The total bet on this street; with bet and raise. */
  readonly amount?: bigint;
}

export interface IllegalMove {
  readonly illegal: string;
}

/**
 * Posts the blinds and finds who is first to act. A short blind is all in; the bet stays the same.
 */
export function startHand(start: HandStart, deal: Deal): Step {
  const { n, smallBlind, bigBlind, button, smallBlindSeat, bigBlindSeat, stacks } = start;
  let hand: Hand = {
    n,
    smallBlind,
    bigBlind,
    button,
    ...(smallBlindSeat !== undefined && { smallBlindSeat }),
    bigBlindSeat,
    street: 'preflop',
    seats: stacks.map(({ seat, stack }) => ({
      seat,
      startStack: stack,
      stack,
      bet: 0n,
      total: 0n,
      folded: false,
    })),
    currentBet: bigBlind,
    lastFullRaise: bigBlind,
    boardCount: 0,
    shown: [],
  };
  const events: HandEvent[] = [{ kind: 'deal' }];
  const post = (seat: number, blind: bigint): void => {
    const posted = paid(seatOf(hand, seat), blind);
    hand = withSeat(hand, posted);
    events.push({ kind: 'blind', seat, amount: posted.bet });
  };
  if (smallBlindSeat !== undefined) post(smallBlindSeat, smallBlind);
  post(bigBlindSeat, bigBlind);
  const next = nextToAct(hand, bigBlindSeat);
  if (next !== undefined) return { hand: { ...hand, toAct: next }, events };
  const after = endStreet(hand, deal);
  return { hand: after.hand, events: [...events, ...after.events] };
}

/** The moves that the seat whose turn it is may make; none when it is nobody's turn. */
export function legalMoves(hand: Hand): readonly LegalMove[] {
  if (hand.toAct === undefined) return [];
  const seat = seatOf(hand, hand.toAct);
  const { currentBet, bigBlind, lastFullRaise } = hand;
  const owed = currentBet > seat.bet ? currentBet - seat.bet : 0n;
  const moves: LegalMove[] = [{ move: 'fold' }];
  if (owed === 0n) moves.push({ move: 'check' });
  else moves.push({ move: 'call', costs: owed < seat.stack ? owed : seat.stack });
  const maximum = seat.bet + seat.stack;
  if (maximum <= currentBet) return [...moves, { move: 'allin', costs: seat.stack }];
  if (!mayRaise(hand, seat)) return moves;
  const minimum = currentBet === 0n ? bigBlind : currentBet + lastFullRaise;
  if (maximum >= minimum) {
    moves.push({ move: currentBet === 0n ? 'bet' : 'raise', minimum, maximum });
  }
  return [...moves, { move: 'allin', costs: seat.stack }];
}

/** Somebody must be left to answer, and action must be open to this seat (TDA 47-A). */
function mayRaise(hand: Hand, seat: HandSeat): boolean {
  const others = live(hand).some((each) => each.seat !== seat.seat && each.stack > 0n);
  if (!others) return false;
  return seat.facedAt === undefined || hand.currentBet - seat.facedAt >= hand.lastFullRaise;
}

/** The hand after a move of the seat whose turn it is; a move that is not legal says why. */
export function makeMove(hand: Hand, move: Move, deal: Deal): Step | IllegalMove {
  const checked = judged(hand, move);
  if ('illegal' in checked) return checked;
  const { moved, bet } = checked;
  const event: HandEvent = { kind: move.move, seat: move.seat, amount: moved.bet };
  const after = passOn(withSeat(raisedBy(hand, moved, bet), moved), move.seat, deal);
  return { hand: after.hand, events: [event, ...after.events] };
}

interface Judged {
  readonly moved: HandSeat;
  /** The bet to match after the move. */
  readonly bet: bigint;
}

function judged(hand: Hand, { seat: number, move, amount }: Move): Judged | IllegalMove {
  const legal = legalMoves(hand).find((each) => each.move === move);
  if (hand.toAct !== number || legal === undefined) return { illegal: notLegal(hand, move) };
  const seat = seatOf(hand, number);
  const sized = move === 'bet' || move === 'raise';
  if (!sized && amount !== undefined) return { illegal: `${move} takes no amount` };
  if (move === 'fold') {
    return { moved: { ...seat, folded: true, facedAt: hand.currentBet }, bet: hand.currentBet };
  }
  if (sized) {
    const { minimum = 0n, maximum = 0n } = legal;
    if (amount === undefined) return { illegal: `${move} needs the amount of the total bet` };
    if (amount < minimum || amount > maximum) {
      return { illegal: `${move} is to a total of ${minimum} to ${maximum}, not ${amount}` };
    }
  }
  const total = sized ? (amount ?? 0n) : seat.bet + (legal.costs ?? 0n);
  const bet = total > hand.currentBet ? total : hand.currentBet;
  return { moved: { ...paid(seat, total - seat.bet), facedAt: bet }, bet };
}

function notLegal(hand: Hand, move: MoveName): string {
  const names = legalMoves(hand).map((each) => each.move);
  return `${move} is not legal here; legal: ${names.join(', ')}`;
}

/** A full raise sets the size of the next one; an all-in for less only raises what is to match. */
function raisedBy(hand: Hand, moved: HandSeat, bet: bigint): Hand {
  const by = bet - hand.currentBet;
  if (by <= 0n) return hand;
  const full = by >= hand.lastFullRaise;
  return {
    ...hand,
    currentBet: bet,
    aggressor: moved.seat,
    ...(full && { lastFullRaise: by }),
  };
}

/** Gives the turn to the next seat that has something to decide, or ends the street. */
function passOn(hand: Hand, from: number, deal: Deal): Step {
  const next = live(hand).length > 1 ? nextToAct(hand, from) : undefined;
  if (next !== undefined) return { hand: { ...hand, toAct: next }, events: [] };
  return endStreet(hand, deal);
}

function nextToAct(hand: Hand, from: number): number | undefined {
  const { seats } = hand;
  const left = seats.findIndex(({ seat }) => seat > from);
  const first = left < 0 ? 0 : left;
  for (let nth = 0; nth < seats.length; nth += 1) {
    const seat = seats[(first + nth) % seats.length];
    if (seat !== undefined && decides(hand, seat)) return seat.seat;
  }
  return undefined;
}

/**
 * Whether a seat has something to decide: it has chips, and it has not acted or has not matched the
 * bet. Alone against seats that are all in, it decides only about what they have put in.
 */
function decides(hand: Hand, seat: HandSeat): boolean {
  if (seat.folded || seat.stack === 0n) return false;
  const others = live(hand).filter((each) => each.seat !== seat.seat);
  if (others.every(({ stack }) => stack === 0n)) {
    return others.some(({ bet }) => bet > seat.bet);
  }
  return seat.facedAt === undefined || seat.bet < hand.currentBet;
}
