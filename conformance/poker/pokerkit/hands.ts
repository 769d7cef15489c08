import { applyMove, legalMoves, startHand, type LegalMove } from '../../../domain/poker/betting.ts';
import { cardText, type Card } from '../../../domain/poker/cards.ts';
import { clockwiseFrom, dealt, type LiveHand } from '../../../domain/poker/hand.ts';
import { decidePots } from '../../../domain/poker/pots.ts';
import { randomSource } from '../peers/counts.ts';

/**
 * Random hands of the engine as JSON lines for `replay.py`: the deal, each turn's legal moves and
 * move, the outcome. Places count from the first seat left of the button, as in PokerKit. The big
 * blind is whole, since PokerKit lowers the call after a short one (choices poker.references).
 */
const BLINDS = { smallBlind: 50, bigBlind: 100 };
const [count = '1000', seed = '1'] = process.argv.slice(2);
const random = randomSource(Number(seed));

interface Turn {
  readonly place: number;
  /** Chips that a call takes; 0 is a check. */
  readonly call: number;
  /** Least and largest total of a bet or raise, one that is all in for less included. */
  readonly raise: readonly [number, number] | null;
  readonly move: 'fold' | 'call' | 'raise';
  /** The total of the raise. */
  readonly to: number | null;
}

function playHand(): object {
  const players = 2 + random(8);
  const button = 1 + random(players);
  const small = players === 2 ? button : (button % players) + 1;
  const big = (small % players) + 1;
  const stacks = Array.from({ length: players }, (_, nth) => {
    const least = nth + 1 === big ? BLINDS.bigBlind : 10;
    return { seat: nth + 1, stack: least + random(random(3) === 0 ? 600 : 6_000) };
  });
  const seats = stacks.map(({ seat }) => seat);
  const order = clockwiseFrom(seats, button);
  const places = new Map(order.map((seat, place) => [seat, place]));
  const placeOf = (seat: number): number => places.get(seat) ?? -1;
  const deal = dealt(shuffled(), seats, button);
  const at = { button, smallBlindSeat: small, bigBlindSeat: big };
  const { hand } = startHand({ n: 1, ...BLINDS, ...at, stacks }, deal);
  const turns: Turn[] = [];
  while (hand.toAct !== undefined) {
    const turn = turnOf(hand, placeOf(hand.toAct));
    const { move, to } = turn;
    const chips = hand.seats.find(({ seat }) => seat === hand.toAct);
    const isAll = to !== null && chips !== undefined && to === chips.bet + chips.stack;
    const sized = hand.currentBet === 0 ? ('bet' as const) : ('raise' as const);
    const called = turn.call === 0 ? ('check' as const) : ('call' as const);
    const name = move === 'fold' ? move : move === 'call' ? called : isAll ? 'allin' : sized;
    const amount = name === sized && to !== null ? { amount: to } : {};
    const made = applyMove(hand, { seat: hand.toAct, move: name, ...amount }, deal);
    if ('illegal' in made) throw new Error(made.illegal);
    turns.push(turn);
  }
  const { pots, stacks: after } = decidePots(hand, deal);
  const inOrder = <T>(of: (seat: number) => T): T[] => order.map(of);
  return {
    stacks: inOrder((seat) => stacks[seat - 1]?.stack),
    holes: inOrder((seat) => (deal.holes.get(seat) ?? []).map(cardText).join('')),
    board: deal.board.map(cardText),
    turns,
    pots: pots
      .filter(({ eligible }) => eligible.length > 1)
      .map(({ amount, eligible, winners }) => ({
        amount,
        eligible: eligible.map(placeOf).sort((a, b) => a - b),
        winners: winners.map(({ seat }) => placeOf(seat)).sort((a, b) => a - b),
      })),
    after: inOrder((seat) => after.get(seat)),
  };
}

function turnOf(hand: LiveHand, place: number): Turn {
  const legal = legalMoves(hand);
  const call = legal.find(({ move }) => move === 'call')?.costs ?? 0;
  const raise = raiseOf(legal, hand);
  const drawn = random(10);
  // Folding for nothing is legal here and an error to PokerKit.
  if (drawn < 4 && call > 0) return { place, call, raise, move: 'fold', to: null };
  if (drawn < 7 || raise === null || !isCovered(hand)) {
    return { place, call, raise, move: 'call', to: null };
  }
  const [least, most] = raise;
  const far = random(4);
  const to = far === 0 ? most : far === 1 ? least : least + random(Math.min(most - least, 800) + 1);
  return { place, call, raise, move: 'raise', to };
}

function raiseOf(legal: readonly LegalMove[], hand: LiveHand): readonly [number, number] | null {
  const sized = legal.find(({ move }) => move === 'bet' || move === 'raise');
  if (sized?.minimum !== undefined && sized.maximum !== undefined) {
    return [sized.minimum, sized.maximum];
  }
  const all = legal.find(({ move }) => move === 'allin');
  const seat = hand.seats.find((each) => each.seat === hand.toAct);
  if (all === undefined || seat === undefined) return null;
  const total = seat.bet + seat.stack;
  return total > hand.currentBet ? [total, total] : null;
}

/** Whether another player could put in more than the bet; PokerKit has no raise otherwise. */
function isCovered({ seats, currentBet, toAct }: LiveHand): boolean {
  return seats.some(
    ({ seat, folded, stack, bet }) => seat !== toAct && !folded && stack + bet > currentBet,
  );
}

function shuffled(): readonly Card[] {
  const deck = Array.from({ length: 52 }, (_, card) => card);
  for (let last = 51; last > 0; last -= 1) {
    const other = random(last + 1);
    [deck[last], deck[other]] = [deck[other] ?? 0, deck[last] ?? 0];
  }
  return deck;
}

for (let nth = 0; nth < Number(count); nth += 1) {
  if (!process.stdout.write(`${JSON.stringify(playHand())}\n`)) {
    await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}
