import assert from 'node:assert/strict';
import type { Economics, Task } from '../types.ts';
import { keptUntil } from './kept.ts';
import { amendOf, changesOf, divisibleOf, EMPTY_AMEND } from './amending.ts';

const task = (state: Task['state'], attempt?: Task['workers'][number]['state'], over = {}): Task =>
  ({
    requester: 'r',
    state,
    mode: 'exclusive',
    reward: { amount: '1000000', network: 'sandbox' },
    workers: attempt === undefined ? [] : [{ worker: 'w', state: attempt }],
    ...over,
  }) as unknown as Task;

const TERMS = ['reward', 'deadline', 'lease', 'clarification'];

describe('changes of the terms that a person makes', () => {
  it('are those of the parties by the state, and none of others', () => {
    assert.deepEqual(changesOf(task('open'), 'r'), TERMS);
    assert.deepEqual(changesOf(task('open'), 'w'), []);
    assert.deepEqual(changesOf(task('open', 'waiting'), 'r'), []);
    assert.deepEqual(changesOf(task('held', 'claimed'), 'w'), [...TERMS, 'split']);
    assert.deepEqual(changesOf(task('held', 'claimed'), 'x'), []);
    assert.deepEqual(changesOf(task('held', 'claimed'), undefined), []);
    assert.deepEqual(changesOf(task('delivered', 'waiting'), 'r'), ['split']);
    assert.deepEqual(changesOf(task('disputed', 'accepted'), 'w'), ['split']);
    assert.deepEqual(changesOf(task('paid', 'accepted'), 'w'), []);
  });

  it('leave out what unpaid, open and chained work does not have', () => {
    const unpaid = task('held', 'claimed', { reward: undefined });
    assert.deepEqual(changesOf(unpaid, 'r'), ['deadline', 'lease', 'clarification']);
    const open = task('open', undefined, { mode: 'open' });
    assert.deepEqual(changesOf(open, 'r'), ['reward', 'deadline', 'clarification']);
    assert.deepEqual(changesOf(task('held', 'claimed', { chain: { id: 'c' } }), 'r'), []);
  });

  it('divide what the judges have not earned, to the unit', () => {
    const economics = {
      posted: '1000000',
      held: { kind: 'task', amount: '1000000' },
      earmarked: { judges: '10000', ifRefunded: '990000' },
    } as unknown as Economics;
    const divisible = divisibleOf(economics);
    assert.equal(divisible, 990_000n);
    const split = (amount: string) =>
      amendOf({ ...EMPTY_AMEND, kind: 'split', amount }, { deadline: '' }, divisible);
    assert.deepEqual(split('0.4'), {
      split: { workerAmount: '400000', refundAmount: '590000' },
    });
    assert.equal(split('1'), undefined, 'more than there is');
    assert.equal(split('-1'), undefined);
  });

  it('are one change each, and nothing while the value is missing', () => {
    const deadline = '2026-11-30T00:00:00Z';
    const of = (draft: Partial<typeof EMPTY_AMEND>) =>
      amendOf({ ...EMPTY_AMEND, ...draft }, { deadline }, 0n);
    assert.deepEqual(of({ kind: 'deadline' }), {
      change: { deadline: '2026-12-01T00:00:00.000Z' },
    });
    assert.deepEqual(of({ kind: 'lease', renew: '259200' }), {
      change: { leaseSeconds: 86_400, renewForSeconds: 259_200 },
    });
    assert.deepEqual(of({ kind: 'reward', amount: '1.5' }), {
      change: { rewardAmount: '1500000' },
    });
    assert.deepEqual(of({ kind: 'clarification', text: ' a ' }), {
      change: { clarification: 'a' },
    });
    for (const kind of ['reward', 'clarification', 'other']) assert.equal(of({ kind }), undefined);
  });
});

describe('how long signs of life keep a claim', () => {
  it('is the time of its terms, and never past the deadline', () => {
    const lease = { leaseSeconds: 60, renewForSeconds: 7200, lapseKarma: -2, lapseWaitSeconds: 0 };
    const startedAt = '2026-11-30T10:00:00.000Z';
    const at = (deadline: string) => keptUntil({ lease, deadline }, { startedAt });
    assert.equal(at('2026-12-01T00:00:00.000Z'), '2026-11-30T12:00:00.000Z');
    assert.equal(at('2026-11-30T11:00:00.000Z'), '2026-11-30T11:00:00.000Z');
  });
});
