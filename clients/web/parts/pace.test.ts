import assert from 'node:assert/strict';
import { paceOf } from './pace.ts';

describe('the pace of long work', () => {
  it('is measured from what was done since it began, and gives the rest of a known total', () => {
    assert.deepEqual(paceOf({ done: 500, total: 2_000, before: 0, ms: 1_000 }), {
      rate: 500,
      restSeconds: 3,
    });
    assert.deepEqual(paceOf({ done: 2_000, total: 2_000, before: 0, ms: 1_000 }), {
      rate: 2_000,
      restSeconds: 0,
    });
  });

  it('does not count what was done before it resumed', () => {
    assert.deepEqual(paceOf({ done: 1_100, total: 1_300, before: 1_000, ms: 1_000 }), {
      rate: 100,
      restSeconds: 2,
    });
  });

  it('is unknown at the beginning, and without a total the rest is', () => {
    const unknown = { rate: undefined, restSeconds: undefined };
    assert.deepEqual(paceOf({ done: 0, total: 10, before: 0, ms: 5_000 }), unknown);
    assert.deepEqual(paceOf({ done: 5, total: 10, before: 0, ms: 10 }), unknown);
    assert.deepEqual(paceOf({ done: 5, total: 10, before: 5, ms: 900 }), unknown);
    assert.deepEqual(paceOf({ done: 5, before: 0, ms: 500 }), {
      rate: 10,
      restSeconds: undefined,
    });
  });

  it('has no rest below zero when more came than was expected', () => {
    assert.equal(paceOf({ done: 12, total: 10, before: 0, ms: 1_000 }).restSeconds, 0);
  });
});
