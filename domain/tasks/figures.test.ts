import assert from 'node:assert/strict';
import { atomic } from '../money.ts';
import { paidChange, type Change } from './change.ts';
import { afterEnd, endsOf, labelsOf, measuresOf, NO_FIGURES } from './figures.ts';
import type { WorkEnd, WorkerFigures } from './figures.ts';
import { at, attempt, DAY, published, REQUESTER, RIVAL, WORKER } from './fixture.ts';
import { houseAccount, type Account } from '../account.ts';
import type { Attempt, Task } from './model.ts';

const REWARD = atomic(1_000_000n);

function end(over: Partial<WorkEnd> = {}): WorkEnd {
  const of = { worker: WORKER, requester: REQUESTER, outcome: 'paid' } as const;
  return { ...of, reward: REWARD, deliverySeconds: 60, at: at(0), ...over };
}

function after(...ends: readonly WorkEnd[]): WorkerFigures {
  return ends.reduce(afterEnd, NO_FIGURES);
}

function requester(nth: number): Account {
  return `key:requester-${nth}` as Account;
}

describe('figures of workers (choices tasks.figures)', () => {
  const task: Task = { ...published().task, requiredSkills: ['OCR'], tags: ['pdf', 'ocr'] };
  const done = attempt({
    state: 'accepted',
    startedAt: at(0),
    deliveredAt: at(90),
    endedAt: at(95),
  });

  function change(over: Partial<Change> = {}, attempts: readonly Attempt[] = []): Change {
    return { task, attempts, events: [], ...over };
  }

  it('has a row for all work and for each of five labels', () => {
    assert.deepEqual(labelsOf(task), ['', 'ocr', 'pdf']);
    const many = { requiredSkills: [], tags: ['a', 'b', 'c', 'd', 'e', 'f', 'A'] };
    assert.deepEqual(labelsOf(many), ['', 'a', 'b', 'c', 'd', 'e']);
  });

  it('counts a payment with its reward and the time to delivery', () => {
    const paid = paidChange(change(), done, 'payout', at(100));
    assert.deepEqual(endsOf(paid, task), [end({ deliverySeconds: 90, at: at(95) })]);
    assert.deepEqual(endsOf(paid, { ...task, state: 'paid' }), [], 'a task is paid once');
  });

  it('counts each winner of a divided reward with its part', () => {
    const winner = (worker: Account, award: bigint) =>
      ({ ...done, worker, place: 1, shareBps: 5_000, award: atomic(award) }) as const;
    const winners = [winner(WORKER, 700n), winner(RIVAL, 300n)];
    const shared = change({
      task: { ...task, state: 'paid' },
      money: { step: 'share', winners, rest: atomic(0n) },
    });
    assert.deepEqual(
      endsOf(shared, task).map(({ worker, reward }) => [worker, reward]),
      [
        [WORKER, 700n],
        [RIVAL, 300n],
      ],
    );
  });

  it('counts rejections and lapses, but neither hand-backs nor results that a rule refused', () => {
    const states = ['rejected', 'lapsed', 'failed', 'refused', 'superseded'] as const;
    const ended = change(
      {},
      states.map((state) => attempt({ state, endedAt: at(10) })),
    );
    assert.deepEqual(
      endsOf(ended, task).map(({ outcome }) => outcome),
      ['rejected', 'lapsed'],
    );
  });

  it('counts nothing of the house, of unpaid work, or of an agreed split', () => {
    const paid = paidChange(change(), done, 'payout', at(100));
    const house = { ...paid, task: { ...paid.task, requester: houseAccount('hub:starter') } };
    const { reward: _, ...free } = paid.task;
    const money = { step: 'part', from: 'task', attempt: done, amount: REWARD } as const;
    for (const each of [house, { ...paid, task: free }, { ...paid, money }]) {
      assert.deepEqual(endsOf(each, task), []);
    }
  });

  it('lets one requester move each count three times in ninety days', () => {
    const four = after(...[0, 1, 2, 3].map((day) => end({ at: at(day * DAY) })));
    assert.deepEqual([four.paid, four.earned, four.recent.length], [3, 3_000_000n, 3]);
    const rejected = afterEnd(four, end({ outcome: 'rejected' }));
    assert.equal(rejected.rejected, 1);
    assert.equal(afterEnd(four, end({ requester: RIVAL })).paid, 4);
    assert.equal(afterEnd(four, end({ at: at(91 * DAY) })).paid, 4);
    assert.equal(four.lastPaidAt, at(2 * DAY));
  });

  it('remembers the newest twenty and counts all', () => {
    const ends = Array.from({ length: 30 }, (_, nth) =>
      end({ requester: requester(nth), reward: atomic(BigInt(nth)) }),
    );
    const figures = after(...ends);
    assert.deepEqual([figures.paid, figures.recent.length], [30, 20]);
    assert.deepEqual(measuresOf(figures), {
      acceptedBps: 10_000,
      medianReward: 19n,
      medianSeconds: 60,
      requesters: 20,
    });
  });

  it('measures of everything that ended, and is zero without an end', () => {
    const figures = after(
      end(),
      end({ requester: RIVAL, outcome: 'rejected' }),
      end({ outcome: 'lapsed' }),
    );
    assert.equal(measuresOf(figures).acceptedBps, 3_333);
    assert.deepEqual(measuresOf(NO_FIGURES), {
      acceptedBps: 0,
      medianReward: 0n,
      medianSeconds: 0,
      requesters: 0,
    });
  });
});
