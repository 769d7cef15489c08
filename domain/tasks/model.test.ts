import assert from 'node:assert/strict';
import { at, attempt, acceptedAt, DAY, held, HOUR, published, T0, WORKER } from './fixture.ts';
import type { Over } from './fixture.ts';
import { acceptedAttempt, BOARD_ACCOUNT, claimed, isQueued, isStarter } from './model.ts';
import { isTrial, STARTER_ACCOUNT, takesPitches, undecided } from './model.ts';
import type { Attempt, TaskAggregate } from './model.ts';

const of = (...live: readonly Attempt[]): TaskAggregate => ({ ...published(), live });
const waits = (id: string, later: number): Attempt =>
  attempt({ id, state: 'waiting', deliveredAt: at(later) });

describe('the live attempts of a task', () => {
  it('are undecided while they wait, the first delivery first', () => {
    const ids = (...live: readonly Attempt[]) => undecided(of(...live)).map(({ id }) => id);
    assert.deepEqual(ids(waits('b', 9), waits('a', 20), waits('c', 5)), ['c', 'b', 'a']);
    assert.deepEqual(ids(waits('b', 9), waits('c', 9), waits('a', 9)), ['a', 'b', 'c']);
    const won = attempt({ id: 'won', state: 'accepted' });
    assert.deepEqual(ids(attempt({ id: 'held' }), waits('b', 9), won), ['b']);
  });

  it('arrived when they started where no delivery is dated', () => {
    const { deliveredAt: _, ...undated } = waits('u', 0);
    const starts = (later: number): Attempt => ({ ...undated, startedAt: at(later) });
    const ids = (later: number) => undecided(of(waits('a', 9), starts(later))).map(({ id }) => id);
    assert.deepEqual(
      [ids(8), ids(10)],
      [
        ['u', 'a'],
        ['a', 'u'],
      ],
    );
  });

  it('have one claim, and one that was accepted', () => {
    assert.equal(claimed(of(waits('a', 1), attempt({ id: 'mine' })))?.id, 'mine');
    assert.equal(claimed(of(waits('a', 1))), undefined);
    const { task } = acceptedAt(T0, DAY);
    const won = attempt({ state: 'accepted' });
    assert.equal(acceptedAttempt({ task, live: [waits('a', 1), won] }), won);
    assert.equal(acceptedAttempt({ task, live: [waits('a', 1)] }), undefined);
    assert.equal(acceptedAttempt(held()), undefined);
  });
});

describe('a task', () => {
  const task = (over: Over = {}) => published({ isHouse: true, ...over }).task;

  it('takes pitches while it is open and free, and no discussion', () => {
    const pitch = task({ tags: ['pitch'] });
    assert.ok(takesPitches(pitch));
    assert.ok(!takesPitches({ ...pitch, state: 'held' }));
    assert.ok(!takesPitches({ ...pitch, reserved: { for: WORKER, until: at(HOUR) } }));
    assert.ok(!takesPitches({ ...pitch, tags: ['pitch', 'thread'] }));
    assert.ok(!takesPitches(task()));
  });

  it('is a starter task or a trial by its requester and its tag', () => {
    const [starter, trial] = [['starter'], ['trial']];
    assert.ok(isStarter(task({ requester: STARTER_ACCOUNT, tags: starter })));
    assert.ok(!isStarter(task({ requester: STARTER_ACCOUNT })));
    assert.ok(!isStarter(task({ tags: starter })));
    assert.ok(isTrial(task({ requester: BOARD_ACCOUNT, tags: trial })));
    assert.ok(!isTrial(task({ requester: BOARD_ACCOUNT })));
    assert.ok(!isTrial(task({ tags: trial })));
  });

  it('is offered by the queue if it is paid, exclusive and no discussion or pitch', () => {
    assert.ok(isQueued(task()));
    assert.ok(!isQueued(task({ mode: 'open' })));
    assert.ok(!isQueued(task({ unpaid: true })));
    assert.ok(!isQueued(task({ tags: ['pitch'] })));
    assert.ok(!isQueued({ ...task(), tags: ['thread'] }));
  });
});
