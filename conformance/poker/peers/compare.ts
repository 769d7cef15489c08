import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { applyMove, legalMoves, startHand, type LegalMove } from '../../../domain/poker/betting.ts';
import { cardText, parseCards, type Card } from '../../../domain/poker/cards.ts';
import type { Deal, Hand, HandEvent, HandSeat, LiveHand } from '../../../domain/poker/hand.ts';
import { decidePots, potsOf } from '../../../domain/poker/pots.ts';
import { openPeer, type Peer, type PeerCard } from './peer.ts';

/**
 * One random hand in the engine and in poker-ts, side by side: who is on turn, the chips behind and
 * in front of every seat, the legal moves, and at the end the pots, the winners and the stacks. The
 * cards are the peer's. The winners of every showdown are pokersolver's too. The rules
 * part in seven places, and there alone something of poker-ts is left out:
 *
 * - `shortAllIn`: after an all-in for less than a full raise the peer lets everybody raise again,
 *   by the smaller step (choices poker.betting); until the street ends only moves that both have
 *   are compared.
 * - `nobodyToAnswer`: the peer lets a seat raise when every other one is all in.
 * - `allInKept`: a seat that is all in for the whole bet loses its part of the peer's pot as soon
 *   as others play another street; pots, winners and stacks are left out.
 * - `foldedChips`: chips folded between two levels go to the peer's lowest pot; so too left out.
 * - `allInEarly`: who was all in before the last street gets nothing from the peer; its stacks and
 *   winners are left out, its pots are not.
 * - `misread`: the peer does not find the best five of every seven, as with two threes of a kind.
 * - `foldedLater`: who folds after a street that left side pots can still win the peer's, and the
 *   chips of such a win are lost; the same is left out.
 */
export type Parting =
  | 'shortAllIn'
  | 'nobodyToAnswer'
  | 'allInKept'
  | 'foldedChips'
  | 'foldedLater'
  | 'allInEarly'
  | 'misread';
export interface Compared {
  readonly moves: number;
  readonly partings: ReadonlySet<Parting>;
  /** Whether pots, winners and stacks were the same at the end; else they were left out. */
  readonly paid: boolean;
  readonly isShowdown: boolean;
  readonly potCount: number;
}

interface Solver {
  readonly Hand: {
    solve(cards: readonly string[]): object;
    winners(hands: readonly object[]): readonly object[];
  };
}
const { Hand: solver } = createRequire(import.meta.url)('pokersolver') as Solver;
const UNPAID: readonly Parting[] = ['allInKept', 'foldedChips', 'foldedLater'];
const NOT_DEALT: Deal = { holes: new Map(), board: [] };
const BLINDS = { smallBlind: 50, bigBlind: 100 };

export function compareHand(random: (below: number) => number): Compared {
  return new Comparison(random).run();
}

class Comparison {
  readonly partings = new Set<Parting>();
  readonly peer: Peer = openPeer(BLINDS, 9);
  readonly random: (below: number) => number;
  readonly hand: LiveHand;
  readonly holes: ReadonlyMap<number, readonly [Card, Card]>;
  moves = 0;
  isShort = false;
  /** Seats that were all in before the present street. */
  readonly early = new Set<number>();

  constructor(random: (below: number) => number) {
    this.random = random;
    const count = 2 + random(8);
    const stacks = Array.from({ length: count }, (_, nth) => ({
      seat: nth + 1,
      stack: 200 + random(random(3) === 0 ? 400 : 5_000),
    }));
    for (const { seat, stack } of stacks) this.peer.sitDown(seat - 1, stack);
    const button = 1 + random(count);
    this.peer.startHand(button - 1);
    this.holes = holesOf(this.peer);
    const small = count === 2 ? button : (button % count) + 1;
    const positions = { button, smallBlindSeat: small, bigBlindSeat: (small % count) + 1 };
    this.hand = startHand({ n: 1, ...BLINDS, ...positions, stacks }, NOT_DEALT).hand;
  }

  run(): Compared {
    while (this.hand.toAct !== undefined) {
      this.sameTurn();
      this.move(this.choose());
    }
    const paid = this.samePayment();
    const { partings, moves, hand } = this;
    const isShowdown = hand.street === 'showdown';
    return { moves, partings, paid, isShowdown, potCount: potsOf(hand.seats).length };
  }

  private sameTurn(): void {
    const { peer, hand } = this;
    assert.equal(peer.isBettingRoundInProgress(), true);
    assert.equal(peer.playerToAct() + 1, hand.toAct);
    const seats = peer.seats();
    for (const { seat, stack, bet, folded } of hand.seats) {
      const other = seats[seat - 1];
      if (folded || other === null || other === undefined) continue;
      assert.deepEqual([other.stack, other.betSize], [stack, bet], `seat ${seat}`);
    }
  }

  /** A legal move of both, after their lists were compared. */
  private choose(): LegalMove {
    const ours = legalMoves(this.hand).map((each) => asPeers(each, this.hand));
    const { actions, chipRange } = this.peer.legalActions();
    const theirs = actions.map((move) => {
      const sized = move === 'bet' || move === 'raise';
      return sized ? { move, minimum: chipRange?.min, maximum: chipRange?.max } : { move };
    });
    const merged = merge(ours);
    const others = this.hand.seats.filter(({ seat }) => seat !== this.hand.toAct);
    const { currentBet } = this.hand;
    const isAnswered = others.some(
      ({ folded, stack, bet }) => !folded && stack > 0 && stack + bet > currentBet,
    );
    const isShort = this.isShort;
    if (!isAnswered && theirs.length > merged.length) this.partings.add('nobodyToAnswer');
    else if (!isShort) assert.deepEqual(merged.map(text).sort(), theirs.map(text).sort());
    const both = merged.filter((mine) => {
      const theirMove = theirs.find(({ move }) => move === mine.move);
      if (theirMove === undefined) return false;
      return mine.minimum === undefined || Number(theirMove.minimum) <= mine.minimum;
    });
    const drawn = both[this.random(both.length)];
    assert.ok(drawn !== undefined, 'folding is a move of both');
    return drawn;
  }

  private move({ move, minimum, maximum }: LegalMove): void {
    const { hand, peer } = this;
    const amount = this.random(3) === 0 ? maximum : minimum;
    const seat = hand.toAct ?? 0;
    const isShort = amount !== undefined && amount < smallestOf(hand);
    const bets = new Map(hand.seats.map((each) => [each.seat, each.bet]));
    const { street } = hand;
    const isLate = this.early.size > 0;
    if (move === 'fold' && isLate) this.partings.add('foldedLater');
    const asked = isShort ? { seat, move: 'allin' as const } : { seat, move, amount };
    const made = applyMove(hand, asked, NOT_DEALT);
    if ('illegal' in made) assert.fail(made.illegal);
    if (isShort) {
      this.isShort = true;
      this.partings.add('shortAllIn');
    }
    peer.actionTaken(move, amount);
    this.moves += 1;
    bets.set(seat, madeBet(made));
    if (street !== hand.street || hand.toAct === undefined) this.endOfStreet(bets);
    if (!peer.isBettingRoundInProgress() && peer.isHandInProgress()) peer.endBettingRound();
  }

  private endOfStreet(bets: ReadonlyMap<number, number>): void {
    this.isShort = false;
    const live = this.hand.seats.filter(({ folded }) => !folded);
    const betOf = ({ seat }: HandSeat): number => bets.get(seat) ?? 0;
    const folded = this.hand.seats.filter((seat) => seat.folded).map(betOf);
    if (isSpreadOtherwise(live.map(betOf), folded)) this.partings.add('foldedChips');
    if (this.hand.toAct === undefined) return;
    for (const { seat, stack } of live) if (stack === 0) this.early.add(seat);
    const most = Math.max(...live.map(({ total }) => total));
    if (live.some(({ stack, total }) => stack === 0 && total === most)) {
      this.partings.add('allInKept');
    }
  }

  /** Pots, winners and stacks; false where the peer's pots are known to be others. */
  private samePayment(): boolean {
    const { hand, peer, partings } = this;
    const board = parseCards(peer.communityCards().map(cardTextOf).join(' '));
    const outcome = decidePots(hand, { holes: this.holes, board });
    const sum = (chips: readonly number[]): number => chips.reduce((a, b) => a + b, 0);
    const start = sum(hand.seats.map(({ startStack }) => startStack));
    assert.equal(sum([...outcome.stacks.values()]), start, 'no chip is made or lost');
    const ours = outcome.pots.filter(({ eligible }) => eligible.length > 1);
    const winners = ours.map((pot) => ascending(pot.winners.map(({ seat }) => seat)));
    const isShowdown = hand.street === 'showdown';
    const isParted = UNPAID.some((each) => partings.has(each));
    // A peer that has dropped an all-in seat may end without the last cards.
    if (isShowdown && !(isParted && board.length < 5)) {
      const solved = ours.map(({ eligible }) => solvedWinners(eligible, this.holes, board));
      assert.deepEqual(winners, solved, 'pokersolver finds the same winners');
    }
    if (isParted) return false;
    if (isShowdown) {
      // Chips that one seat alone can win were never at stake: the engine gave it back already.
      const contested = peer.pots().filter(({ eligiblePlayers }) => eligiblePlayers.length > 1);
      assert.deepEqual(
        ours.map(({ amount, eligible }) => [amount, eligible]),
        contested.map(({ size, eligiblePlayers }) => [size, eligiblePlayers.map((at) => at + 1)]),
      );
    }
    if (this.early.size > 0) {
      partings.add('allInEarly');
      return true;
    }
    const sizes = peer.pots().map(({ eligiblePlayers }) => eligiblePlayers.length);
    peer.showdown();
    if (isShowdown) {
      const won = peer.winners().filter((_, nth) => (sizes[nth] ?? 0) > 1);
      const theirs = won.map((each) => ascending(each.map(([at]) => at + 1)));
      if (JSON.stringify(theirs) !== JSON.stringify(winners)) {
        partings.add('misread');
        return true;
      }
    }
    const after = peer.seats();
    for (const [seat, chips] of outcome.stacks) {
      // The peer takes who has no chips left from the table.
      assert.equal(chips, after[seat - 1]?.stack ?? 0, `seat ${seat}`);
    }
    return true;
  }
}

function ascending(seats: readonly number[]): number[] {
  return [...seats].sort((a, b) => a - b);
}

/** Whether the peer puts folded chips of a street into other pots than the levels say. */
function isSpreadOtherwise(bets: readonly number[], folded: readonly number[]): boolean {
  const levels = [...new Set(bets)].filter((bet) => bet > 0).sort((a, b) => a - b);
  const sum = (chips: readonly number[]): number => chips.reduce((a, b) => a + b, 0);
  let below = 0;
  for (const level of levels.slice(0, -1)) {
    const count = bets.filter((bet) => bet >= level).length;
    const left = sum(folded.map((bet) => Math.max(bet - below, 0)));
    const right = sum(folded.map((bet) => Math.max(Math.min(bet, level) - below, 0)));
    if (Math.min(left, count * (level - below)) !== right) return true;
    below = level;
  }
  return false;
}

function solvedWinners(
  seats: readonly number[],
  holes: Deal['holes'],
  board: readonly Card[],
): readonly number[] {
  const hands = seats.map((seat) => {
    return solver.solve([...(holes.get(seat) ?? []), ...board].map(cardText));
  });
  const best = solver.winners(hands);
  return seats.filter((_, nth) => best.includes(hands[nth] ?? {}));
}

function madeBet(events: readonly HandEvent[]): number {
  const [made] = events;
  return made !== undefined && 'amount' in made ? made.amount : 0;
}

function smallestOf({ currentBet, lastFullRaise, bigBlind }: Hand): number {
  return currentBet === 0 ? bigBlind : currentBet + lastFullRaise;
}

/** The peer has no move for all in: it is a call, or a bet or raise of all chips. */
function asPeers({ move, ...legal }: LegalMove, hand: Hand): LegalMove {
  const seat = hand.seats.find((each) => each.seat === hand.toAct);
  if (move === 'call') return { move };
  if (move !== 'allin' || seat === undefined) return { move, ...legal };
  const total = seat.bet + seat.stack;
  if (total <= hand.currentBet) return { move: 'call' };
  return { move: hand.currentBet === 0 ? 'bet' : 'raise', minimum: total, maximum: total };
}

/** One entry for each move: all in is part of a larger range. */
function merge(moves: readonly LegalMove[]): readonly LegalMove[] {
  return moves.filter((each, nth) => moves.findIndex(({ move }) => move === each.move) === nth);
}

function text({ move, minimum, maximum }: { move: string; minimum?: unknown; maximum?: unknown }) {
  return `${move} ${String(minimum)} ${String(maximum)}`;
}

function cardTextOf({ rank, suit }: PeerCard): string {
  return `${rank}${suit.charAt(0)}`;
}

function holesOf(peer: Peer): ReadonlyMap<number, readonly [Card, Card]> {
  const holes = new Map<number, readonly [Card, Card]>();
  for (const [at, cards] of peer.holeCards().entries()) {
    const [first, second] = parseCards((cards ?? []).map(cardTextOf).join(' '));
    if (first !== undefined && second !== undefined) holes.set(at + 1, [first, second]);
  }
  return holes;
}
