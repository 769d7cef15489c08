import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import { at, DAY, HOUR, must, pitch, pitchTask as task, REQUESTER, RIVAL } from './fixture.ts';
import { someone, T0, WORKER } from './fixture.ts';
import type { Pitch, Task } from './model.ts';
import { choosePitch, offerPitch, pitchActions, pitchState } from './pitch.ts';
import { NO_HISTORY } from './worker.ts';
import type { Worker } from './worker.ts';

const NOW = at(60);
const reserved = { for: RIVAL, until: at(HOUR) };
const wrongState = (why: string): object => ({ refused: 'wrong-state', why });

describe('an offer of a plan', () => {
  const offered = (about: Task, price?: bigint, over: Partial<Worker> = {}) =>
    offerPitch(
      about,
      {
        id: 'pitch',
        worker: someone(WORKER, over),
        plan: 'So.',
        ...(price !== undefined && { price: atomic(price) }),
      },
      NOW,
    );

  it('is in the history, and asks the whole reward if it names no price', () => {
    const about = task();
    const event = { at: NOW, event: 'pitch.offered', state: 'open', actor: WORKER };
    for (const [price, asked] of [
      [undefined, 1_000_000n],
      [1_000n, 1_000n],
      [1_000_000n, 1_000_000n],
    ] as const) {
      const plan = pitch({ price: atomic(asked), createdAt: NOW });
      assert.deepEqual(offered(about, price), {
        task: { ...about, pitches: 1 },
        attempts: [],
        events: [event],
        pitch: { offered: plan },
        offered: plan,
      });
    }
    const unpaid = must(offered(task({}, { unpaid: true })));
    assert.ok(!('price' in unpaid.offered));
  });

  it('is refused with the reason why', () => {
    const field = 'body.price';
    const history = { used: 1, fails: 0, lastLapseAt: T0 };
    const cases: readonly (readonly [ReturnType<typeof offered>, object])[] = [
      [
        offered(task({ tags: [] })),
        { refused: 'wrong-mode', why: 'Plans are offered only on work that is tagged `pitch`.' },
      ],
      [offered(task({ state: 'held' })), wrongState('This task is held; it takes no plans now.')],
      [
        offered(task({ chosen: { pitchId: 'p', worker: WORKER } })),
        wrongState('Your plan is the chosen one: claim the task.'),
      ],
      [
        offered(task({ reserved })),
        {
          ...wrongState('Kept for the chosen pitch until 2027-01-15T09:00:00.000Z.'),
          until: at(HOUR),
        },
      ],
      [
        offered(task(), undefined, { karma: -1 }),
        {
          refused: 'claim-limit',
          why: 'Your karma is -1; below 0 an account offers no plans.',
          hint: '`POST /api/v1/tasks/claim` gives you work that is paid without a plan; offer plans again when your karma is 0, which `GET /api/v1/me` shows.',
        },
      ],
      [
        offered(task(), undefined, { history }),
        {
          refused: 'claim-cooldown',
          why: 'Your lease on this task lapsed; claim it again at 2027-01-15T09:00:00.000Z.',
          until: at(HOUR),
        },
      ],
      [
        offered(task({}, { unpaid: true }), 1n),
        {
          refused: 'price-above-reward',
          why: 'This task is unpaid, so a plan for it names no price.',
          field,
        },
      ],
      [
        offered(task(), 1_000_001n),
        {
          refused: 'price-above-reward',
          why: 'The price 1000001 is above the reward of 1000000.',
          field,
        },
      ],
      [
        offered(task(), 999n),
        { refused: 'reward-too-small', why: 'The least price is 1000 atomic units.', field },
      ],
    ];
    for (const [decision, is] of cases) assert.deepEqual(decision, is);
  });
});

describe('a choice of a plan', () => {
  const chosen = (
    about: Task,
    of: Partial<Pitch> | undefined = {},
    history = NO_HISTORY,
    now = NOW,
  ) => choosePitch(about, REQUESTER, { pitch: pitch(of), history }, now);

  it('keeps the task for its worker and is in the history', () => {
    const about = task();
    const price = atomic(1_000_000n);
    const event = { at: NOW, event: 'pitch.chosen', state: 'open', actor: REQUESTER };
    const is = {
      task: {
        ...about,
        chosen: { pitchId: 'pitch', worker: WORKER },
        reserved: { for: WORKER, until: at(60 + HOUR) },
      },
      attempts: [],
      events: [{ ...event, note: `pitch pitch of ${WORKER}` }],
      pitch: { passed: [] },
    };
    assert.deepEqual(chosen(about, { price }), is);
    const { price: _, ...free } = pitch();
    const agreed = choosePitch(about, REQUESTER, { pitch: free, history: NO_HISTORY }, NOW);
    assert.deepEqual(agreed, is, 'no price is the whole reward');
    const unpaid = task({}, { unpaid: true });
    for (const each of [free, pitch()]) {
      const change = must(
        choosePitch(unpaid, REQUESTER, { pitch: each, history: NO_HISTORY }, NOW),
      );
      assert.deepEqual([change.task.terms, change.money], [unpaid.terms, undefined]);
    }
  });

  it('passes the other plans that could have been chosen', () => {
    const rivals = [
      pitch(),
      pitch({ id: 'offered', worker: RIVAL }),
      pitch({ id: 'lapsed', lapsed: true }),
      pitch({ id: 'dear', price: atomic(1_000_001n) }),
      pitch({ id: 'second', worker: REQUESTER }),
    ];
    const named = { pitch: pitch(), rivals, history: NO_HISTORY };
    const change = must(choosePitch(task(), REQUESTER, named, NOW));
    assert.deepEqual(change.pitch, { passed: [RIVAL, REQUESTER] });
  });

  it('returns a part of the reward that a lower price leaves', () => {
    const change = must(chosen(task()));
    assert.deepEqual(change.task.reward, { amount: 400_000n, asset: 'USDC', network: 'sandbox' });
    assert.deepEqual(change.money, { step: 'lower', by: 600_000n });
  });

  it('is refused with the reason why', () => {
    const decided = (why: string): object => ({
      refused: 'decided',
      why,
      field: 'body.pitchId',
    });
    const claimed = (why: string): object => ({
      refused: 'already-claimed',
      why,
      hint: '`GET /api/v1/tasks/task` shows until when; choose again if it comes free, or accept or reject the result that is delivered.',
    });
    const cooling = { used: 1, fails: 0, lastLapseAt: T0 };
    const mine = { chosen: { pitchId: 'pitch', worker: WORKER } };
    const cases: readonly (readonly [ReturnType<typeof chosen>, object])[] = [
      [
        chosen(task({ reserved })),
        {
          ...claimed('The task is kept for the chosen pitch until 2027-01-15T09:00:00.000Z.'),
          until: at(HOUR),
        },
      ],
      [chosen(task({ state: 'held' })), claimed('The chosen worker holds this task.')],
      [chosen(task({ state: 'delivered' })), claimed('The chosen worker holds this task.')],
      [
        chosen(task({ state: 'expired' })),
        wrongState('This task is expired; no plan can be chosen any more.'),
      ],
      [
        choosePitch(task(), REQUESTER, undefined, NOW),
        {
          refused: 'not-found',
          why: 'This task has no pitch with this id; a worker who pitches again replaces the earlier one.',
          field: 'body.pitchId',
        },
      ],
      [
        chosen(task(mine)),
        decided(
          'This pitch is chosen already; its worker may claim the task until you choose another.',
        ),
      ],
      [
        chosen(task(), { lapsed: true }),
        decided('This pitch was chosen and not claimed; its worker may pitch again.'),
      ],
      [
        chosen(task(), { price: atomic(1_000_001n) }),
        decided('This pitch asks 1000001, more than the reward of 1000000 that was agreed since.'),
      ],
      [chosen(task(), {}, { used: 3, fails: 0 }), decided('Its worker has no attempts left here.')],
      [
        chosen(task(), {}, cooling, instant(at(HOUR) - 1)),
        decided('Its worker may not claim before 2027-01-15T09:00:00.000Z.'),
      ],
    ];
    for (const [decision, is] of cases) assert.deepEqual(decision, is);
    assert.ok('task' in chosen(task(), {}, cooling, at(HOUR)));
  });
});

describe('a pitch', () => {
  it('is passed where it asks more than was agreed since, and not on unpaid work', () => {
    const { price: _, ...free } = pitch();
    const unpaid = task({}, { unpaid: true });
    const states = [
      pitchState(pitch({ price: atomic(1_000_000n) }), task()),
      pitchState(pitch({ price: atomic(1_000_001n) }), task()),
      pitchState(pitch(), unpaid),
      pitchState(free, task()),
    ];
    assert.deepEqual(states, ['offered', 'passed', 'offered', 'offered']);
  });

  it('is chosen by its requester, or offered again by its worker', () => {
    const again = {
      action: 'tasks.pitch',
      who: WORKER,
      verb: 'pitch',
      body: { agentId: WORKER, plan: '<your plan>' },
      until: at(7 * DAY),
    };
    const choose = {
      action: 'tasks.choose',
      who: REQUESTER,
      verb: 'choose',
      body: { requester: REQUESTER, pitchId: 'pitch' },
      until: at(7 * DAY),
    };
    assert.deepEqual(pitchActions(pitch(), task()), [choose, again]);
    assert.deepEqual(pitchActions(pitch({ lapsed: true }), task()), [again]);
  });

  it('is claimed once it is chosen, within its hour or until the deadline', () => {
    const claim = (until: number): object => ({
      action: 'tasks.claim',
      who: WORKER,
      verb: 'claim',
      body: { agentId: WORKER },
      until: at(until),
    });
    const chosen = { pitchId: 'pitch', worker: WORKER };
    const own = { for: WORKER, until: at(HOUR) };
    const note = 'Without a claim by then the task opens again, and your karma falls by 2.';
    const reserved = pitchActions(pitch(), task({ chosen, reserved: own }));
    assert.deepEqual(reserved, [{ ...claim(HOUR), note }]);
    assert.deepEqual(pitchActions(pitch(), task({ chosen })), [claim(7 * DAY)]);
    assert.deepEqual(pitchActions(pitch(), task({ chosen, state: 'held' })), []);
  });
});
