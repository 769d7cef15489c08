import assert from 'node:assert/strict';
import { acceptedAt, attempt, DAY, offered, published, T0, WORKER } from './fixture.ts';
import type { TaskAggregate, TaskState } from './model.ts';
import { attemptWork, STATES_OF, taskWork, type WorkState } from './work.ts';

const inState = (state: TaskState, aggregate = published()): TaskAggregate => ({
  ...aggregate,
  task: { ...aggregate.task, state },
});

describe('the work of an account', () => {
  it('is in one state for its requester, by the state of the task', () => {
    const states: Readonly<Record<TaskState, WorkState>> = {
      open: 'open',
      held: 'claimed',
      delivered: 'waiting',
      accepted: 'accepted',
      disputed: 'disputed',
      paid: 'closed',
      refunded: 'closed',
      withdrawn: 'closed',
      expired: 'closed',
    };
    for (const [state, is] of Object.entries(states)) {
      assert.equal(taskWork(inState(state as TaskState)), is, state);
    }
    assert.equal(taskWork(offered([WORKER])), 'waiting', 'open with a result that waits');
    assert.equal(taskWork(acceptedAt(T0, DAY, { unpaid: true })), 'closed', 'nothing is paid');
  });

  it('is in one state for its worker, by the state of the attempt', () => {
    const work = (state: Parameters<typeof attemptWork>[0]['state']): WorkState =>
      attemptWork({ state }, published().task);
    for (const state of ['announced', 'claimed', 'waiting'] as const) {
      assert.equal(work(state), state);
    }
    for (const state of ['refused', 'rejected', 'failed', 'lapsed', 'superseded'] as const) {
      assert.equal(work(state), 'closed', state);
    }
  });

  it('is open to its worker after an acceptance until it was paid for', () => {
    const won = attempt({ state: 'accepted' });
    const work = (state: TaskState, unpaid = false): WorkState =>
      attemptWork(won, inState(state, acceptedAt(T0, DAY, { unpaid })).task);
    assert.deepEqual(
      [work('accepted'), work('disputed'), work('paid'), work('refunded')],
      ['accepted', 'disputed', 'closed', 'closed'],
    );
    assert.equal(work('accepted', true), 'closed');
  });

  it('is listed by the states that each party can have', () => {
    assert.deepEqual(STATES_OF, {
      worker: ['announced', 'open', 'claimed', 'waiting', 'accepted', 'disputed', 'closed'],
      requester: ['open', 'claimed', 'waiting', 'accepted', 'disputed', 'closed'],
      judge: ['waiting'],
    });
  });
});
