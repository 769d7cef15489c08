import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isExact, isMultipleOf } from './decimal.ts';

describe('a number of JSON', () => {
  it('is exact when a double prints the same decimal', () => {
    const exact = [
      ...['0', '-0', '0.0', '0e5', '1', '-1', '1.50', '1e3', '1E+3', '100e-2', '0.1', '-0.1'],
      ...['9007199254740992', '1e22', '1e23', '1e308', '5e-324', '0.001e3'],
      ...['123456789012345680000', '1.7976931348623157e308'],
    ];
    for (const text of exact) assert.equal(isExact(text), true, text);
  });

  it('is not when digits would be lost', () => {
    const inexact = [
      ...[
        '9007199254740993',
        '9007199254740993e-3',
        '-9007199254740993',
        '0.1000000000000000055',
        '1e309',
        '-1e309',
      ],
      ...['1e-400', '123456789012345678901', '0.30000000000000004e-320', '4e-324'],
    ];
    for (const text of inexact) assert.equal(isExact(text), false, text);
  });

  it('is exact when a double printed it, whatever the double', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(fc.property(double, (value) => isExact(String(value))));
  });

  it('is no other text', () => {
    for (const text of ['0x10', ' 1', '1 ', '.5', '+1', '', '1_000']) {
      if (!Number.isFinite(Number(text))) assert.equal(isExact(text), false);
      else assert.throws(() => isExact(text), new RangeError(`no number of JSON: ${text}`));
    }
    const long = '0'.repeat(50).concat('x');
    assert.equal(isExact(long), false);
    const hex = `0x${'0'.repeat(50)}`;
    assert.throws(() => isExact(hex), new RangeError(`no number of JSON: ${hex.slice(0, 40)}`));
  });
});

describe('a multiple', () => {
  it('is counted in decimals, not in doubles', () => {
    const rows = [
      [6, 3, true],
      [7, 3, false],
      [0, 3, true],
      [-6, 3, true],
      [6, -3, true],
      [0.3, 0.1, true],
      [0.35, 0.1, false],
      [1.1, 0.1, true],
      [4.35, 0.01, true],
      [19.99, 0.01, true],
      [19.995, 0.01, false],
      [-0.3, 0.1, true],
      [1, 0.3, false],
      [3, 1.5, true],
      [0, 0.1, true],
      [0, 1e21, true],
      [1e20, 1e21, false],
      [2.5, 25, false],
      [0.1, 3, false],
      [30, 0.3, true],
      [1e300, 1e-300, true],
      [1e-300, 1e300, false],
      [1e21, 3e20, false],
      [9e20, 3e20, true],
      [1e300, 7, false],
      [7e300, 7, true],
    ] as const;
    for (const [value, divisor, expected] of rows) {
      assert.equal(isMultipleOf(value, divisor), expected, `${value} of ${divisor}`);
    }
  });
});
