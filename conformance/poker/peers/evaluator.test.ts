import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { cardText } from '../../../domain/poker/cards.ts';
import { CATEGORIES, score, scoreSeven } from '../../../domain/poker/evaluate.ts';
import { OF_SEVEN, OF_SEVEN_ALL, randomSource } from './counts.ts';

interface Solved {
  readonly cards: readonly unknown[];
}
interface Solver {
  readonly Hand: {
    solve(cards: readonly string[]): Solved;
    winners(hands: readonly Solved[]): readonly Solved[];
  };
}
const { Hand } = createRequire(import.meta.url)('pokersolver') as Solver;
const PAIRS = Number(process.env['POKER_PAIRS'] ?? 3_000);
/** A tenth of a per cent of all hands of seven. */
const SAMPLE = Math.round(OF_SEVEN_ALL / 1_000);

describe('the evaluator against others', () => {
  const random = randomSource(20_261_122);
  const draw = (count: number): readonly number[] => {
    const deck = Array.from({ length: 52 }, (_, card) => card);
    return Array.from({ length: count }, () => deck.splice(random(deck.length), 1)[0] ?? 0);
  };

  it(`puts ${PAIRS} pairs of hands on one board in the order of pokersolver`, () => {
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const cards = draw(9);
      const board = cards.slice(4);
      const [mine, theirs] = [cards.slice(0, 2), cards.slice(2, 4)].map((hole) => [
        ...hole,
        ...board,
      ]);
      assert.ok(mine !== undefined && theirs !== undefined);
      const [a, b] = [Hand.solve(mine.map(cardText)), Hand.solve(theirs.map(cardText))];
      const winners = Hand.winners([a, b]);
      const winner = winners.length === 2 ? 0 : winners[0] === a ? 1 : -1;
      const ours = Math.sign(score(mine) - score(theirs));
      assert.equal(ours, winner, `${mine.map(cardText)} against ${theirs.map(cardText)}`);
    }
  });

  it('finds the categories of a tenth of a per cent of all hands as often as mathematics says', () => {
    const counts = new Array<number>(CATEGORIES.length).fill(0);
    for (let hand = 0; hand < SAMPLE; hand += 1) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = draw(7);
      const category = scoreSeven(a, b, c, d, e, f, g) >> 20;
      counts[category] = (counts[category] ?? 0) + 1;
    }
    for (const [nth, name] of CATEGORIES.entries()) {
      const share = OF_SEVEN[name] / OF_SEVEN_ALL;
      const sigma = Math.sqrt(SAMPLE * share * (1 - share));
      const off = Math.abs((counts[nth] ?? 0) - SAMPLE * share);
      assert.ok(off < 6 * sigma + 1, `${name}: ${counts[nth]} for ${SAMPLE * share}`);
    }
  });
});
