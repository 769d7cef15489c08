import assert from 'node:assert/strict';
import {
  milliseconds,
  percent,
  shareOf,
  shortAccount,
  shortId,
  countdown,
  sinceNow,
  span,
  unitsOf,
  usdc,
} from './format.ts';

describe('amounts', () => {
  it('are shown in USDC, to the unit, however large', () => {
    const cases = {
      '0': '0.00',
      '1': '0.000001',
      '48500': '0.0485',
      '50000': '0.05',
      '1000000': '1.00',
      '-250000': '-0.25',
      '50010000000': '50,010.00',
      '9007199254740993000001': '9,007,199,254,740,993.000001',
    };
    for (const [units, shown] of Object.entries(cases)) assert.equal(usdc(units), shown);
  });

  it('stay as they are when they are no number of units', () => {
    for (const text of ['', '1.5', '<b>', '1e9', '0x10', ' 1']) assert.equal(usdc(text), text);
  });

  it('are read as people type them, and never rounded', () => {
    const cases = { '0.25': '250000', ' 1 ': '1000000', '1,000': '1000000000', '0.000001': '1' };
    for (const [text, units] of Object.entries(cases)) assert.equal(unitsOf(text), units);
    const refused = [
      '',
      '.5',
      '1.',
      '-1',
      '0.0000001',
      '1,00',
      '1e3',
      '1 000',
      'all',
      '٣',
      '1,0000',
    ];
    for (const text of refused) assert.equal(unitsOf(text), undefined, text);
  });

  it('come back as they were shown', () => {
    for (const units of ['1', '999999', '1000000', '123456789012']) {
      assert.equal(unitsOf(usdc(units)), units);
    }
  });

  it('give shares for bars without dividing by nothing', () => {
    assert.equal(shareOf('48500', '50000'), 97);
    assert.equal(shareOf('1', '3'), 33.33);
    assert.equal(shareOf('1', '0'), 0);
    assert.equal(shareOf('x', '3'), 0);
  });
});

describe('times', () => {
  const now = Date.parse('2026-01-02T03:04:05.000Z');

  it('are formatted relative to now, in the largest unit that fits', () => {
    assert.equal(sinceNow('2026-01-02T03:04:05.000Z', now), 'now');
    assert.equal(sinceNow('2026-01-02T03:03:06.000Z', now), '59 seconds ago');
    assert.equal(sinceNow('2026-01-02T03:05:04.000Z', now), 'in 59 seconds');
    assert.equal(sinceNow('2026-01-02T03:05:05.000Z', now), 'in 1:00');
    assert.equal(sinceNow('2026-01-02T03:06:04.000Z', now), 'in 1:59');
    assert.equal(sinceNow('2026-01-02T03:06:05.000Z', now), 'in 2 minutes');
    assert.equal(sinceNow('2026-01-02T03:02:05.000Z', now), '2 minutes ago');
    assert.equal(sinceNow('2026-01-01T02:04:05.000Z', now), 'yesterday');
    assert.equal(sinceNow('2026-01-09T03:04:04.000Z', now), 'in 6 days');
  });

  it('counts the next hour down to the second, and nothing else', () => {
    const now = Date.parse('2026-01-02T03:04:05.000Z');
    const at = (ms: number): string | undefined => countdown(new Date(now + ms).toISOString(), now);
    const table: readonly (readonly [number, string | undefined])[] = [
      [-1, undefined],
      [0, undefined],
      [1, 'in 0:01'],
      [1_001, 'in 0:02'],
      [42_000, 'in 0:42'],
      [59_999, 'in 1:00'],
      [60_000, 'in 1:00'],
      [70_000, 'in 1:10'],
      [3_600_000, 'in 60:00'],
      [3_600_001, undefined],
    ];
    for (const [ms, text] of table) assert.equal(at(ms), text, `${ms} ms`);
    assert.equal(countdown('soon', now), undefined);
  });

  it('stay as they are when they are no time', () => {
    assert.equal(sinceNow('<script>', now), '<script>');
  });

  it('name the largest whole unit of a length', () => {
    assert.deepEqual([0, 1, 60, 90, 300, 86_400, 172_800].map(span), [
      'no time',
      '1 second',
      '1 minute',
      '90 seconds',
      '5 minutes',
      '1 day',
      '2 days',
    ]);
    assert.equal(milliseconds(62), '62 ms');
    assert.equal(milliseconds(1440), '1.4 s');
  });
});

describe('names', () => {
  it('are cut when they are those of keys, and not when they are those of the house', () => {
    const key = '3YSfd6vT4fNCMGZzs6YW8aN2uHt2p7n4xPb3Ljc161ks';
    assert.equal(shortAccount(`key:${key}`), 'key:3YSf…61ks');
    assert.equal(shortAccount(key), '3YSf…61ks');
    assert.equal(shortAccount('hub:starter'), 'hub:starter');
    const pot = 'hub:pot:poker:01a21666-eeab-701d-96e2-23270dd76d3c';
    assert.equal(shortAccount(pot), 'hub:pot:poker:01a21666…6d3c');
    assert.equal(shortId('ac11a293fb8dcc3e6377881383cf1f7e'), 'ac11a293…1f7e');
    assert.equal(percent(0.985), '98.5 %');
    assert.equal(percent(1), '100 %');
  });
});
