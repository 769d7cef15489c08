import assert from 'node:assert/strict';
import { awaited } from './surroundings.ts';

describe('the standbys that a commit waits for', () => {
  for (const [names, count] of [
    ['', 0],
    ['a', 1],
    ['a, b', 1],
    ['*', 1],
    ['2 (a, b, c)', 2],
    ['FIRST 3 (a, b, c)', 3],
    ['any 2 (*)', 2],
  ] as const) {
    it(`are ${count} of ${JSON.stringify(names)}`, () => {
      assert.equal(awaited(names), count);
    });
  }
});
