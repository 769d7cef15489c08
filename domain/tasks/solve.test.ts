import assert from 'node:assert/strict';
import type { Verdict } from '../acceptance/rule.ts';
import { instant } from '../instant.ts';
import type { Refused } from './change.ts';
import { announce, announceRefusal, offer, offerRefusal } from './solve.ts';
import {
  acceptedAt,
  at,
  attempt,
  DAY,
  entered,
  held,
  MISSES,
  offered,
  PASSES,
  published,
  REQUESTER,
  RIVAL,
  some,
  someone,
  T0,
  WORKER,
} from './fixture.ts';
import type { Over } from './fixture.ts';
import { BOARD_ACCOUNT } from './model.ts';
import type { TaskAggregate } from './model.ts';

const NOW = at(60);
const RULE = { kind: 'contains', values: ['x'] } as const;
const THREAD: Refused = {
  refused: 'thread-only',
  why: 'This task is a discussion; it takes comments and no work.',
};
const SELF: Refused = {
  refused: 'self-dealing',
  why: 'You or your payee published this task, or are linked to who did.',
};
const LATE: Refused = {
  refused: 'deadline',
  why: 'This task took results until 2027-01-22T08:00:00.000Z.',
  hint: '`GET /api/v1/tasks/task` shows how it ends; other work is at `GET /api/v1/tasks`.',
};
const wrongState = (state: string): Refused => ({
  refused: 'wrong-state',
  why: `This task is ${state}; it takes no new work.`,
});
const open = (over: Over = {}): TaskAggregate => published({ mode: 'open', ...over });
const who = { worker: someone(WORKER, { payee: RIVAL, agentId: 'listing' }), attemptId: 'mine' };
const begun = (aggregate: TaskAggregate, startedAt = NOW): object => ({
  id: 'mine',
  taskId: 'task',
  worker: WORKER,
  payee: RIVAL,
  agentId: 'listing',
  termsDigest: aggregate.task.terms.digest,
  startedAt,
});
const event = { at: NOW, actor: WORKER, attemptId: 'mine' };

describe('an announcement', () => {
  it('starts an attempt, and changes nothing the second time', () => {
    const aggregate = open();
    const change = announce(aggregate, who, NOW);
    assert.deepEqual(change, {
      task: { ...aggregate.task, attempts: 1 },
      attempts: [{ ...begun(aggregate), state: 'announced' }],
      events: [{ ...event, event: 'attempt.announced', state: 'open' }],
    });
    const announced = some(change.attempts[0]);
    const again = { ...aggregate, task: change.task };
    assert.deepEqual(announce(again, { ...who, announced }, at(90)), {
      task: change.task,
      attempts: [announced],
      events: [],
    });
  });

  it('is refused on discussions, trials and work that is taken, and to the requester', () => {
    const thread = published({ tags: ['thread'], unpaid: true });
    const trial = published({ requester: BOARD_ACCOUNT, tags: ['trial'], unpaid: true });
    const own = someone(REQUESTER);
    const refusal = (aggregate: TaskAggregate, worker = someone(), now = NOW) =>
      announceRefusal(aggregate, worker, now);
    assert.deepEqual(refusal(thread, own), THREAD);
    assert.deepEqual(refusal(trial, own), {
      refused: 'not-chosen',
      why: 'A trial is claimed for the account that it was made for.',
    });
    assert.deepEqual(refusal(held(), own), wrongState('held'));
    const { deadline } = open().task;
    assert.deepEqual(refusal(open(), own, deadline), LATE);
    assert.deepEqual(refusal(open(), own, instant(deadline - 1)), SELF);
    assert.equal(refusal(open()), undefined);
    const byOther = published({ tags: ['trial'], isHouse: true });
    assert.equal(refusal(byOther), undefined, 'no trial of the house');
    const noTrial = published({ requester: BOARD_ACCOUNT, tags: ['board'], unpaid: true });
    assert.equal(refusal(noTrial), undefined);
  });
});

describe('a solution', () => {
  const offeredBy = (
    aggregate: TaskAggregate,
    verdict: Verdict,
    by: Parameters<typeof offer>[1] = who,
  ) => offer(aggregate, by, { result: 'done', verdict }, NOW);
  const waiting = (aggregate: TaskAggregate, startedAt = NOW): object => ({
    ...begun(aggregate, startedAt),
    state: 'waiting',
    deliveredAt: NOW,
    result: { value: 'done' },
  });

  it('waits for its requester, and for a panel', () => {
    for (const over of [{}, { verification: 'validator', acceptance: RULE } as const]) {
      const aggregate = open(over);
      assert.deepEqual(offeredBy(aggregate, PASSES), {
        task: { ...aggregate.task, attempts: 1 },
        attempts: [waiting(aggregate)],
        events: [{ ...event, event: 'solution.offered', state: 'open' }],
      });
    }
  });

  it('counts with its announcement as one attempt', () => {
    const aggregate = open();
    const announced = attempt({ id: 'mine', state: 'announced', startedAt: T0 });
    const change = offeredBy(aggregate, PASSES, { ...who, attemptId: 'other', announced });
    assert.deepEqual(change.task, aggregate.task);
    assert.deepEqual(change.attempts, [waiting(aggregate, T0)]);
  });

  it('is refused by its rule, with the first reason', () => {
    const aggregate = open({ acceptance: RULE });
    const reasons: readonly (readonly [Verdict, string])[] = [
      [MISSES, 'x is missing'],
      [{ accepted: false, refused: [] }, 'the acceptance rule refused it'],
    ];
    for (const [verdict, reason] of reasons) {
      assert.deepEqual(offeredBy(aggregate, verdict), {
        task: { ...aggregate.task, attempts: 1 },
        attempts: [{ ...waiting(aggregate), state: 'refused', endedAt: NOW, reason }],
        events: [{ ...event, event: 'attempt.refused', state: 'open', note: reason }],
      });
    }
  });

  it('wins an automatic task with the first result that passes', () => {
    const { task, live } = open({ acceptance: RULE });
    const other = attempt({ id: 'other', worker: RIVAL, state: 'waiting', deliveredAt: T0 });
    const aggregate = { task, live: [...live, other] };
    const winner = { ...waiting(aggregate), state: 'accepted', endedAt: NOW };
    const reason = 'another result was accepted';
    const accepted = { attemptId: 'mine', at: NOW, payoutAt: at(60 + DAY) };
    assert.deepEqual(offeredBy(aggregate, PASSES), {
      task: { ...task, attempts: 1, state: 'accepted', accepted },
      attempts: [winner, { ...other, state: 'superseded', endedAt: NOW, reason }],
      events: [{ ...event, event: 'task.accepted', state: 'accepted' }],
      money: { step: 'reserve', attempt: winner },
    });
  });

  it('is refused in this order', () => {
    const own = someone(REQUESTER, { history: { used: 3, fails: 0 } });
    const spent = someone(WORKER, { history: { used: 3, fails: 0 } });
    const refusal = (aggregate: TaskAggregate, worker = own, now = NOW) =>
      offerRefusal(aggregate, worker, now);
    assert.deepEqual(refusal(published({ tags: ['thread'], unpaid: true })), THREAD);
    assert.deepEqual(refusal(held()), {
      refused: 'wrong-mode',
      why: 'This task is exclusive: claim it, then submit with the claim token.',
    });
    assert.deepEqual(refusal(acceptedAt(T0, DAY, { mode: 'open' })), wrongState('accepted'));
    const { deadline } = open().task;
    for (const each of [entered(1), offered([WORKER])]) {
      assert.deepEqual(refusal(each, own, deadline), LATE);
      assert.deepEqual(refusal(each, own, instant(deadline - 1)), SELF);
    }
    assert.deepEqual(refusal(offered([WORKER]), spent), {
      refused: 'attempts-used',
      why: 'You used all 3 attempts on this task.',
    });
    assert.deepEqual(refusal(offered([RIVAL, WORKER]), someone()), {
      refused: 'solutions-pending',
      why: 'Your solution on this task waits for its decision.',
    });
    assert.equal(refusal(offered([RIVAL]), someone()), undefined);
  });

  it('is one of at most four hundred that wait', () => {
    const refusal = (count: number) =>
      offerRefusal(entered(count), someone(REQUESTER, { linkedToRequester: false }), T0);
    assert.equal(refusal(399), undefined);
    assert.deepEqual(refusal(400), {
      refused: 'solutions-pending',
      why: '400 results wait on this task already.',
      hint: 'Try again when the requester has decided some: `GET /api/v1/tasks/task` shows them.',
    });
  });
});
