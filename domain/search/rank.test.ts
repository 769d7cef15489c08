import assert from 'node:assert/strict';
import { byScore } from './rank.ts';

describe('the order of a search (choices search.ranking)', () => {
  const known = { karma: 5, reach: 1 };
  const young = { karma: 0, reach: 9 };

  it('puts karma first among equally fitting ones, and fit before it otherwise', () => {
    assert.ok(byScore({ ...known, score: 801 }, { ...young, score: 835 }) < 0);
    assert.ok(byScore({ ...known, score: 700 }, { ...young, score: 835 }) > 0);
    assert.ok(byScore({ ...known, karma: 0, score: 801 }, { ...young, score: 835 }) > 0);
  });
});
