import assert from 'node:assert/strict';
import { cardText, parseCards } from './cards.ts';
import { bestFive, CATEGORIES, categoryOf, score, scoreOfSuits, scoreSeven } from './evaluate.ts';
import type { Category } from './evaluate.ts';

/** Counts known from mathematics (choices poker.references). */
const OF_FIVE: Readonly<Record<Category, number>> = {
  'straight-flush': 40,
  'four-of-a-kind': 624,
  'full-house': 3_744,
  flush: 5_108,
  straight: 10_200,
  'three-of-a-kind': 54_912,
  'two-pair': 123_552,
  pair: 1_098_240,
  'high-card': 1_302_540,
};

describe('what a hand is worth', () => {
  it('finds each category as often as mathematics says in all five-card hands', () => {
    const counts = new Uint32Array(9);
    const scores = new Set<number>();
    walkFive((scored) => {
      counts[scored >> 20] = (counts[scored >> 20] ?? 0) + 1;
      scores.add(scored);
    });
    assert.deepEqual(Object.fromEntries(CATEGORIES.map((name, at) => [name, counts[at]])), OF_FIVE);
    assert.equal(scores.size, 7_462, 'distinct hands');
  });

  const ORDER = [
    'As Ks Qs Js Ts 2d 2c',
    '5s 4s 3s 2s As Kd Kc',
    'Ah Ad Ac As 2d 2c 2h',
    '2h 2d 2c 2s Ad Ac Kh',
    'Ah Ad Ac Ks Kd Kc Qh',
    'Ah Ad Ac Qs Qd Jc Jh',
    'As Ks 9s 5s 3s Ad Ac',
    'As Kd Qc Jh Ts Td Tc',
    '5h 4d 3c 2s Ad Kc Kh',
    'Ah Ad Ac Ks Qd 3c 2h',
    'Ah Ad Ks Kd Qc Qh 2s',
    'Ah Ad Ks Kd Jc Th 2s',
    'Ah Ad Ks Qd 9c 3h 2s',
    'Ah Kd Qs Jd 9c 3h 2s',
  ];
  for (const [at, better] of ORDER.entries()) {
    const worse = ORDER[at + 1];
    if (worse === undefined) continue;
    it(`puts ${better} above ${worse}`, () => {
      assert.ok(score(parseCards(better)) > score(parseCards(worse)));
    });
  }

  it('takes a kicker from the third pair, and ties hands that differ in a sixth card', () => {
    assert.equal(
      score(parseCards('Ah Ad Ks Kd Qc Qh 2s')),
      score(parseCards('Ah Ad Ks Kd Qc 3h 2s')),
    );
    assert.equal(
      score(parseCards('As Ks Qs Js 9s 2s 3d')),
      score(parseCards('As Ks Qs Js 9s 4d 3d')),
    );
  });

  it('gives seven cards the best score of their five-card hands, however they are asked', () => {
    let state = 1;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    for (let round = 0; round < 2_000; round += 1) {
      const deck = Array.from({ length: 52 }, (_, card) => card);
      const seven = Array.from({ length: 7 }, () => deck.splice(random(deck.length), 1)[0] ?? 0);
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = seven;
      const best = bestFive(seven);
      assert.equal(new Set(best).size, 5);
      assert.equal(score(best), score(seven), seven.map(cardText).join(' '));
      assert.equal(scoreSeven(a, b, c, d, e, f, g), score(seven));
    }
  });

  it('names the category of a score', () => {
    assert.equal(categoryOf(score(parseCards('As Ad Ac Ks Kd 2c 3h'))), 'full-house');
    assert.equal(categoryOf(scoreOfSuits(1, 2, 4, 0b1_0010_0010_0000)), 'high-card');
  });
});

function walkFive(each: (scored: number) => void): void {
  const suits = new Int32Array(4);
  const walk = (from: number, left: number): void => {
    if (left === 0) {
      each(scoreOfSuits(suits[0] ?? 0, suits[1] ?? 0, suits[2] ?? 0, suits[3] ?? 0));
      return;
    }
    for (let card = from; card <= 52 - left; card += 1) {
      const suit = Math.floor(card / 13);
      const bit = 1 << (card % 13);
      suits[suit] = (suits[suit] ?? 0) | bit;
      walk(card + 1, left - 1);
      suits[suit] = (suits[suit] ?? 0) & ~bit;
    }
  };
  walk(0, 5);
}
