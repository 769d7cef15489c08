import { createRequire } from 'node:module';
import { legalMoves, makeMove, startHand } from '../../domain/poker/betting.ts';
import { cardText } from '../../domain/poker/cards.ts';
import { scoreSeven } from '../../domain/poker/evaluate.ts';
import { dealt } from '../../domain/poker/hand.ts';
import { decidePots } from '../../domain/poker/pots.ts';
import { randomSource } from '../poker/counts.ts';
import { playPeerHand } from '../poker/peer.ts';

/**
 * Hold'em: hands evaluated a second against pokersolver, and six-handed random hands a second
 * through the engine against poker-ts, each pair interleaved in one run. `npx tsx
 * tools/bench/poker.ts`.
 */
const ROUNDS = 5;
const SPAN_MS = 400;
interface Solver {
  readonly Hand: { solve(cards: readonly string[]): unknown };
}
const { Hand } = createRequire(import.meta.url)('pokersolver') as Solver;
const random = randomSource(7);
const drawn = Array.from({ length: 4_096 }, () => deal(7));

function deal(count: number): number[] {
  const deck = Array.from({ length: 52 }, (_, card) => card);
  return Array.from({ length: count }, () => deck.splice(random(deck.length), 1)[0] ?? 0);
}

/** How often a piece of work is done in a second; it answers how much of it one call does. */
function rate(work: () => number): number {
  const until = performance.now() + SPAN_MS;
  const from = performance.now();
  let done = 0;
  while (performance.now() < until) done += work();
  return (done / (performance.now() - from)) * 1000;
}

let sink = 0;
function evaluateOurs(): number {
  for (const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] of drawn) {
    sink ^= scoreSeven(a, b, c, d, e, f, g);
  }
  return drawn.length;
}
const texts = drawn.slice(0, 64).map((cards) => cards.map(cardText));
function evaluatePeer(): number {
  for (const cards of texts) Hand.solve(cards);
  return texts.length;
}

/** One random hand of six, from the blinds to the pots. */
function playOurs(): number {
  const seats = [1, 2, 3, 4, 5, 6];
  const cards = dealt(deal(52), seats, 1);
  const stacks = seats.map((seat) => ({ seat, stack: 10_000n }));
  const blinds = { smallBlind: 50n, bigBlind: 100n };
  let { hand } = startHand(
    { n: 1, ...blinds, button: 1, smallBlindSeat: 2, bigBlindSeat: 3, stacks },
    cards,
  );
  while (hand.toAct !== undefined) {
    // The moves that the peer has too.
    const legal = legalMoves(hand).filter(({ move }) => move !== 'allin');
    const { move, minimum } = legal[random(legal.length)] ?? { move: 'fold' };
    const asked = { seat: hand.toAct, move };
    const sized = minimum === undefined ? asked : { ...asked, amount: minimum };
    const step = makeMove(hand, sized, cards);
    if ('illegal' in step) throw new Error(step.illegal);
    ({ hand } = step);
  }
  decidePots(hand, cards);
  return 1;
}

function report(what: string, ours: readonly number[], peer: readonly number[]): void {
  const ratios = ours.map((mine, nth) => mine / (peer[nth] ?? 1)).sort((a, b) => a - b);
  const median = (all: readonly number[]): number =>
    [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  const shown = (each: number): string => Math.round(each).toLocaleString('en');
  const range = `${ratios[0]?.toFixed(1)} to ${ratios.at(-1)?.toFixed(1)}`;
  console.log(`${what}: ${shown(median(ours))}/s against ${shown(median(peer))}/s, ${range} times`);
}

const figures = { ours: [] as number[], peer: [] as number[] };
const hands = { ours: [] as number[], peer: [] as number[] };
for (let round = 0; round < ROUNDS; round += 1) {
  figures.ours.push(rate(evaluateOurs));
  figures.peer.push(rate(evaluatePeer));
  hands.ours.push(rate(playOurs));
  hands.peer.push(rate(() => playPeerHand(random)));
}
report('hands of seven evaluated, pokersolver', figures.ours, figures.peer);
report('random six-handed hands, poker-ts', hands.ours, hands.peer);
if (sink === 1) console.log('');
