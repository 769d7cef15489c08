import { createRequire } from 'node:module';
import { applyMove, legalMoves, startHand } from '../../../domain/poker/betting.ts';
import { cardText } from '../../../domain/poker/cards.ts';
import { scoreSeven } from '../../../domain/poker/evaluate.ts';
import { dealt } from '../../../domain/poker/hand.ts';
import { decidePots } from '../../../domain/poker/pots.ts';
import { randomSource } from '../../poker/peers/counts.ts';
import { openEvaluator, peersCard } from '../../poker/peers/evaluatorPeer.ts';
import { playPeerHand } from '../../poker/peers/peer.ts';

/** Hands evaluated a second against pokersolver and poker-evaluator, played against poker-ts. */
const ROUNDS = 41;
const SPAN_MS = 50;
const BATCH = 16;
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

/**
 * How often a piece of work is done in a second of processor time, which other programs on the
 * machine do not change; `work` answers how much of it one call does.
 */
function rate(work: () => number): number {
  const from = process.cpuUsage();
  let [done, micros] = [0, 0];
  while (micros < SPAN_MS * 1000) {
    for (let nth = 0; nth < BATCH; nth += 1) done += work();
    const { user, system } = process.cpuUsage(from);
    micros = user + system;
  }
  return (done / micros) * 1e6;
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

const { evalHand } = openEvaluator();
const numbers = drawn.map((cards) => cards.map(peersCard));
function evaluateTable(): number {
  for (const cards of numbers) sink ^= evalHand(cards).value;
  return numbers.length;
}

const SEATS = [1, 2, 3, 4, 5, 6] as const;
const STACKS = SEATS.map((seat) => ({ seat, stack: 10_000 }));
const BLINDS = { smallBlind: 50, bigBlind: 100, smallBlindSeat: 2, bigBlindSeat: 3 };
const deck = Array.from({ length: 52 }, (_, card) => card);

/** One random hand of six, from the shuffle to the pots, as the peer plays it. */
function playOurs(): number {
  for (let last = 51; last > 0; last -= 1) {
    const other = random(last + 1);
    const card = deck[last]!;
    deck[last] = deck[other]!;
    deck[other] = card;
  }
  const cards = dealt(deck, SEATS, 1);
  const { hand } = startHand({ n: 1, ...BLINDS, button: 1, stacks: STACKS }, cards);
  while (hand.toAct !== undefined) {
    const legal = legalMoves(hand);
    // The peer has no move of its own for all in: it is drawn again.
    let drawn = legal[random(legal.length)];
    while (drawn?.move === 'allin') drawn = legal[random(legal.length)];
    const { move, minimum: amount } = drawn ?? { move: 'fold' };
    const made = applyMove(hand, { seat: hand.toAct, move, amount }, cards);
    if ('illegal' in made) throw new Error(made.illegal);
  }
  decidePots(hand, cards);
  return 1;
}

/** The middle of the ratios of neighbouring rounds, and the quarters around it. */
function report(what: string, ours: readonly number[], peer: readonly number[]): void {
  const sorted = (all: readonly number[]): number[] => [...all].sort((a, b) => a - b);
  const at = (all: readonly number[], share: number): number =>
    sorted(all)[Math.floor((all.length - 1) * share)] ?? 0;
  const ratios = ours.map((mine, nth) => mine / (peer[nth] ?? 1));
  const shown = (each: number): string => Math.round(each).toLocaleString('en');
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => at(ratios, share).toFixed(1));
  const rates = `${shown(at(ours, 0.5))}/s against ${shown(at(peer, 0.5))}/s`;
  console.log(`${what}: ${rates}, ${middle} times (${low} to ${high})`);
}

const figures = { ours: [] as number[], peer: [] as number[], table: [] as number[] };
const hands = { ours: [] as number[], peer: [] as number[] };
for (let round = 0; round < ROUNDS; round += 1) {
  figures.ours.push(rate(evaluateOurs));
  figures.peer.push(rate(evaluatePeer));
  figures.table.push(rate(evaluateTable));
  hands.ours.push(rate(playOurs));
  hands.peer.push(rate(() => playPeerHand(random)));
}
report('hands of seven evaluated, pokersolver', figures.ours, figures.peer);
report('hands of seven evaluated, poker-evaluator', figures.ours, figures.table);
report('random six-handed hands, poker-ts', hands.ours, hands.peer);
if (sink === 1) console.log('');
