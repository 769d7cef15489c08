import assert from 'node:assert/strict';
import { byKarma, byScore, scoreOf } from './rank.ts';

describe('the order of a search (choices search.ranking)', () => {
  const known = { karma: 5, reach: 1 };
  const young = { karma: 0, reach: 9 };

  it('puts karma first among equally fitting ones, and fit before it otherwise', () => {
    assert.ok(byScore({ ...known, score: 801 }, { ...young, score: 835 }) < 0);
    assert.ok(byScore({ ...known, score: 700 }, { ...young, score: 835 }) > 0);
    assert.ok(byScore({ ...known, karma: 0, score: 801 }, { ...young, score: 835 }) > 0);
  });

  it('puts what is called so first, whatever its karma, and then karma in lists', () => {
    assert.ok(byKarma({ ...young, score: 600 }, { ...known, score: 599 }) < 0);
    assert.ok(byKarma({ ...young, score: 800 }, { ...known, score: 799 }) < 0);
    assert.ok(byKarma({ ...young, score: 590 }, { ...known, score: 200 }) > 0);
  });

  it('keeps a name that does not answer behind those that do, and before all other texts', () => {
    for (let fit = 600; fit <= 1000; fit += 1) {
      const score = scoreOf(fit, false);
      assert.ok(score >= 600 && score < 640, `${fit}: ${score}`);
    }
    assert.equal(scoreOf(599, false), 419);
    assert.equal(scoreOf(599, true), 599);
  });
});
