import assert from 'node:assert/strict';
import { DAY, MONTH_MS, nearest, sampleText, timeTicks, valueTicks, within } from './plotScale.ts';

const NOON = Date.UTC(2026, 10, 25, 12);
const at = (time: number, value: number) => ({ at: time, values: [value] });

describe('the axes of a plot', () => {
  it('divides values into round steps that contain both ends', () => {
    assert.deepEqual(valueTicks(0, 87), [0, 25, 50, 75, 100]);
    assert.deepEqual(valueTicks(0, 0.37), [0, 0.1, 0.2, 0.3, 0.4]);
    assert.deepEqual(valueTicks(0, 100), [0, 25, 50, 75, 100]);
    assert.deepEqual(valueTicks(12, 19), [12, 14, 16, 18, 20]);
  });

  it('never divides a count or an atomic unit', () => {
    assert.deepEqual(valueTicks(0, 1, { smallest: 1 }), [0, 1]);
    assert.deepEqual(valueTicks(0, 3, { smallest: 1 }), [0, 1, 2, 3]);
  });

  it('has an axis for a value that does not move, also for zero', () => {
    assert.deepEqual(valueTicks(0, 0, { smallest: 1 }), [0, 1]);
    const ticks = valueTicks(5, 5);
    assert.ok((ticks[0] ?? 9) <= 5 && (ticks.at(-1) ?? 0) > 5);
  });

  it('marks round hours of a day and whole days of a month, in UTC', () => {
    assert.deepEqual(
      timeTicks(NOON - DAY, NOON, 5).map(({ label }) => label),
      ['12:00', '18:00', 'Nov 25', '06:00', '12:00'],
    );
    assert.deepEqual(
      timeTicks(NOON - 30 * DAY, NOON, 4).map(({ label }) => label),
      ['Nov 3', 'Nov 13', 'Nov 23'],
    );
    assert.deepEqual(
      timeTicks(Date.UTC(2026, 5), Date.UTC(2026, 11), 7).map(({ label }) => label),
      ['Jun 2026', 'Jul 2026', 'Aug 2026', 'Sep 2026', 'Oct 2026', 'Nov 2026', 'Dec 2026'],
    );
    assert.deepEqual(
      timeTicks(NOON - 365 * DAY, NOON, 5).map(({ label }) => label),
      ['Jan 2026', 'Apr 2026', 'Jul 2026', 'Oct 2026'],
    );
  });

  it('has at most as many marks as fit, however long the time is', () => {
    for (const length of [1, 1_000, DAY, 400 * DAY, 40_000 * DAY]) {
      assert.ok(timeTicks(NOON - length, NOON, 6).length <= 7);
    }
  });
});

describe('the samples of a plot', () => {
  const samples = [at(10, 1), at(20, 2), at(40, 3)];

  it('finds the sample nearest to a moment', () => {
    assert.deepEqual(
      [0, 14, 16, 29, 99].map((time) => nearest(samples, time)),
      [0, 0, 1, 1, 2],
    );
    assert.equal(nearest([], 5), 0);
  });

  it('carries the last value before a range to its beginning', () => {
    assert.deepEqual(within(samples, 15, 40), [at(15, 1), at(20, 2), at(40, 3)]);
    assert.deepEqual(within(samples, 20, 30), [at(20, 2)]);
    assert.deepEqual(within(samples, 50, 60), [at(50, 3)]);
    assert.deepEqual(within(samples, 0, 5), []);
  });

  it('names a whole day by its date and any other moment with its time', () => {
    assert.equal(sampleText(NOON, MONTH_MS), 'Nov 2026');
    assert.equal(sampleText(NOON, DAY), 'Nov 25');
    assert.equal(sampleText(NOON), 'Nov 25, 12:00 UTC');
  });
});
