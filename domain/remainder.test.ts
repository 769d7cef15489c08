import assert from 'node:assert/strict';
import fc from 'fast-check';
import { largestRemainder } from './remainder.ts';

describe('an amount that is divided by weights', () => {
  it('gives each its floor, and the rest to the largest remainders', () => {
    assert.deepEqual(largestRemainder(100n, [1n, 1n, 1n], [0, 1, 2]), [34n, 33n, 33n]);
    assert.deepEqual(largestRemainder(10n, [1n, 5n, 6n], [0, 1, 2]), [1n, 4n, 5n]);
    assert.deepEqual(largestRemainder(7n, [3n, 1n], [0, 1]), [5n, 2n]);
    assert.deepEqual(largestRemainder(8n, [1n, 0n, 3n], [0, 1, 2]), [2n, 0n, 6n]);
  });

  it('gives a unit to the lower place where remainders are equal', () => {
    assert.deepEqual(largestRemainder(1n, [1n, 1n, 1n], [2, 0, 1]), [0n, 1n, 0n]);
    assert.deepEqual(largestRemainder(2n, [1n, 1n, 1n], [2, 0, 1]), [0n, 1n, 1n]);
  });

  it('gives nothing where nothing has weight', () => {
    assert.deepEqual(largestRemainder(5n, [0n, 0n], [0, 1]), [0n, 0n]);
    assert.deepEqual(largestRemainder(5n, [], []), []);
  });

  it('adds up to the amount, and no part differs from its due by a unit', () =>
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10n ** 15n),
        fc.array(fc.bigInt(0n, 10n ** 9n), { minLength: 1, maxLength: 20 }),
        (amount, weights) => {
          const whole = weights.reduce((sum, each) => sum + each, 0n);
          if (whole === 0n) return;
          const shares = largestRemainder(amount, weights, [...weights.keys()]);
          assert.equal(
            shares.reduce((sum, each) => sum + each, 0n),
            amount,
          );
          for (const [nth, weight] of weights.entries()) {
            const off = (shares[nth] ?? 0n) * whole - weight * amount;
            assert.ok(off < whole && off > -whole);
          }
        },
      ),
    ));
});
