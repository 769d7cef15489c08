import assert from 'node:assert/strict';
import { iso, parseInstant, type Instant } from './instant.ts';
import { atomic, ZERO } from './money.ts';
import { FAUCET_DAILY_MAX, FAUCET_EACH_MAX, give, nextUtcDay, utcDay } from './walletFaucet.ts';

describe('faucet', () => {
  const noon = time('2026-11-20T12:00:00Z');

  const given: readonly [amount: bigint, before: bigint, left: bigint | 'each' | 'day'][] = [
    [1n, 0n, 9_999_999_999n],
    [1_000_000_000n, 0n, 9_000_000_000n],
    [1_000_000_001n, 0n, 'each'],
    [1_000_000_000n, 9_000_000_000n, 0n],
    [1_000_000_000n, 9_000_000_001n, 'day'],
    [1n, 9_999_999_999n, 0n],
    [1n, 10_000_000_000n, 'day'],
    [1n, 10_000_000_001n, 'day'],
    [1_000_000_001n, 10_000_000_000n, 'each'],
  ];
  for (const [amount, before, left] of given) {
    it(`gives ${amount} after ${before} today: ${left}`, () => {
      const answer = give(atomic(amount), atomic(before), noon);
      if (typeof left === 'bigint') {
        assert.deepEqual(answer, { left });
        return;
      }
      assert.ok('refused' in answer);
      assert.equal(answer.refused, 'faucet-cap');
      const until = left === 'day' ? '2026-11-21T00:00:00.000Z' : undefined;
      assert.equal(answer.until && iso(answer.until), until);
    });
  }

  it('says what it gives at most, and what is left of the day', () => {
    const why = (amount: bigint, before: bigint): string => {
      const answer = give(atomic(amount), atomic(before), noon);
      assert.ok('refused' in answer);
      return answer.why;
    };
    const each = 'The faucet gives at most 1000 USDC (1000000000 atomic units) a request;';
    const day =
      'The faucet gives an account at most 10000 USDC (10000000000 atomic units) a UTC day;';
    const much = '1000.000001 USDC (1000000001 atomic units)';
    assert.equal(why(1_000_000_001n, 0n), `${each} this asks for ${much}.`);
    const some = '0.000001 USDC (1 atomic units)';
    assert.equal(why(2n, 9_999_999_999n), `${day} ${some} are left today.`);
    for (const before of [10_000_000_000n, 10_000_000_001n]) {
      assert.equal(why(2n, before), `${day} 0 USDC (0 atomic units) are left today.`);
    }
  });

  it('gives a day in whole requests', () => {
    let before = ZERO;
    for (let count = 0; count < 10; count += 1) {
      const answer = give(FAUCET_EACH_MAX, before, noon);
      assert.ok('left' in answer);
      before = atomic(FAUCET_DAILY_MAX - answer.left);
    }
    assert.equal(before, FAUCET_DAILY_MAX);
  });

  const days: readonly [at: string, day: string, next: string][] = [
    ['2026-11-20T00:00:00.000Z', '2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
    ['2026-11-20T23:59:59.999Z', '2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
    ['2026-12-31T12:00:00.000Z', '2026-12-31T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ];
  for (const [at, day, next] of days) {
    it(`counts ${at} in the UTC day of ${day}`, () => {
      assert.equal(iso(utcDay(time(at))), day);
      assert.equal(iso(nextUtcDay(time(at))), next);
    });
  }
});

function time(text: string): Instant {
  const at = parseInstant(text);
  assert.ok(at !== undefined);
  return at;
}
