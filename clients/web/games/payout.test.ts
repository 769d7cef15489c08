import assert from 'node:assert/strict';
import { cents, oddsOf, projected } from './payout.ts';

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

  it('is the stake alone without a bet on the other side', () => {
    assert.equal(projected({ yes: '0', no: '0' }, 'no', '10000', 100), '10000');
    assert.equal(projected({ yes: '0', no: '0' }, 'no', '0', 100), '0');
  });
});

describe('a price beside a question', () => {
  it('is rounded down to the cent', () => {
    assert.equal(cents('1309999'), '1.30');
    assert.equal(cents('9999'), '0.00');
  });
});

describe('the odds of a plot', () => {
  const time = (second: number): string => new Date(second * 1000).toISOString();

  it('are the part of yes after each bet, from the first bet against another', () => {
    const odds = [
      { at: time(100), yes: '100', no: '0' },
      { at: time(150), yes: '100', no: '300' },
      { at: time(300), yes: '500', no: '300' },
    ];
    assert.deepEqual(oddsOf(odds), [
      { at: 150_000, values: [25] },
      { at: 300_000, values: [62.5] },
    ]);
  });

  it('are all or nothing while one side alone has bets, and empty without any', () => {
    assert.deepEqual(oddsOf([{ at: time(1), yes: '0', no: '10' }]), [{ at: 1000, values: [0] }]);
    assert.deepEqual(oddsOf([]), []);
  });
});
