import assert from 'node:assert/strict';
import { EMPTY, termsOf } from './terms.ts';

const now = Date.parse('2026-11-20T12:00:00.000Z');

describe('the terms of a market that a person types', () => {
  it('are undefined until a judge has a question and a source to read', () => {
    const question = 'Will the bell ring at noon?';
    assert.equal(termsOf({ ...EMPTY, source: 'the bell' }, now), undefined);
    assert.equal(termsOf({ ...EMPTY, question }, now), undefined);
    assert.deepEqual(termsOf({ ...EMPTY, question, source: ' the bell ', seconds: '60' }, now), {
      question,
      source: 'the bell',
      closesAt: '2026-11-20T12:01:00.000Z',
    });
  });

  it('write the question and the source of a number, with money in atomic units', () => {
    const draft = { ...EMPTY, decides: 'check', seconds: '60' };
    assert.deepEqual(termsOf({ ...draft, metric: 'tasks.open', op: 'gt', value: '1,000' }, now), {
      question: 'Will the number of open tasks be above 1,000 when this market closes?',
      source: 'tasks.open of this hub, as it is when the market closes',
      closesAt: '2026-11-20T12:01:00.000Z',
      check: { metric: 'tasks.open', op: 'gt', value: '1000' },
    });
    const money = termsOf({ ...draft, metric: 'fees.pool', value: '2.5' }, now);
    assert.deepEqual(money?.check, { metric: 'fees.pool', op: 'gte', value: '2500000' });
    for (const value of ['', '-1', '1.5', 'many']) {
      assert.equal(termsOf({ ...draft, metric: 'tasks.open', value }, now), undefined);
    }
    assert.equal(termsOf({ ...draft, metric: 'constructor', value: '1' }, now), undefined);
  });

  it('ask the sandbox judge by a word in the source', () => {
    const draft = { ...EMPTY, decides: 'house', question: 'Does the coin show heads?' };
    assert.match(termsOf(draft, now)?.source ?? '', /\[try\]$/);
    assert.match(termsOf({ ...draft, outcome: 'no' }, now)?.source ?? '', /\[try\] \[no\]$/);
  });
});
