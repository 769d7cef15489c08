import assert from 'node:assert/strict';
import { atomic } from '../money.ts';
import { isRefused } from './change.ts';
import type { Refused } from './change.ts';
import type { Pitch, Task } from './model.ts';
import { legalActions } from './next.ts';
import { choosePitch, offerPitch, pitchActions, pitchState } from './pitch.ts';
import { digestOf } from './publish.ts';
import {
  at,
  DAY,
  held,
  HOUR,
  must,
  pitch,
  pitchTask as task,
  REQUESTER,
  RIVAL,
  someone,
  T0,
  summary,
  WORKER,
} from './fixture.ts';
import type { Over } from './fixture.ts';
import { NO_HISTORY } from './worker.ts';
import type { Worker } from './worker.ts';

const PITCH: Over = { tags: ['pitch'] };
const named = (over: Partial<Pitch> = {}, history = NO_HISTORY) => ({
  pitch: pitch(over),
  history,
});
const request = (price?: bigint, worker: Worker = someone()) => ({
  id: 'pitch',
  worker,
  plan: 'So.',
  ...(price !== undefined && { price: atomic(price) }),
});
const code = (decision: object | Refused): string =>
  isRefused(decision) ? decision.refused : 'taken';
const chosenBy = (who = WORKER): Partial<Task> => ({
  chosen: { pitchId: 'pitch', worker: who },
});
const kept = (who = WORKER): Partial<Task> => ({
  ...chosenBy(who),
  reserved: { for: who, until: at(HOUR) },
});

describe('domain/tasks pitch (T18)', () => {
  const aggregate = { task: task(), live: [] };
  it('pitch', () =>
    assert.equal(
      summary(aggregate, offerPitch(aggregate.task, request(), T0)),
      'open>open - - pitch.offered',
    ));
  it('choose at a lower price', () =>
    assert.equal(
      summary(aggregate, choosePitch(aggregate.task, REQUESTER, named(), T0)),
      'open>open - lower pitch.chosen',
    ));
  it('choose at the reward', () =>
    assert.equal(
      summary(
        aggregate,
        choosePitch(aggregate.task, REQUESTER, named({ price: atomic(1_000_000n) }), T0),
      ),
      'open>open - - pitch.chosen',
    ));

  it('agrees on the price and its digest, and releases what is left of the reward', () => {
    const change = must(choosePitch(aggregate.task, REQUESTER, named(), at(60)));
    const { terms, reward, reserved, chosen } = change.task;
    assert.deepEqual(change.money, { step: 'lower', by: 600_000n });
    assert.equal(reward?.amount, 400_000n);
    assert.deepEqual(terms, { digest: digestOf('task', change.task, 2), revision: 2 });
    assert.deepEqual(reserved, { for: WORKER, until: at(60 + HOUR) });
    assert.deepEqual(chosen, { pitchId: 'pitch', worker: WORKER });
    const late = must(choosePitch(aggregate.task, REQUESTER, named(), at(7 * DAY - 60)));
    assert.equal(late.task.reserved?.until, at(7 * DAY), 'never past the deadline');
  });

  it('refuses a plan in order of precedence', () => {
    const worst = { karma: -1, history: { used: 3, fails: 0, lastLapseAt: T0 } };
    const own = someone(REQUESTER, worst);
    const high = (worker: Worker) => request(1_000_001n, worker);
    const ended = task({ state: 'paid' });
    const table: readonly [Task, ReturnType<typeof request>, string][] = [
      [{ ...ended, tags: [] }, high(own), 'wrong-mode'],
      [{ ...ended, tags: ['pitch', 'thread'] }, high(own), 'wrong-mode'],
      [ended, high(own), 'wrong-state'],
      [task(kept()), high(own), 'wrong-state'],
      [task(chosenBy()), high(someone(WORKER, worst)), 'wrong-state'],
      [task(chosenBy(RIVAL)), request(), 'taken'],
      [task(), high(own), 'self-dealing'],
      [task(), high(someone(WORKER, worst)), 'claim-limit'],
      [task(), high(someone(WORKER, { ...worst, karma: 0 })), 'attempts-used'],
      [
        task(),
        high(someone(WORKER, { history: { used: 1, fails: 0, lastLapseAt: T0 } })),
        'claim-cooldown',
      ],
      [task(), high(someone()), 'price-above-reward'],
      [task({}, { unpaid: true }), request(1n), 'price-above-reward'],
      [task({}, { unpaid: true }), request(), 'taken'],
      [task(), request(999n), 'reward-too-small'],
      [task(), request(1_000n, someone(WORKER, { liveClaims: 20 })), 'taken'],
    ];
    for (const [about, asked, is] of table) assert.equal(code(offerPitch(about, asked, T0)), is);
  });

  it('refuses a choice in order of precedence', () => {
    const ended = task({ state: 'paid' });
    const spent = { used: 3, fails: 0 };
    const lapsedLease = { used: 1, fails: 0, lastLapseAt: T0 };
    const dear = named({ price: atomic(1_000_001n), lapsed: true });
    const table: readonly [Task, typeof REQUESTER, ReturnType<typeof named> | undefined, string][] =
      [
        [{ ...ended, tags: [] }, WORKER, undefined, 'not-a-party'],
        [{ ...ended, tags: [] }, REQUESTER, undefined, 'wrong-mode'],
        [task(kept()), REQUESTER, undefined, 'already-claimed'],
        [{ ...held(PITCH).task, ...chosenBy() }, REQUESTER, undefined, 'already-claimed'],
        [task({ state: 'delivered' }), REQUESTER, undefined, 'already-claimed'],
        [ended, REQUESTER, undefined, 'wrong-state'],
        [task(), REQUESTER, undefined, 'not-found'],
        [task(chosenBy()), REQUESTER, named(), 'decided'],
        [task(), REQUESTER, dear, 'decided'],
        [task(), REQUESTER, named({ price: atomic(1_000_001n) }), 'decided'],
        [task(), REQUESTER, named({}, spent), 'decided'],
        [task(), REQUESTER, named({}, lapsedLease), 'decided'],
        [task(chosenBy(RIVAL)), REQUESTER, named({ id: 'mine' }), 'taken'],
      ];
    for (const [about, by, which, is] of table) {
      assert.equal(code(choosePitch(about, by, which, at(60))), is);
    }
  });

  it('replaces an earlier plan and counts its worker once', () => {
    const first = must(offerPitch(task(), request(), T0));
    const more = { ...request(5_000n), id: 'other', standing: first.offered };
    const second = must(offerPitch(first.task, more, at(1)));
    assert.deepEqual([second.task.pitches, second.offered.id], [1, 'other']);
    const same = { ...more, id: 'third', standing: second.offered };
    assert.deepEqual(must(offerPitch(second.task, same, at(2))), {
      task: second.task,
      attempts: [],
      events: [],
      offered: second.offered,
    });
    const lapsed = { ...same, standing: { ...second.offered, lapsed: true } };
    assert.equal(must(offerPitch(second.task, lapsed, at(2))).offered.id, 'third');
  });

  it('shows the state of each pitch, and its next actions', () => {
    const other = chosenBy(RIVAL);
    const third = { chosen: { pitchId: 'another', worker: RIVAL } };
    const table: readonly [Partial<Task>, Partial<Pitch>, string][] = [
      [{}, {}, 'offered choose pitch'],
      [{}, { price: atomic(1_000_001n) }, 'passed pitch'],
      [{}, { lapsed: true }, 'lapsed pitch'],
      [kept(), {}, 'chosen claim'],
      [{ ...chosenBy(), state: 'held' }, {}, 'chosen'],
      [{ ...chosenBy(), state: 'paid' }, {}, 'chosen'],
      [chosenBy(), {}, 'chosen claim'],
      [{ ...third, reserved: { for: RIVAL, until: at(HOUR) } }, {}, 'passed'],
      [{ ...third, state: 'held' }, {}, 'passed'],
      [third, {}, 'offered choose pitch'],
      [other, { id: 'mine' }, 'offered choose pitch'],
      [{ state: 'withdrawn' }, {}, 'offered'],
    ];
    for (const [about, which, is] of table) {
      const [one, where] = [pitch(which), task(about)];
      const verbs = pitchActions(one, where).map(({ verb }) => verb);
      assert.equal([pitchState(one, where), ...verbs].join(' '), is);
    }
  });

  it('is among what is legal once there is another pitch than the chosen one', () => {
    const verbs = (over: Partial<Task>): string =>
      legalActions({ task: task(over), live: [] }, T0)
        .map(({ verb }) => verb)
        .join(' ');
    assert.equal(verbs({}), 'pitch start cancel comments');
    assert.equal(verbs({ pitches: 1 }), 'pitch start choose cancel comments');
    assert.equal(verbs({ pitches: 1, ...chosenBy() }), 'claim pitch start cancel comments');
    assert.equal(verbs({ pitches: 2, ...kept() }), 'claim comments');
  });
});
