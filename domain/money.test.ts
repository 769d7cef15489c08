import assert from 'node:assert/strict';
import { isExact, isMultipleOf } from './decimal.ts';
import { AMOUNT_MAX, atomic, BALANCE_MAX, bps, bpsFloor, display, parseAtomic } from './money.ts';

describe('amounts', () => {
  it('are whole and between zero and the largest number that JavaScript holds exactly', () => {
    for (const value of [0n, 1n, BALANCE_MAX]) assert.equal(atomic(value), value);
    for (const value of [-1n, BALANCE_MAX + 1n]) {
      const message = `amount out of range: ${value}`;
      assert.throws(() => atomic(value), { name: 'RangeError', message });
    }
    assert.equal(BALANCE_MAX, BigInt(Number.MAX_SAFE_INTEGER));
  });

  it('are read from plain decimal text of at most a billion USDC', () => {
    for (const text of ['0', '1', '250000', `${AMOUNT_MAX}`]) {
      assert.equal(parseAtomic(text), BigInt(text));
    }
    const bad = ['', '-1', '01', '1.5', '1e3', ' 1', '1 ', '+1', '0x1', '١', '9'.repeat(17)];
    for (const text of [...bad, `${AMOUNT_MAX + 1n}`]) {
      assert.equal(parseAtomic(text), undefined, JSON.stringify(text));
    }
  });

  it('are shown without zeros at the end', () => {
    const cases = [
      [0n, '0'],
      [1n, '0.000001'],
      [1_000_000n, '1'],
      [1_234_567n, '1.234567'],
      [12_340_000n, '12.34'],
      [100_000_000n, '100'],
    ] as const;
    for (const [units, text] of cases) assert.equal(display(atomic(units)), text);
    assert.equal(display(atomic(1_500n), 3), '1.5');
  });
});

describe('basis points', () => {
  it('are whole and at most ten thousand', () => {
    for (const value of [0, 250, 10_000]) assert.equal(bps(value), value);
    for (const value of [-1, 10_001, 0.5, NaN]) {
      const message = `basis points out of range: ${value}`;
      assert.throws(() => bps(value), { name: 'RangeError', message });
    }
  });

  it('never take a unit that they did not earn', () => {
    const cases = [
      [9_999n, 1, 0n],
      [10_000n, 1, 1n],
      [333n, 300, 9n],
      [1n, 10_000, 1n],
      [AMOUNT_MAX, 10_000, AMOUNT_MAX],
    ] as const;
    for (const [amount, rate, fee] of cases) {
      assert.equal(bpsFloor(atomic(amount), bps(rate)), fee, `${rate} of ${amount}`);
    }
  });
});

describe('decimals', () => {
  it('are exact when a double prints as the same number', () => {
    const exact = [
      '0',
      '-0',
      '1',
      '0.1',
      '1e3',
      '1E+3',
      '1000e-3',
      '0.10',
      '-2.50',
      '1e300',
      '0e9',
    ];
    for (const text of exact) assert.ok(isExact(text), text);
    const lost = [
      '9007199254740993',
      '0.1000000000000000055',
      '1e400',
      '-9007199254740993',
      '1e-400',
    ];
    for (const text of lost) assert.ok(!isExact(text), text);
    assert.ok(isExact(`1${'0'.repeat(300)}`) && isExact(`0.${'0'.repeat(300)}1`));
  });

  it('are multiples of others as they print, not as doubles hold them', () => {
    const multiples = [
      [0.3, 0.1],
      [-0.3, 0.1],
      [0, 0.7],
      [7, 7],
      [1e21, 10],
      [1e300, 1e-5],
      [2.5, 0.05],
      [120, 0.5],
    ] as const;
    for (const [value, divisor] of multiples) assert.ok(isMultipleOf(value, divisor), `${value}`);
    const others = [
      [0.35, 0.1],
      [7, 2],
      [1e21, 3],
      [0.5, 120],
      [0.01, 0.1],
      [1e-7, 1],
    ] as const;
    for (const [value, divisor] of others) assert.ok(!isMultipleOf(value, divisor), `${value}`);
  });
});
