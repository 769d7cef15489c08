import assert from 'node:assert/strict';
import { instant } from './instant.ts';
import { startOf, windowOf } from './window.ts';

describe('window', () => {
  const windows: readonly [text: string, used: string, lengthSeconds: number][] = [
    ['1m', '1m', 60],
    ['9999m', '9999m', 599_940],
    ['1h', '1h', 3_600],
    ['24h', '24h', 86_400],
    ['2160h', '2160h', 7_776_000],
    ['2161h', '90d', 7_776_000],
    ['1d', '1d', 86_400],
    ['90d', '90d', 7_776_000],
    ['91d', '90d', 7_776_000],
    ['9999d', '90d', 7_776_000],
  ];
  for (const [text, used, length] of windows) {
    it(`uses ${used} for ${text}`, () => {
      assert.deepEqual(windowOf(text), { name: used, length });
    });
  }

  for (const text of [
    '',
    'h',
    '0h',
    '01h',
    '-1h',
    '1.5h',
    '10000m',
    '1s',
    '1w',
    '24H',
    ' 1h',
    '1h\n',
  ]) {
    it(`takes no ${JSON.stringify(text)}`, () => {
      assert.throws(() => windowOf(text), { name: 'RangeError', message: `not a window: ${text}` });
    });
  }

  it('begins its whole length before its end', () => {
    assert.equal(startOf(windowOf('2m'), instant(1_000_123)), 880_123);
  });
});
