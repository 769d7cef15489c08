import assert from 'node:assert/strict';
import {
  discountedOf,
  lossesOf,
  lostPoints,
  NO_LOSSES,
  RETURN_WINDOW_MS,
  type Gain,
} from './karmaFigures.ts';

const NONE = { earned: new Map<string, number>(), spent: new Map<string, number>() };

/** A paid task of 1 USDC for a party of its own. */
function gain(party: string, over: Partial<Gain> = {}): Gain {
  const task = { reward: 1_000_000, feeBps: 300 };
  const sides = { isOwn: false, isSpent: false };
  return { at: 1, delta: 3, fullDelta: 3, money: 'real', party, ...sides, ...task, ...over };
}
const judged = (gains: readonly Gain[], returned = NONE) =>
  lossesOf(NO_LOSSES, { before: [], gains }, returned);

describe('discounted karma', () => {
  it('is what was recorded where nothing is linked, circular or unpaid', () => {
    const losses = judged([gain('a'), gain('b'), gain('c')]);
    assert.deepEqual(lostPoints(losses), { linked: 0, circular: 0, unpaid: 0 });
    assert.equal(discountedOf(9, losses), 9);
  });

  it('loses gains of accounts that were linked to it or to each other only later', () => {
    const own = judged([gain('a', { isOwn: true })]);
    assert.equal(discountedOf(3, own), 0);
    const oneParty = judged([gain('p'), gain('p'), gain('p'), gain('p')]);
    assert.equal(discountedOf(12, oneParty), 4, '3, then 1, then nothing');
    const apart = judged([gain('p'), gain('p', { at: 1 + RETURN_WINDOW_MS })]);
    assert.equal(discountedOf(6, apart), 6, 'after the window it counts in full again');
    const housed = judged([gain('hub:board'), gain('hub:board'), gain('hub:board')]);
    assert.equal(discountedOf(9, housed), 9, 'the house is bounded by the day');
  });

  it('loses the share of a gain whose money came back, on the side that paid it', () => {
    const returned = { earned: new Map([['p', 0.5]]), spent: new Map([['w', 1]]) };
    const losses = judged(
      [gain('p'), gain('w', { isSpent: true, delta: 1, fullDelta: 1 }), gain('q')],
      returned,
    );
    assert.equal(losses.circular, 2_500);
    assert.equal(discountedOf(7, losses), 4);
  });

  it('counts 20 points of work without money, as of test money', () => {
    const unpaid = Array.from({ length: 30 }, (_, n) =>
      gain(`p${n}`, { money: 'none', reward: 0 }),
    );
    const losses = judged(unpaid);
    assert.equal(discountedOf(90, losses), 20);
    assert.equal(losses.price, 0);
  });

  it('is the same whether gains are judged at once or as their windows close', () => {
    const gains = Array.from({ length: 40 }, (_, n) =>
      gain(`p${n % 7}`, { at: n, money: n % 3 === 0 ? 'none' : 'real' }),
    );
    const first = lossesOf(NO_LOSSES, { before: [], gains: gains.slice(0, 15) }, NONE);
    const rest = { before: gains.slice(0, 15), gains: gains.slice(15) };
    assert.deepEqual(lossesOf(first, rest, NONE), judged(gains));
  });

  it('is never above the record and never counts gains that wait', () => {
    assert.equal(discountedOf(-4, judged([gain('a', { delta: 0 })])), -4);
    assert.equal(discountedOf(10, NO_LOSSES, 6), 4);
  });
});

describe('the price of karma', () => {
  it('is the fees of its tasks and the interest of money that stayed for a window', () => {
    const kept = judged([gain('p')]).price;
    assert.equal(kept, 30_000 + Math.round((1_000_000 * 0.1 * 90) / 365));
    const circular = judged([gain('p')], { earned: new Map([['p', 1]]), spent: new Map() }).price;
    assert.equal(circular, 30_000, 'money that came back was not tied up');
  });
});
