import assert from 'node:assert/strict';
import { award } from './award.ts';
import type { Change, TaskEvent } from './change.ts';
import { arbitrate, redraw } from './dispute.ts';
import { settleDue } from './due.ts';
import {
  acceptedAt,
  at,
  attempt,
  DAY,
  entered,
  held,
  HOUR,
  must,
  offered,
  published,
  REQUESTER,
  RIVAL,
  seated,
  some,
  T0,
  winnersOf,
  WORKER,
} from './fixture.ts';
import { karmaOf } from './karma.ts';
import { BOARD_ACCOUNT } from './model.ts';
import type { TaskAggregate } from './model.ts';

const ref = { kind: 'task', id: 'task' };
const disputeRef = { kind: 'dispute', id: 'task' };
const due = (aggregate: TaskAggregate, later: number) =>
  karmaOf(some(settleDue(aggregate, at(later))));

describe('the causes of karma', () => {
  it('name the task of a payment, once for each party', () => {
    assert.deepEqual(due(acceptedAt(T0, DAY), DAY), [
      {
        ref,
        occasion: 'task',
        subject: WORKER,
        counterparty: REQUESTER,
        reason: 'task.paid.worker',
      },
      {
        ref,
        occasion: 'task',
        subject: REQUESTER,
        counterparty: WORKER,
        reason: 'task.paid.requester',
      },
    ]);
  });

  it('count the requester of a divided reward with the first winner', () => {
    const aggregate = entered(3);
    const winners = winnersOf(aggregate, 1, 0, 2);
    const change = must(award(aggregate, REQUESTER, { winners, groups: new Map() }, T0));
    const pairs = karmaOf(change).map(({ subject, counterparty }) => [subject, counterparty]);
    assert.deepEqual(pairs, [
      [RIVAL, REQUESTER],
      [REQUESTER, RIVAL],
      [WORKER, REQUESTER],
      [aggregate.live[2]?.worker, REQUESTER],
    ]);
  });

  it('name the attempt that lapsed, on work that is no trial', () => {
    const lapsed = [
      {
        subject: WORKER,
        counterparty: REQUESTER,
        ref,
        occasion: 'attempt',
        reason: 'claim.lapsed',
      },
    ];
    assert.deepEqual(due(held(), 1_800), lapsed);
    const { task } = held();
    const trial = { ...task, requester: BOARD_ACCOUNT, tags: ['trial'] };
    assert.deepEqual(due({ task: trial, live: [attempt()] }, 1_800), []);
  });

  it('name the moment at which a chosen worker had not claimed', () => {
    const { task, live } = published({ tags: ['pitch'] });
    const reserved = { for: WORKER, until: at(HOUR) };
    assert.deepEqual(due({ task: { ...task, reserved }, live }, HOUR + 1), [
      {
        subject: WORKER,
        counterparty: REQUESTER,
        ref,
        occasion: `task ${at(HOUR + 1)}`,
        reason: 'pitch.unclaimed',
      },
    ]);
  });

  it('name each result that was ignored', () => {
    const cause = { subject: REQUESTER, ref, reason: 'delivery.ignored' };
    assert.deepEqual(due(offered([WORKER, RIVAL]), 7 * DAY + 72 * HOUR), [
      { ...cause, counterparty: WORKER, occasion: 'solution-0' },
      { ...cause, counterparty: RIVAL, occasion: 'solution-1' },
    ]);
  });

  it('name the dispute that an arbiter ruled on, and who lost it', () => {
    const ruled = (verdict: 'upheld' | 'rejected', raiser = REQUESTER) =>
      karmaOf(must(arbitrate(seated(raiser), RIVAL, { verdict }, T0)));
    const about = { ref: disputeRef, occasion: 'task' };
    const gain = {
      ...about,
      subject: RIVAL,
      counterparty: REQUESTER,
      reason: 'arbiter.ruled',
    };
    const lost = (subject: typeof WORKER, counterparty: typeof WORKER): object => ({
      ...about,
      subject,
      counterparty,
      reason: 'dispute.lost',
    });
    assert.deepEqual(ruled('upheld'), [gain, lost(WORKER, REQUESTER)]);
    assert.deepEqual(ruled('rejected'), [gain, lost(REQUESTER, WORKER)]);
    assert.deepEqual(ruled('rejected', WORKER), [gain, lost(WORKER, REQUESTER)]);
  });

  it('name the dispute whose arbiter was late', () => {
    assert.deepEqual(karmaOf(some(redraw(seated(), undefined, at(DAY)))), [
      {
        subject: RIVAL,
        counterparty: REQUESTER,
        ref: disputeRef,
        occasion: 'task',
        reason: 'arbiter.late',
      },
    ]);
  });

  it('cannot be worked out of a change that is not whole', () => {
    const { task, dispute } = seated();
    const { arbiter: _, ...without } = some(dispute);
    const of = (event: TaskEvent['event'], more: Partial<Change> = {}): Change => ({
      task,
      attempts: [attempt()],
      events: [{ at: T0, event, state: task.state, attemptId: 'attempt' }],
      ...more,
    });
    const cases: readonly (readonly [Change, string])[] = [
      [of('task.paid', { attempts: [] }), 'task.paid names an attempt of its change'],
      [of('pitch.lapsed'), 'a task is reserved for a worker'],
      [of('dispute.late'), 'an arbiter was drawn'],
      [of('dispute.ruled'), 'a ruling is of a dispute'],
      [of('dispute.ruled', { dispute: without }), 'a ruling is of a dispute'],
      [of('panel.accepted'), 'a panel is named with what it decided'],
    ];
    for (const [change, message] of cases) assert.throws(() => karmaOf(change), { message });
  });
});
