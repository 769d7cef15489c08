import assert from 'node:assert/strict';
import { openCalm } from './calm.ts';

describe('whether something is tried', () => {
  const lose = (calm: ReturnType<typeof openCalm>, count: number): void => {
    for (let nth = 0; nth < count; nth += 1) calm.ended(true);
  };

  it('goes on while few of the last ones are lost', () => {
    const calm = openCalm(0.2, 3);
    for (let nth = 0; nth < 1_000; nth += 1) calm.ended(nth % 10 === 0);
    assert.equal(calm.is(), true);
  });

  it('rests for a number of calls once more are lost, and then begins again', () => {
    const calm = openCalm(0.2, 3);
    lose(calm, 4);
    assert.equal(calm.is(), true);
    lose(calm, 1);
    assert.deepEqual([calm.is(), calm.is(), calm.is()], [false, false, true]);
    lose(calm, 4);
    assert.equal(calm.is(), true);
  });
});
