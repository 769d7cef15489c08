import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
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
  raised,
  REQUESTER,
  RIVAL,
  seated,
  T0,
  WORKER,
} from './fixture.ts';
import type { Over } from './fixture.ts';
import { BOARD_ACCOUNT, STARTER_ACCOUNT } from './model.ts';
import type { Task, TaskAggregate } from './model.ts';
import { legalActions, rulings } from './next.ts';

const END = 7 * DAY;
const YOURS = '<your account>';
const ANYBODY = 'any worker';
const actions = (aggregate: TaskAggregate, now = T0, reader?: typeof WORKER) =>
  legalActions(aggregate, now, reader).filter(({ action }) => action !== 'tasks.comment');
const having = (over: Partial<Task>, deal: Over = {}): TaskAggregate => {
  const aggregate = published(deal);
  return { ...aggregate, task: { ...aggregate.task, ...over } };
};
const action = (name: string, who: string, body: object, until: number, more = {}): object => ({
  action: `tasks.${name}`,
  who,
  verb: name,
  body,
  until: at(until),
  ...more,
});
const start = action('start', ANYBODY, {}, END);
const cancel = action('cancel', REQUESTER, { requester: REQUESTER }, END);

describe('the next calls about a task', () => {
  it('are a claim, an announcement and a withdrawal while it is free', () => {
    const claim = action('claim', ANYBODY, { agentId: YOURS }, END);
    assert.deepEqual(actions(published()), [claim, start, cancel]);
    const byStarter = having({ requester: STARTER_ACCOUNT, tags: ['trial'] });
    assert.equal(actions(byStarter).length, 3, 'a trial is of the board');
  });

  it('are a comment for all, always', () => {
    const comment = {
      action: 'tasks.comment',
      who: 'anyone',
      verb: 'comments',
      body: { author: YOURS, body: '<your comment>' },
    };
    assert.deepEqual(legalActions(having({ state: 'paid' }), T0), [comment]);
    for (const state of ['refunded', 'withdrawn', 'expired'] as const) {
      assert.deepEqual(legalActions(having({ state }), T0), [comment], state);
    }
    const [last] = legalActions(published(), T0).slice(-1);
    assert.deepEqual(last, comment);
  });

  it('are of the holder while it is held, until its lease ends', () => {
    const [claimToken, result] = ['<your claim token>', '<your result>'];
    assert.deepEqual(actions(held()), [
      action('submit', WORKER, { claimToken, result }, 1_800),
      action('fail', WORKER, { claimToken }, 1_800),
      action('claim', WORKER, { agentId: WORKER }, 1_800),
    ]);
    assert.deepEqual(actions({ ...held(), live: [] }), []);
  });

  it('are a solution on an open task, once for a worker whose result waits', () => {
    const body = { agentId: YOURS, result: '<your result>' };
    const solution = action('solution', ANYBODY, body, END);
    assert.deepEqual(actions(published({ mode: 'open' })), [solution, start, cancel]);
    const names = (reader?: typeof WORKER) =>
      actions(offered([WORKER]), T0, reader).map(({ verb }) => verb);
    assert.deepEqual(names(RIVAL), ['solution', 'start', 'accept', 'reject']);
    assert.deepEqual(names(), ['solution', 'start', 'accept', 'reject']);
    assert.deepEqual(names(WORKER), ['start', 'accept', 'reject']);
    const late = actions(offered([WORKER]), at(END)).map(({ verb }) => verb);
    assert.deepEqual(late, ['accept', 'reject'], 'no work after the deadline');
  });

  it('are none for work on discussions, and on trials', () => {
    const thread = published({ tags: ['thread'], unpaid: true });
    assert.deepEqual(actions(thread), [cancel]);
    const trial = having({ requester: BOARD_ACCOUNT, tags: ['trial'] });
    const body = { requester: BOARD_ACCOUNT };
    assert.deepEqual(actions(trial), [{ ...cancel, who: BOARD_ACCOUNT, body }]);
  });

  it('are of the worker of a chain, and none withdraws its step', () => {
    const mine = { id: 'c1', step: 2, worker: WORKER };
    const claim = action('claim', WORKER, { agentId: WORKER }, END);
    assert.deepEqual(actions(having({ chain: mine })), [claim]);
    const first = actions(having({ chain: { id: 'c1', step: 1 } })).map(({ verb }) => verb);
    assert.deepEqual(first, ['claim', 'start']);
  });

  it('are a plan and a choice while it takes pitches', () => {
    const deal = { tags: ['pitch'] };
    const pitch = action('pitch', ANYBODY, { agentId: YOURS, plan: '<your plan>' }, END);
    const pitchId = '<the id of a pitch>';
    const choose = action('choose', REQUESTER, { requester: REQUESTER, pitchId }, END);
    assert.deepEqual(actions(published(deal)), [pitch, start, cancel]);
    assert.deepEqual(actions(having({ pitches: 1 }, deal)), [pitch, start, choose, cancel]);
    const chosen = { pitchId: 'p', worker: WORKER };
    const claim = action('claim', WORKER, { agentId: WORKER }, END);
    const after = actions(having({ pitches: 2, chosen }, deal));
    assert.deepEqual(after, [claim, pitch, start, choose, cancel]);
    // The chosen worker claims: its plan is taken already.
    const own = actions(having({ pitches: 2, chosen }, deal), T0, WORKER);
    assert.deepEqual(own, [claim, start, choose, cancel]);
    assert.deepEqual(actions(having({ pitches: 2, chosen }, deal), T0, RIVAL), after);
    assert.deepEqual(actions(published(deal), T0, WORKER), [pitch, start, cancel]);
    assert.deepEqual(actions(having({ pitches: 1, chosen }, deal)), [claim, pitch, start, cancel]);
    const reserved = { for: WORKER, until: at(HOUR) };
    const kept = action('claim', WORKER, { agentId: WORKER }, HOUR);
    const note = 'Without a claim by then the task opens again, and your karma falls by 2.';
    assert.deepEqual(actions(having({ pitches: 2, chosen, reserved }, deal)), [{ ...kept, note }]);
  });
});

describe('the decisions about a result that waits', () => {
  const accept = (solutionId: string): object => ({
    action: 'tasks.accept',
    who: REQUESTER,
    verb: 'accept',
    body: { requester: REQUESTER, solutionId },
  });
  const reject = (solutionId: string): object => ({
    action: 'tasks.reject',
    who: REQUESTER,
    verb: 'reject',
    body: { requester: REQUESTER, solutionId, reason: '<why>' },
  });

  it('are of its requester, until the clock decides', () => {
    const until = { until: at(HOUR) };
    const silent = delivered({ autoAcceptSeconds: HOUR });
    const both = [
      { ...accept('attempt'), ...until },
      { ...reject('attempt'), ...until },
    ];
    assert.deepEqual(actions(silent), both);
    assert.deepEqual(actions(silent, instant(at(HOUR) - 1)), both);
    const late = [accept('attempt'), reject('attempt')];
    assert.deepEqual(actions(silent, at(HOUR)), late);
  });

  it('are a rejection only once the time of the panel is over', () => {
    const judged = delivered({ verification: 'validator' });
    const verbs = (now: number) => actions(judged, instant(now)).map(({ verb }) => verb);
    assert.deepEqual(verbs(at(6 * HOUR) - 1), ['accept']);
    assert.deepEqual(verbs(at(6 * HOUR)), ['accept', 'reject']);
  });

  it('are about the first five results', () => {
    const { task } = offered([WORKER]);
    const ids = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5'];
    const live = ids.map((id, nth) => attempt({ id, state: 'waiting', deliveredAt: at(nth) }));
    const decisions = actions({ task, live }).filter(({ who }) => who === REQUESTER);
    const named = decisions.map(({ body, verb }) => [verb, body['solutionId']]);
    const five = ids.slice(0, 5);
    assert.deepEqual(
      named,
      five.flatMap((id) => [
        ['accept', id],
        ['reject', id],
      ]),
    );
  });

  it('are the winners of a divided reward, and a rejection of each result', () => {
    const silence = { until: at(END + 72 * HOUR) };
    const winners = (aggregate: TaskAggregate, now = T0) =>
      actions(aggregate, now).filter(({ who }) => who === REQUESTER);
    const named = (...list: readonly object[]): object => ({
      action: 'tasks.accept',
      who: REQUESTER,
      verb: 'accept',
      body: { requester: REQUESTER, winners: list },
      note: 'The results are named in order of arrival; put the best one first.',
      ...silence,
    });
    const refuse = (id: string): object => ({ ...reject(id), ...silence });
    const [a, b, c] = ['a0', 'a1', 'a2'];
    assert.deepEqual(winners(entered(3)), [
      named({ solutionId: a }, { solutionId: b }, { solutionId: c }),
      refuse(a),
      refuse(b),
      refuse(c),
    ]);
    assert.deepEqual(winners(entered(2, { shares: { split: true } })), [
      named({ solutionId: a, bps: 5_000 }, { solutionId: b, bps: 5_000 }),
      refuse(a),
      refuse(b),
    ]);
    assert.deepEqual(winners(entered(1)), [refuse(a)], 'places are empty before the deadline');
  });
});

describe('a withdrawal', () => {
  it('says what the judges of a panel earned', () => {
    const note = 'The panel that decided earned 10000; 990000 go back.';
    const judged = having({ judges: [WORKER, RIVAL] }, { verification: 'validator' });
    assert.deepEqual(actions(judged).at(-1), { ...cancel, note });
  });
});

describe('an accepted result', () => {
  const by = (who: typeof WORKER): object => ({
    action: 'tasks.dispute',
    who,
    verb: 'dispute',
    body: { raisedBy: who, reason: '<why>' },
  });
  const waive = {
    action: 'tasks.accept',
    who: REQUESTER,
    verb: 'accept',
    body: { requester: REQUESTER },
  };

  it('is paid at once by its requester, or disputed by both, until the window ends', () => {
    const until = { until: at(DAY) };
    const all = [waive, by(REQUESTER), by(WORKER)].map((each) => ({ ...each, ...until }));
    assert.deepEqual(actions(acceptedAt(T0, DAY)), all);
    assert.deepEqual(actions(acceptedAt(T0, DAY, { unpaid: true })), []);
  });

  it('has a window without an end while none is known', () => {
    const { accepted: _, ...task } = acceptedAt(T0, DAY).task;
    assert.deepEqual(actions({ task, live: [] }), [waive, by(REQUESTER)]);
  });

  it('is ruled on by the arbiter alone while it is disputed', () => {
    const verdict = '<upheld, rejected or split>';
    const rule = (who: string) => ({
      action: 'tasks.arbitrate',
      verb: 'arbitrate',
      body: { by: who, verdict },
    });
    assert.deepEqual(actions(seated()), [{ ...rule(RIVAL), who: RIVAL, until: at(DAY) }]);
    assert.deepEqual(actions(raised()), []);
    const { dispute } = seated();
    assert.deepEqual(rulings({}), [{ ...rule(YOURS), who: 'the arbiter' }]);
    assert.ok(dispute !== undefined);
    assert.deepEqual(rulings({ dispute: { ...dispute, state: 'void' } }), []);
  });
});
