import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import type { Change, Refused } from './change.ts';
import { raise, redraw, voidDispute } from './dispute.ts';
import {
  acceptedAt,
  at,
  attempt,
  DAY,
  drawn,
  HOUR,
  must,
  published,
  raised,
  REQUESTER,
  RIVAL,
  seated,
  some,
  T0,
  WORKER,
} from './fixture.ts';
import type { Attempt, Dispute, TaskAggregate } from './model.ts';

const won = (): Attempt => attempt({ state: 'accepted', result: { value: 'done' } });

describe('a dispute that is raised', () => {
  it('freezes the payout, and is void two days later', () => {
    const aggregate = acceptedAt(T0, DAY);
    assert.deepEqual(raise(aggregate, WORKER, 'made up', at(60)), {
      task: { ...aggregate.task, state: 'disputed' },
      attempts: [],
      events: [
        {
          at: at(60),
          event: 'task.disputed',
          state: 'disputed',
          actor: WORKER,
          attemptId: 'attempt',
          note: 'made up',
        },
      ],
      dispute: {
        taskId: 'task',
        raisedBy: WORKER,
        reason: 'made up',
        at: at(60),
        voidAt: at(60 + 2 * DAY),
        state: 'drawn',
        draws: [],
        drawAt: at(60),
      },
    });
  });

  it('says its reason in full, and the first 2,000 characters in the history', () => {
    const change = (length: number): Change =>
      must(raise(acceptedAt(T0, DAY), WORKER, 'x'.repeat(length), T0));
    assert.equal(change(2_000).events[0]?.note, 'x'.repeat(2_000));
    assert.equal(change(2_001).events[0]?.note, `${'x'.repeat(1_999)}…`);
    assert.equal(change(2_001).dispute?.reason, 'x'.repeat(2_001));
  });

  it('is refused with the reason why', () => {
    const is = (why: string, code: Refused['refused'] = 'wrong-state'): Refused => ({
      refused: code,
      why,
    });
    const unpaid = acceptedAt(T0, DAY, { unpaid: true });
    const inState = (state: TaskAggregate['task']['state']): TaskAggregate => {
      const aggregate = acceptedAt(T0, DAY);
      return { ...aggregate, task: { ...aggregate.task, state } };
    };
    const paid = (accepted?: TaskAggregate['task']['accepted']): TaskAggregate => {
      const aggregate = inState('paid');
      const { accepted: _, ...task } = aggregate.task;
      return { ...aggregate, task: { ...task, ...(accepted && { accepted }) } };
    };
    const cases: readonly (readonly [TaskAggregate, typeof WORKER, Refused])[] = [
      [
        unpaid,
        RIVAL,
        is(
          'Only the requester, and the worker whose result was accepted, may dispute it.',
          'not-a-party',
        ),
      ],
      [
        raised(REQUESTER, at(60)),
        WORKER,
        is('A dispute was raised at 2027-01-15T08:01:00.000Z.', 'already-disputed'),
      ],
      [unpaid, WORKER, is('This task is unpaid: no payout can be frozen.')],
      [
        inState('withdrawn'),
        REQUESTER,
        is('This task is withdrawn; only an accepted result is disputed.'),
      ],
      [
        inState('paid'),
        WORKER,
        is(
          'The dispute window ended at 2027-01-16T08:00:00.000Z at the latest: the task is paid.',
          'window-closed',
        ),
      ],
      [
        paid({ attemptId: 'attempt', at: T0 }),
        WORKER,
        is(
          'The dispute window ended at 2027-01-15T08:00:00.000Z at the latest: the task is paid.',
          'window-closed',
        ),
      ],
      [paid(), REQUESTER, is('The dispute window ended: the task is paid.', 'window-closed')],
    ];
    for (const [aggregate, by, refusal] of cases) {
      assert.deepEqual(raise(aggregate, by, 'no', T0), refusal);
    }
  });
});

describe('the arbiter of a dispute', () => {
  const { drawAt: _, ...kept } = some(raised(REQUESTER, at(60)).dispute);

  it('has a day to rule, and never longer than the dispute', () => {
    const aggregate = raised(REQUESTER, at(60));
    const until = at(60 + DAY);
    const event = { at: at(60), event: 'dispute.drawn', state: 'disputed', actor: RIVAL };
    assert.deepEqual(redraw(aggregate, drawn(), at(60)), {
      task: aggregate.task,
      attempts: [],
      events: [event],
      dispute: {
        ...kept,
        arbiter: RIVAL,
        until,
        draws: [{ ...drawn(), drawnAt: at(60), until }],
      },
    });
    const second = some(redraw(seated(REQUESTER, at(60)), drawn(WORKER), at(2 * DAY)));
    assert.equal(second.dispute?.until, at(60 + 2 * DAY));
    assert.deepEqual(
      second.dispute?.draws.map(({ arbiter }) => arbiter),
      [RIVAL, WORKER],
    );
  });

  it('is searched for each hour, or as the caller says, while no seat may rule', () => {
    const aggregate = raised(REQUESTER, at(60));
    assert.deepEqual(redraw(aggregate, undefined, at(60)), {
      task: aggregate.task,
      attempts: [],
      events: [],
      dispute: { ...kept, drawAt: at(60 + HOUR) },
    });
  });

  it('is late at the end of its time and not before', () => {
    const until = 60 + DAY;
    const events = (now: number): Change['events'] =>
      some(redraw(seated(REQUESTER, at(60)), undefined, instant(now))).events;
    assert.deepEqual(events(at(until) - 1), []);
    assert.deepEqual(events(at(until)), [
      { at: at(until), event: 'dispute.late', state: 'disputed', actor: RIVAL },
    ]);
    const { dispute } = some(redraw(seated(REQUESTER, at(60)), undefined, at(until)));
    assert.deepEqual([dispute?.arbiter, dispute?.until], [undefined, undefined]);
  });

  it('is drawn for an open dispute alone', () => {
    assert.equal(redraw(published(), drawn(), T0), undefined);
    for (const state of ['ruled', 'void'] as const) {
      const dispute: Dispute = { ...some(seated(REQUESTER, at(60)).dispute), state };
      assert.equal(redraw({ ...seated(REQUESTER, at(60)), dispute }, drawn(), T0), undefined);
    }
  });
});

describe('a dispute without a ruling', () => {
  it('leaves the outcome of before, and pays the worker', () => {
    const aggregate = raised(REQUESTER, at(60));
    const now = at(60 + 2 * DAY);
    assert.deepEqual(voidDispute(aggregate, now), {
      task: { ...aggregate.task, state: 'paid' },
      attempts: [],
      events: [{ at: now, event: 'dispute.void', state: 'paid', attemptId: 'attempt' }],
      money: { step: 'release', from: 'payout', attempt: won() },
      dispute: { ...aggregate.dispute, state: 'void', endedAt: now },
    });
  });

  it('needs a dispute, and an accepted result', () => {
    assert.equal(voidDispute(acceptedAt(T0, DAY), at(2 * DAY)), undefined);
    assert.equal(voidDispute({ ...raised(REQUESTER, at(60)), live: [] }, at(2 * DAY)), undefined);
  });
});
