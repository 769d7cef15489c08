import assert from 'node:assert/strict';
import { earliest, instant, iso, parseInstant, plus, seconds, unixSeconds } from './instant.ts';
import { wholeSecond } from './instant.ts';

describe('parseInstant', () => {
  it('reads a time with its zone, to nine decimals', () => {
    const cases = [
      ['2026-11-20T10:15:00Z', '2026-11-20T10:15:00.000Z'],
      ['2026-11-20T10:15:00.123456789Z', '2026-11-20T10:15:00.123Z'],
      ['2026-11-20T23:59:59+01:30', '2026-11-20T22:29:59.000Z'],
      ['2026-12-31T23:00:00-02:00', '2027-01-01T01:00:00.000Z'],
      ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ] as const;
    for (const [text, read] of cases) assert.equal(parseInstant(text), Date.parse(read), text);
  });

  it('rejects other forms, and days and hours that no calendar has', () => {
    for (const text of [
      '2026-11-20',
      '2026-11-20T10:15:00',
      '2026-11-20 10:15:00Z',
      '2026-11-20T10:15Z',
      '2026-11-20T10:15:00.1234567890Z',
      'x2026-11-20T10:15:00Z',
      '2026-11-20T10:15:00Zx',
      '2026-02-29T00:00:00Z',
      '2026-02-30T00:00:00+01:00',
      '2026-04-31T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-11-20T24:00:00Z',
      '2026-11-20T23:60:00Z',
      '',
    ]) {
      assert.equal(parseInstant(text), undefined, text);
    }
  });
});

describe('instants and durations', () => {
  const at = instant(1_763_633_700_999);

  it('are whole milliseconds and whole seconds', () => {
    for (const ms of [0.5, NaN, 2 ** 53]) assert.throws(() => instant(ms), /not an instant/);
    for (const value of [-1, 0.5, 2 ** 53]) assert.throws(() => seconds(value), /not a duration/);
    assert.equal(seconds(0), 0);
  });

  it('are added, compared, cut to the second and written', () => {
    assert.equal(plus(at, seconds(2)), at + 2_000);
    assert.deepEqual([unixSeconds(at), wholeSecond(at)], [1_763_633_700, 1_763_633_700_000]);
    assert.equal(iso(at), '2025-11-20T10:15:00.999Z');
    const later = instant(at + 1);
    assert.deepEqual([earliest(at, later), earliest(later, at), earliest(at, at)], [at, at, at]);
  });
});
