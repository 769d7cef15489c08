import assert from 'node:assert/strict';
import fc from 'fast-check';
import vectors from '../spec/vectors/draw.json' with { type: 'json' };
import { drawOrder, drawSeed, weightOf } from './draw.ts';
import type { Candidate } from './draw.ts';

const poolOf = (pool: readonly { account: string; weight: string; group: string }[]): Candidate[] =>
  pool.map((each) => ({ ...each, weight: BigInt(each.weight) }));

describe('the draw', () => {
  for (const each of vectors.cases) {
    it(`gives what spec/vectors says: ${each.case}`, () => {
      const kind = each.kind === 'arbiter' ? 'arbiter' : 'panel';
      const seed = drawSeed(kind, each);
      assert.equal(Buffer.from(seed).toString('hex'), each.seed);
      const order = drawOrder(seed, poolOf(each.pool));
      assert.deepEqual(
        order.map(({ account }) => account),
        each.order,
      );
    });
  }

  it('has the seed and the order that the rules measured', () => {
    const [first] = vectors.cases;
    assert.ok(first !== undefined);
    assert.match(first.seed, /^f00d0180.*1c5189$/);
    assert.deepEqual(first.order.slice(0, 3), ['B', 'C', 'A']);
  });

  it('draws everybody once, one of a group, whatever the order of the pool', () => {
    const pools = fc.uniqueArray(
      fc.record({
        account: fc.string({ minLength: 1, maxLength: 8 }),
        weight: fc.bigInt({ min: 1n, max: 10n ** 15n }),
        group: fc.constantFrom('x', 'y', 'z', 'u', 'v', 'w'),
      }),
      { selector: ({ account }) => account, maxLength: 12 },
    );
    fc.assert(
      fc.property(pools, fc.uint8Array({ minLength: 32, maxLength: 32 }), (pool, seed) => {
        const order = drawOrder(seed, pool);
        assert.equal(order.length, new Set(pool.map(({ group }) => group)).size);
        assert.equal(new Set(order.map(({ group }) => group)).size, order.length);
        assert.deepEqual(drawOrder(seed, [...pool].reverse()), order);
      }),
    );
  });

  it('is linear in the stake: split over many keys it gains nothing', () => {
    const others = { account: 'other', weight: 3_000_000n, group: 'other' };
    const whole = [{ account: 'one', weight: weightOf(1_000_000n), group: 'one' }, others];
    const parts = Array.from({ length: 100 }, (_, n) => ({
      account: `part-${n}`,
      weight: weightOf(10_000n),
      group: `part-${n}`,
    }));
    const wins = (pool: readonly Candidate[]): number =>
      Array.from({ length: 2_000 }, (_, round) => {
        const place = { random: '00'.repeat(32), taskId: 't', attemptId: 'a', round };
        return drawOrder(drawSeed('panel', place), pool)[0]?.account !== 'other';
      }).filter(Boolean).length;
    // A quarter of the weight either way: 500 of 2,000, four standard deviations are 77.
    assert.ok(Math.abs(wins(whole) - 500) < 77);
    assert.ok(Math.abs(wins([...parts, others]) - 500) < 77);
  });

  it('gives a seat without a stake next to no weight, and not none', () => {
    assert.deepEqual([weightOf(0n), weightOf(1_000n), weightOf(1_001n)], [1_000n, 1_000n, 1_001n]);
  });
});
