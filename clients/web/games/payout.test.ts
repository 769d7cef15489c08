import assert from 'node:assert/strict';
import { oddsLine, projected } from './payout.ts';

describe('the payout that a market page projects', () => {
  it('is the stake and its part of the losing pot less the share of the judge', () => {
    // The example of choices predictions.payout: winners 700000, losers 750001, a judge's 7500.
    const pots = { yes: '400000', no: '750001' };
    assert.equal(projected(pots, 'yes', '300000', 100), '618214');
    assert.equal(
      projected(pots, 'yes', '300000', 0),
      String(300000 + Math.floor((3 * 750001) / 7)),
    );
  });

  it('is the stake alone when nobody bet against it', () => {
    assert.equal(projected({ yes: '0', no: '0' }, 'no', '10000', 100), '10000');
    assert.equal(projected({ yes: '0', no: '0' }, 'no', '0', 100), '0');
  });
});

describe('the line of odds', () => {
  const at = (second: number): string => new Date(second * 1000).toISOString();

  it('goes from the first bet to the end, by the part of yes', () => {
    const odds = [
      { at: at(10), yes: '10000', no: '0' },
      { at: at(20), yes: '10000', no: '30000' },
    ];
    assert.deepEqual(oddsLine(odds, 30_000), [
      { x: 0, y: 100 },
      { x: 50, y: 25 },
    ]);
  });

  it('is empty before the first bet, and never leaves the plot', () => {
    assert.deepEqual(oddsLine([], 0), []);
    assert.deepEqual(oddsLine([{ at: at(10), yes: '0', no: '10000' }], 0), [{ x: 0, y: 0 }]);
    const late = [
      { at: at(10), yes: '1', no: '1' },
      { at: at(20), yes: '1', no: '1' },
    ];
    assert.deepEqual(
      oddsLine(late, 15_000).map(({ x }) => x),
      [0, 100],
    );
  });
});
