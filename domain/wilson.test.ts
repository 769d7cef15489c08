import assert from 'node:assert/strict';
import { rateOf } from './wilson.ts';

describe('the interval of a rate', () => {
  it('has the published values of Wilson for 81 of 263', () => {
    const { low, high } = rateOf(81, 263);
    assert.deepEqual([low.toFixed(4), high.toFixed(4)], ['0.2553', '0.3662']);
  });

  it('is everything for no observation, and stays within 0 and 1 at the ends', () => {
    assert.deepEqual(rateOf(0, 0), { count: 0, of: 0, low: 0, high: 1 });
    assert.equal(rateOf(0, 5).low, 0);
    assert.equal(rateOf(5, 5).high, 1);
    assert.ok(rateOf(5, 5).low < 0.57 && rateOf(500, 500).low > 0.99);
  });
});
