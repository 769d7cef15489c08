import assert from 'node:assert/strict';
import type { NetworkKind } from '../network.ts';
import { ECHO } from './echo.ts';
import {
  buysOn,
  cheapestFirst,
  costOf,
  parseUsdPerMillion,
  usdPerMillion,
  worstCost,
  type Backend,
  type Provider,
  type TokenPrice,
} from './offer.ts';

const provider = (name: string, price: TokenPrice): Provider => ({
  name,
  model: 'm',
  lengthField: 'max_tokens',
  price,
  firstTokenMs: 1,
  idleMs: 1,
  totalMs: 1,
});

describe('the cost of tokens', () => {
  it('is rounded up once, to a whole unit', () => {
    const costs: readonly (readonly [number, number, bigint, bigint, bigint])[] = [
      [1, 0, 1n, 0n, 1n],
      [0, 0, 1n, 1n, 0n],
      [1_000_000, 0, 1n, 0n, 1n],
      [1_000_001, 0, 1n, 0n, 2n],
      [3, 5, 1_000_000n, 2_000_000n, 13n],
      [1, 1, 500_000n, 500_000n, 1n],
      [1, 1, 500_000n, 500_001n, 2n],
    ];
    for (const [input, output, perInput, perOutput, cost] of costs) {
      const price = { input: perInput, output: perOutput };
      assert.equal(costOf({ input, output }, price), cost, `${input} ${output}`);
    }
  });

  it('is at worst that of the dearest provider for these tokens', () => {
    const reads = provider('a', { input: 9_000_000n, output: 1_000_000n });
    const writes = provider('b', { input: 1_000_000n, output: 9_000_000n });
    const offer = { ...ECHO, providers: [reads, writes] };
    assert.equal(worstCost({ input: 10, output: 1 }, offer), 91n);
    assert.equal(worstCost({ input: 1, output: 10 }, offer), 91n);
    assert.equal(worstCost({ input: 1, output: 1 }, ECHO), 3n);
  });
});

describe('a price in USD per million tokens', () => {
  const prices: readonly (readonly [units: bigint, text: string])[] = [
    [0n, '0'],
    [1n, '0.000001'],
    [150_000n, '0.15'],
    [1_000_000n, '1'],
    [2_500_000n, '2.5'],
    [10_000_000n, '10'],
    [9_999_999_999_999n, '9999999.999999'],
  ];
  for (const [units, text] of prices) {
    it(`is written and read as ${text}`, () => {
      assert.equal(usdPerMillion(units), text);
      assert.equal(parseUsdPerMillion(text), units);
    });
  }

  it('is read with zeros at its end, and in no other spelling', () => {
    assert.equal(parseUsdPerMillion('1.50'), 1_500_000n);
    for (const text of [
      ...['', '.5', '1.', '01', '-1', '+1', '1e3', '1,5', ' 1', '1 ', 'x1', '1x'],
      ...['10000000', '0.1234567', '1.5.0'],
    ]) {
      assert.equal(parseUsdPerMillion(text), undefined, text);
    }
  });
});

describe('a model on a network', () => {
  const kinds: readonly NetworkKind[] = ['real', 'test', 'play'];
  const sold: Readonly<Record<Backend, readonly NetworkKind[]>> = {
    upstream: ['real'],
    local: ['real', 'test'],
    mock: ['test'],
  };
  for (const backend of ['upstream', 'local', 'mock'] as const) {
    it(`is sold for ${sold[backend].join(' and ')} money when its tokens are ${backend}`, () => {
      const bought = kinds.filter((kind) => buysOn(kind, { ...ECHO, backend }));
      assert.deepEqual(bought, sold[backend]);
    });
  }
});

describe('the order of providers', () => {
  it('is by price in and out together, and then by name', () => {
    const all = [
      provider('c', { input: 2n, output: 3n }),
      provider('b', { input: 4n, output: 1n }),
      provider('d', { input: 1n, output: 1n }),
      provider('a', { input: 0n, output: 9n }),
    ];
    const names = (providers: readonly Provider[]): readonly string[] =>
      [...providers].sort(cheapestFirst).map(({ name }) => name);
    assert.deepEqual(names(all), ['d', 'b', 'c', 'a']);
    assert.deepEqual(names(all.toReversed()), ['d', 'b', 'c', 'a']);
  });
});
