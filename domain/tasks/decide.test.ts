import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import type { Refused } from './change.ts';
import { accept, cancel, panelUntil, reject } from './decide.ts';
import {
  acceptedAt,
  at,
  attempt,
  DAY,
  delivered,
  entered,
  held,
  HOUR,
  offered,
  published,
  REQUESTER,
  RIVAL,
  some,
  T0,
  WORKER,
} from './fixture.ts';
import type { Attempt, TaskAggregate, TaskState } from './model.ts';

const OLD: Attempt = attempt({
  id: 'old',
  state: 'superseded',
  deliveredAt: T0,
});
const STRANGER = { refused: 'not-a-party', why: 'Only the requester of this task decides.' };
const wrongState = (why: string): object => ({ refused: 'wrong-state', why });
const inState = (aggregate: TaskAggregate, state: TaskState): TaskAggregate => ({
  ...aggregate,
  task: { ...aggregate.task, state },
});
const ended = (from: Attempt, state: string, reason?: string): object => {
  const { tokenKey: _, ...kept } = from;
  return { ...kept, state, endedAt: at(60), ...(reason !== undefined && { reason }) };
};

describe('an acceptance', () => {
  const decided = (
    aggregate: TaskAggregate,
    named?: Parameters<typeof accept>[2],
    by = REQUESTER,
  ) => accept(aggregate, by, named, at(60));

  it('pays the worker at once, and supersedes the other results', () => {
    const aggregate = offered([WORKER, RIVAL]);
    const [first, second] = aggregate.live;
    const event = { at: at(60), actor: REQUESTER, attemptId: 'solution-1', state: 'accepted' };
    const winner = ended(some(second), 'accepted');
    assert.deepEqual(decided(aggregate, { id: 'solution-1' }), {
      task: {
        ...aggregate.task,
        state: 'paid',
        accepted: { attemptId: 'solution-1', at: at(60), payoutAt: at(60) },
      },
      attempts: [winner, ended(some(first), 'superseded', 'another result was accepted')],
      events: [
        { ...event, event: 'task.accepted' },
        { at: at(60), event: 'task.paid', state: 'paid', attemptId: 'solution-1' },
      ],
      money: { step: 'release', from: 'task', attempt: winner },
    });
  });

  it('ends unpaid work without a payout', () => {
    const aggregate = delivered({ unpaid: true });
    const event = { at: at(60), event: 'task.accepted', state: 'accepted', actor: REQUESTER };
    assert.deepEqual(decided(aggregate), {
      task: {
        ...aggregate.task,
        state: 'accepted',
        accepted: { attemptId: 'attempt', at: at(60) },
      },
      attempts: [ended(some(aggregate.live[0]), 'accepted')],
      events: [{ ...event, attemptId: 'attempt' }],
    });
  });

  it('gives up the rest of the dispute window', () => {
    const aggregate = acceptedAt(T0, DAY);
    const event = { at: at(60), attemptId: 'attempt' };
    const is = {
      task: { ...aggregate.task, state: 'paid' },
      attempts: [],
      events: [
        { ...event, event: 'task.accepted', state: 'accepted', actor: REQUESTER },
        { ...event, event: 'task.paid', state: 'paid' },
      ],
      money: { step: 'release', from: 'payout', attempt: aggregate.live[0] },
    };
    assert.deepEqual(decided(aggregate), is);
    assert.deepEqual(decided(aggregate, { id: 'attempt' }), is);
  });

  it('is refused with the reason why', () => {
    const two = offered([WORKER, RIVAL]);
    const field = 'body.solutionId';
    const notFound = {
      refused: 'not-found',
      why: 'This task has no solution with this id.',
      field,
    };
    const old = { refused: 'decided', why: 'This solution was superseded already.', field };
    const named = { id: 'old', attempt: OLD };
    const many = {
      refused: 'wrong-mode',
      why: 'This task divides its reward among several winners.',
      field: 'body.winners',
      hint: '`GET /api/v1/tasks/task/solutions` lists the results; send the call again with all winners, the first place first.',
    };
    const cases: readonly (readonly [...Parameters<typeof decided>, object])[] = [
      [two, undefined, WORKER, STRANGER],
      [
        two,
        undefined,
        REQUESTER,
        {
          refused: 'solutions-pending',
          why: 'Several results wait; name one as solutionId.',
          field,
          allowed: ['solution-0', 'solution-1'],
        },
      ],
      [two, named, REQUESTER, old],
      [acceptedAt(T0, DAY), named, REQUESTER, old],
      [two, { id: 'none' }, REQUESTER, notFound],
      [two, { id: 'new', attempt: attempt({ id: 'new' }) }, REQUESTER, notFound],
      [entered(1), undefined, REQUESTER, many],
      [entered(2), { id: 'a0' }, REQUESTER, many],
      [
        entered(0),
        undefined,
        REQUESTER,
        wrongState('This task is open and no result waits for a decision.'),
      ],
      [
        acceptedAt(T0, DAY, { unpaid: true }),
        undefined,
        REQUESTER,
        wrongState('This task is accepted and no result waits for a decision.'),
      ],
      [
        { ...acceptedAt(T0, DAY), live: [] },
        undefined,
        REQUESTER,
        wrongState('This task is accepted and no result waits for a decision.'),
      ],
      [
        inState(acceptedAt(T0, DAY), 'paid'),
        undefined,
        REQUESTER,
        wrongState('This task is paid and no result waits for a decision.'),
      ],
    ];
    for (const [aggregate, of, by, is] of cases) assert.deepEqual(decided(aggregate, of, by), is);
  });
});

describe('a rejection', () => {
  const reason = 'half of it is missing';
  const rejected = (aggregate: TaskAggregate, id?: string, now = at(60), by = REQUESTER) =>
    reject(aggregate, by, { reason, ...(id !== undefined && { solution: { id } }) }, now);
  const event = {
    at: at(60),
    event: 'attempt.rejected',
    state: 'open',
    actor: REQUESTER,
    note: reason,
  };

  it('opens the task again and says why, for one result or for all', () => {
    const aggregate = offered([WORKER, RIVAL]);
    const [first, second] = aggregate.live.map((each) => ended(each, 'rejected', reason));
    assert.deepEqual(rejected(aggregate), {
      task: { ...aggregate.task, state: 'open' },
      attempts: [first, second],
      events: [
        { ...event, attemptId: 'solution-0' },
        { ...event, attemptId: 'solution-1' },
      ],
    });
    assert.deepEqual(rejected(aggregate, 'solution-1'), {
      task: { ...aggregate.task, state: 'open' },
      attempts: [second],
      events: [{ ...event, attemptId: 'solution-1' }],
    });
  });

  it('waits for the panel, six hours from the delivery', () => {
    const judged = delivered({ verification: 'validator' });
    const is = {
      refused: 'wrong-state',
      why: 'The panel decides until 2027-01-15T14:00:00.000Z; you may accept.',
      until: at(6 * HOUR),
    };
    assert.deepEqual(rejected(judged, undefined, instant(at(6 * HOUR) - 1)), is);
    assert.ok('task' in rejected(judged, undefined, at(6 * HOUR)));
    const [first] = judged.live;
    const second = attempt({ id: 'late', state: 'waiting', deliveredAt: at(HOUR) });
    const both = { ...judged, live: [some(first), second] };
    const later = { ...is, until: at(7 * HOUR) };
    const why = 'The panel decides until 2027-01-15T15:00:00.000Z; you may accept.';
    assert.deepEqual(rejected(both, undefined, at(6 * HOUR)), { ...later, why });
  });

  it('is of the panel from the delivery, and from the start of a result without one', () => {
    const { task } = delivered({ verification: 'validator' });
    const { deliveredAt: _, ...undated } = attempt({ startedAt: at(5) });
    assert.equal(panelUntil(task, undated), at(6 * HOUR + 5));
    assert.equal(panelUntil(task, { ...undated, deliveredAt: at(9) }), at(6 * HOUR + 9));
    assert.equal(panelUntil(delivered().task, undated), 0);
  });

  it('is refused with the reason why', () => {
    assert.deepEqual(rejected(delivered(), undefined, T0, WORKER), STRANGER);
    const notFound: Refused = {
      refused: 'not-found',
      why: 'This task has no solution with this id.',
      field: 'body.solutionId',
    };
    assert.deepEqual(rejected(delivered(), 'none'), notFound);
    assert.deepEqual(
      rejected(held()),
      wrongState('This task is held and no result waits for a decision.'),
    );
  });
});

describe('a withdrawal', () => {
  const cancelled = (aggregate: TaskAggregate, by = REQUESTER) => cancel(aggregate, by, at(60));
  const event = { at: at(60), event: 'task.withdrawn', actor: REQUESTER, state: 'withdrawn' };

  it('returns the reward of free work', () => {
    const { task } = published();
    assert.deepEqual(cancelled(published()), {
      task: { ...task, state: 'withdrawn' },
      attempts: [],
      events: [event],
      money: { step: 'refund' },
    });
    const unpaid = published({ unpaid: true });
    assert.deepEqual(cancelled(unpaid), {
      task: { ...unpaid.task, state: 'withdrawn' },
      attempts: [],
      events: [event],
    });
  });

  it('is refused while a worker has the task, and says when it comes free', () => {
    const is = (when: string): object => ({
      refused: 'already-claimed',
      why: 'A worker holds this task; it can be withdrawn when it is free.',
      hint: `It comes free${when} unless a result is delivered by then: \`GET /api/v1/tasks/task\` shows which; then cancel, or accept or reject the result.`,
    });
    const leased = { ...is(' at 2027-01-15T08:30:00.000Z'), until: at(1_800) };
    assert.deepEqual(cancelled(held()), leased);
    assert.deepEqual(cancelled({ ...held(), live: [] }), is(''));
    const aggregate = published({ tags: ['pitch'] });
    const reserved = { for: WORKER, until: at(HOUR) };
    const kept = { ...aggregate, task: { ...aggregate.task, reserved } };
    const reservedUntil = { ...is(' at 2027-01-15T09:00:00.000Z'), until: at(HOUR) };
    assert.deepEqual(cancelled(kept), reservedUntil);
  });

  it('is refused while a result waits, on a step of a chain, and once the task is over', () => {
    const pending = {
      refused: 'solutions-pending',
      why: 'A result waits for your decision: accept or reject it first.',
    };
    assert.deepEqual(cancelled(held(), WORKER), STRANGER);
    assert.deepEqual(cancelled(delivered()), pending);
    assert.deepEqual(cancelled(offered([WORKER])), pending);
    const { task } = published();
    const step = { ...published(), task: { ...task, chain: { id: 'c1', step: 2 } } };
    const chain = 'A step ends with its chain: POST /api/v1/chains/c1/abandon ends it.';
    assert.deepEqual(cancelled(step), wrongState(chain));
    for (const state of ['paid', 'disputed', 'expired'] as const) {
      assert.deepEqual(cancelled(inState(step, state)), wrongState(`This task is ${state}.`));
    }
  });
});
