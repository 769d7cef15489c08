import assert from 'node:assert/strict';
import { monthly } from './months.ts';

describe('months of a plot', () => {
  it('sum the rows of a month, in order, with a zero for a month without rows', () => {
    const samples = monthly([
      { month: '2027-01', value: 5 },
      { month: '2026-11', value: 2 },
      { month: '2026-11', value: 1 },
    ]);
    assert.deepEqual(
      samples.map(({ at, values }) => [new Date(at).toISOString().slice(0, 10), values[0]]),
      [
        ['2026-11-01', 3],
        ['2026-12-01', 0],
        ['2027-01-01', 5],
      ],
    );
  });

  it('are none without rows', () => {
    assert.deepEqual(monthly([]), []);
  });
});
