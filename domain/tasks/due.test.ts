import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import type { Change } from './change.ts';
import { isVoidDue, nextDue, settleDue } from './due.ts';
import {
  acceptedAt,
  at,
  attempt,
  DAY,
  delivered,
  held,
  HOUR,
  offered,
  published,
  raised,
  REQUESTER,
  RIVAL,
  seated,
  some,
  T0,
  WORKER,
} from './fixture.ts';
import type { Attempt, TaskAggregate, TaskState } from './model.ts';

const PITCH = { tags: ['pitch'] };
const kept = (until: number): TaskAggregate => {
  const aggregate = published(PITCH);
  const chosen = { pitchId: 'pitch', worker: WORKER };
  const reserved = { for: WORKER, until: at(until) };
  return { ...aggregate, task: { ...aggregate.task, chosen, reserved } };
};
const inState = (aggregate: TaskAggregate, state: TaskState): TaskAggregate => ({
  ...aggregate,
  task: { ...aggregate.task, state },
});
const END = 7 * DAY;

describe('the next decision of the clock', () => {
  const due = (aggregate: TaskAggregate): readonly unknown[] => {
    const next = nextDue(aggregate);
    return [next?.kind, next?.at, next?.attempt?.id];
  };
  const panel = { verification: 'validator' } as const;
  const silent = { autoAcceptSeconds: 60 };
  const table: readonly (readonly [string, () => TaskAggregate, readonly unknown[]])[] = [
    ['is the end of a lease', held, ['lease', at(1_800), 'attempt']],
    ['is the deadline of free work', published, ['deadline', at(END), undefined]],
    ['is the end of a reservation', () => kept(HOUR), ['reservation', at(HOUR), undefined]],
    [
      'is the deadline, where a reservation ends with it',
      () => kept(END),
      ['deadline', at(END), undefined],
    ],
    ['is the acceptance by silence', () => delivered(silent), ['auto-accept', at(60), 'attempt']],
    [
      'counts silence from the end of the panel’s time',
      () => delivered({ ...silent, ...panel }),
      ['auto-accept', at(6 * HOUR + 60), 'attempt'],
    ],
    [
      'is three days after a silent panel',
      () => delivered(panel),
      ['panel-silent', at(78 * HOUR), 'attempt'],
    ],
    [
      'is three days after the deadline, where no other decision is due',
      delivered,
      ['ignored', at(END + 72 * HOUR), 'attempt'],
    ],
    [
      'is of the result that came first',
      () => offered([WORKER, RIVAL], silent),
      ['auto-accept', at(60), 'solution-0'],
    ],
    [
      'is of the first result, where all end at once',
      () => offered([WORKER, RIVAL]),
      ['ignored', at(END + 72 * HOUR), 'solution-0'],
    ],
    ['is the end of the dispute window', () => acceptedAt(T0, DAY), ['payout', at(DAY), 'attempt']],
    [
      'is none for unpaid work that was accepted',
      () => acceptedAt(T0, DAY, { unpaid: true }),
      [undefined, undefined, undefined],
    ],
    ['is the draw of an arbiter', raised, ['draw', T0, undefined]],
    ['is the end of the arbiter’s day', seated, ['draw', at(DAY), undefined]],
  ];
  for (const [name, make, is] of table) it(name, () => assert.deepEqual(due(make()), is));

  it('is none once a task is over', () => {
    for (const state of ['paid', 'refunded', 'withdrawn', 'expired'] as const) {
      assert.equal(nextDue(inState(delivered(), state)), undefined, state);
      assert.equal(settleDue(inState(kept(HOUR), state), at(30 * DAY)), undefined, state);
    }
  });

  it('is none while what it rests on is not known', () => {
    const { leaseEndsAt: _, ...without } = attempt();
    assert.equal(nextDue({ ...held(), live: [] }), undefined);
    assert.equal(nextDue({ ...held(), live: [without] }), undefined);
    assert.equal(nextDue({ ...acceptedAt(T0, DAY), live: [] }), undefined);
    assert.equal(nextDue({ ...delivered(), live: [] }), undefined);
    assert.equal(nextDue(inState(acceptedAt(T0, DAY), 'disputed')), undefined);
    const { accepted: _none, ...task } = acceptedAt(T0, DAY).task;
    assert.equal(nextDue({ ...acceptedAt(T0, DAY), task }), undefined);
  });

  it('is the end of a dispute once no other date of it comes before', () => {
    const of = (over: object): readonly unknown[] => {
      const { until: _, drawAt: _drawAt, ...dispute } = some(seated().dispute);
      return due({ ...seated(), dispute: { ...dispute, ...over } });
    };
    const end = ['void', at(2 * DAY), undefined];
    assert.deepEqual(of({}), end);
    assert.deepEqual(of({ until: at(2 * DAY) }), end);
    assert.deepEqual(of({ until: instant(at(2 * DAY) - 1) }).slice(0, 1), ['draw']);
    assert.deepEqual(of({ drawAt: at(HOUR) }), ['draw', at(HOUR), undefined]);
    assert.deepEqual(of({ drawAt: at(HOUR), until: at(60) }), ['draw', at(60), undefined]);
  });

  it('counts the silence about a result without a date from its start', () => {
    const { deliveredAt: _, ...undated } = attempt({ state: 'waiting', startedAt: at(5) });
    const aggregate = { ...delivered({ autoAcceptSeconds: 60 }), live: [undated] };
    assert.deepEqual(due(aggregate), ['auto-accept', at(65), 'attempt']);
  });
});

describe('the clock', () => {
  const change = (aggregate: TaskAggregate, later: number): Change | undefined =>
    settleDue(aggregate, at(later));
  const ended = (from: Attempt, state: string, reason: string, later: number): object => {
    const { tokenKey: _, ...kept } = from;
    return { ...kept, state, endedAt: at(later), reason };
  };

  it('ends a lease when it ended, and its worker’s token with it', () => {
    const aggregate = held();
    const reason = 'the lease ended without a delivery';
    assert.deepEqual(change(aggregate, 2_000), {
      task: { ...aggregate.task, state: 'open' },
      attempts: [ended(attempt(), 'lapsed', reason, 1_800)],
      events: [
        {
          at: at(2_000),
          event: 'attempt.lapsed',
          state: 'open',
          actor: WORKER,
          attemptId: 'attempt',
          note: reason,
        },
      ],
    });
  });

  it('frees a task that the chosen worker did not claim', () => {
    const { reserved: _, chosen: _chosen, ...task } = kept(HOUR).task;
    assert.deepEqual(change(kept(HOUR), HOUR), {
      task,
      attempts: [],
      events: [{ at: at(HOUR), event: 'pitch.lapsed', state: 'open', actor: WORKER }],
      pitch: { lapsedId: 'pitch' },
    });
  });

  it('lets no pitch lapse where none was chosen', () => {
    const { chosen: _, ...task } = kept(HOUR).task;
    const freed = change({ ...kept(HOUR), task }, HOUR);
    assert.ok(freed !== undefined && !('pitch' in freed));
  });

  it('returns the reward at the deadline, and ends a reservation with it', () => {
    const aggregate = kept(END);
    const { reserved: _, ...task } = aggregate.task;
    assert.deepEqual(change(aggregate, END), {
      task: { ...task, state: 'expired' },
      attempts: [],
      events: [{ at: at(END), event: 'task.expired', state: 'expired' }],
      money: { step: 'refund' },
    });
  });

  it('pays at the end of the dispute window', () => {
    const aggregate = acceptedAt(T0, DAY);
    const [winner] = aggregate.live;
    assert.deepEqual(change(aggregate, DAY), {
      task: { ...aggregate.task, state: 'paid' },
      attempts: [],
      events: [{ at: at(DAY), event: 'task.paid', state: 'paid', attemptId: 'attempt' }],
      money: { step: 'release', from: 'payout', attempt: winner },
    });
  });

  it('accepts a result about which its requester is silent', () => {
    const aggregate = delivered({ autoAcceptSeconds: 60 });
    const now = at(60);
    const payoutAt = at(60 + DAY);
    const { tokenKey: _, ...waiting } = some(aggregate.live[0]);
    const winner = { ...waiting, state: 'accepted', endedAt: now };
    assert.deepEqual(change(aggregate, 60), {
      task: {
        ...aggregate.task,
        state: 'accepted',
        accepted: { attemptId: 'attempt', at: now, payoutAt },
      },
      attempts: [winner],
      events: [{ at: now, event: 'task.auto-accepted', state: 'accepted', attemptId: 'attempt' }],
      money: { step: 'reserve', attempt: winner },
    });
  });

  it('gives work back that neither the panel nor the requester decided', () => {
    const aggregate = delivered({ verification: 'validator' });
    const reason = 'neither the panel nor the requester decided in time';
    assert.deepEqual(change(aggregate, 78 * HOUR), {
      task: { ...aggregate.task, state: 'open' },
      attempts: [ended(some(aggregate.live[0]), 'superseded', reason, 78 * HOUR)],
      events: [
        {
          at: at(78 * HOUR),
          event: 'panel.silent',
          state: 'open',
          attemptId: 'attempt',
          note: reason,
        },
      ],
    });
  });

  it('returns the reward of results that were never decided, and says who ignored them', () => {
    const aggregate = offered([WORKER, RIVAL]);
    const [first, second] = aggregate.live;
    const later = END + 72 * HOUR;
    const reason = 'the requester never decided';
    const ignored = {
      at: at(later),
      event: 'delivery.ignored',
      state: 'expired',
      actor: REQUESTER,
      note: reason,
    };
    assert.deepEqual(change(aggregate, later), {
      task: { ...aggregate.task, state: 'expired' },
      attempts: [first, second].map((each) => ended(some(each), 'superseded', reason, later)),
      events: [
        { ...ignored, attemptId: 'solution-0' },
        { ...ignored, attemptId: 'solution-1' },
        { at: at(later), event: 'task.expired', state: 'expired' },
      ],
      money: { step: 'refund' },
    });
  });

  it('ends a dispute at its own end alone', () => {
    assert.equal(change(seated(), 2 * DAY - 1), undefined);
    assert.equal(change(seated(), 2 * DAY)?.task.state, 'paid');
    assert.equal(isVoidDue(acceptedAt(T0, DAY), at(9 * DAY)), false);
  });
});
