import assert from 'node:assert/strict';
import { legalMoves, makeMove, startHand } from '../../../domain/poker/betting.ts';
import { dealt, type Hand } from '../../../domain/poker/hand.ts';
import { decidePots } from '../../../domain/poker/pots.ts';
import { randomSource } from '../../../tools/poker/counts.ts';
import { openPeer, type Peer } from '../../../tools/poker/peer.ts';

/**
 * The engine beside poker-ts, move by move: the same seat is on turn, with the same chips behind
 * and in front of it. Where the two follow different rules a hand is left: all-in for less than a
 * full raise (who may raise again), and seats that cannot post their blind. `npm run poker:peer`
 * plays a million hands.
 */
const HANDS = Number(process.env['POKER_HANDS'] ?? 2_000);
const random = randomSource(412);

interface Played {
  readonly moves: number;
  readonly finished: boolean;
}

function playBoth(): Played {
  const count = 2 + random(8);
  const peer = openPeer({ smallBlind: 50, bigBlind: 100 }, 9);
  const numbers = Array.from({ length: count }, (_, nth) => nth + 1);
  const stacks = numbers.map((seat) => ({ seat, stack: BigInt(200 + random(5_000)) }));
  for (const { seat, stack } of stacks) peer.sitDown(seat - 1, Number(stack));
  const button = 1 + random(count);
  peer.startHand(button - 1);
  const small = count === 2 ? button : (button % count) + 1;
  const deck = Array.from({ length: 52 }, (_, card) => card);
  for (let last = 51; last > 0; last -= 1) {
    const other = random(last + 1);
    [deck[last], deck[other]] = [deck[other] ?? 0, deck[last] ?? 0];
  }
  const cards = dealt(deck, numbers, button);
  const start = { n: 1, smallBlind: 50n, bigBlind: 100n, button, smallBlindSeat: small, stacks };
  let { hand } = startHand({ ...start, bigBlindSeat: (small % count) + 1 }, cards);
  let moves = 0;
  while (hand.toAct !== undefined) {
    sameTurn(hand, peer);
    const chosen = choose(hand, peer);
    if (chosen === undefined) return { moves, finished: false };
    const { move, amount } = chosen;
    const asked = { seat: hand.toAct, move, ...(amount !== undefined && { amount }) };
    const step = makeMove(hand, asked, cards);
    if ('illegal' in step) assert.fail(step.illegal);
    hand = step.hand;
    peer.actionTaken(move, amount === undefined ? undefined : Number(amount));
    moves += 1;
    if (!peer.isBettingRoundInProgress() && peer.isHandInProgress()) peer.endBettingRound();
  }
  const all = stacks.reduce((sum, { stack }) => sum + stack, 0n);
  const { stacks: after } = decidePots(hand, cards);
  assert.equal(
    [...after.values()].reduce((sum, stack) => sum + stack, 0n),
    all,
  );
  return { moves, finished: true };
}

function sameTurn(hand: Hand, peer: Peer): void {
  assert.equal(peer.isBettingRoundInProgress(), true);
  assert.equal(peer.playerToAct() + 1, hand.toAct);
  const seats = peer.seats();
  for (const { seat, stack, bet, folded } of hand.seats) {
    const other = seats[seat - 1];
    if (folded || other === null || other === undefined) continue;
    assert.deepEqual([other.stack, other.betSize], [Number(stack), Number(bet)], `seat ${seat}`);
  }
}

/** A move that both take; undefined where their rules part. */
function choose(hand: Hand, peer: Peer) {
  const legal = legalMoves(hand).filter(({ move }) => move !== 'allin');
  const { move, minimum, maximum } = legal[random(legal.length)] ?? { move: 'fold' as const };
  const { actions, chipRange } = peer.legalActions();
  if (!actions.includes(move)) return undefined;
  if (minimum === undefined || maximum === undefined) return { move };
  const most = random(3) === 0 ? maximum : minimum;
  if (chipRange === undefined || BigInt(chipRange.min) > most || BigInt(chipRange.max) < most) {
    return undefined;
  }
  return { move, amount: most };
}

describe('the engine beside poker-ts', function suite() {
  this.timeout(60_000 + HANDS * 5);
  it(`has the same seat on turn with the same chips over ${HANDS} hands`, () => {
    let [moves, finished] = [0, 0];
    for (let hand = 0; hand < HANDS; hand += 1) {
      const played = playBoth();
      moves += played.moves;
      finished += played.finished ? 1 : 0;
    }
    assert.ok(finished > HANDS * 0.8, `${finished} of ${HANDS} hands were compared to the end`);
    assert.ok(moves > HANDS * 2);
  });
});
