import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { statedLengths, withCountedLengths } from './lengths.ts';

const OFF_PERCENT_MAX = 10;

describe('ARCHITECTURE.md', () => {
  const page = readFileSync('ARCHITECTURE.md', 'utf8');
  const lengths = statedLengths(page);

  it('gives the length of most of what is written here although a library exists', () => {
    assert.ok(lengths.length >= 15, `${lengths.length} rows`);
  });

  for (const { part, stated, counted } of lengths) {
    it(`counts the lines of ${part}`, () => {
      const off = (100 * Math.abs(counted - stated)) / counted;
      assert.ok(
        off <= OFF_PERCENT_MAX,
        `${stated} lines are stated, ${counted} are there: npm run docs:figures`,
      );
    });
  }

  it('is exact to ten lines once the figures are written again', () => {
    const off = statedLengths(withCountedLengths(page)).map((each) => each.stated - each.counted);
    assert.ok(Math.max(...off.map(Math.abs)) <= 5, off.join());
  });
});
