import assert from 'node:assert/strict';
import { houseAccount } from '../account.ts';
import { instant } from '../instant.ts';
import type { Refused } from './change.ts';
import { claim, mayOffer, restsOnRequester } from './claim.ts';
import {
  at,
  attempt,
  delivered,
  held,
  HOUR,
  must,
  published,
  RIVAL,
  someone,
  T0,
  WORKER,
} from './fixture.ts';
import type { Over } from './fixture.ts';
import { STARTER_ACCOUNT } from './model.ts';
import type { Attempt, Task, TaskAggregate } from './model.ts';
import type { Worker } from './worker.ts';

const NOW = at(60);
const tokens: Pick<Attempt, 'id' | 'tokenKey'>[] = [];
const token = (of: Pick<Attempt, 'id' | 'tokenKey'>) => {
  tokens.push(of);
  return { claimToken: `secret of ${of.id}`, tokenKey: 'new key' };
};
const claimedBy = (
  aggregate: TaskAggregate,
  over: Partial<Worker> = {},
  more: { readonly skills?: readonly string[]; readonly announced?: Attempt } = {},
  now = NOW,
) => claim(aggregate, { worker: someone(WORKER, over), attemptId: 'mine', token, ...more }, now);
const having = (over: Partial<Task>, deal: Over = {}): TaskAggregate => {
  const aggregate = published(deal);
  return { ...aggregate, task: { ...aggregate.task, ...over } };
};

describe('a claim', () => {
  it('holds the task for half an hour, for its worker alone', () => {
    const aggregate = published();
    const attempt = {
      id: 'mine',
      taskId: 'task',
      worker: WORKER,
      payee: RIVAL,
      agentId: 'listing',
      state: 'claimed',
      termsDigest: aggregate.task.terms.digest,
      startedAt: NOW,
      leaseEndsAt: at(60 + 1_800),
      claimToken: 'secret of mine',
      tokenKey: 'new key',
    };
    const event = { at: NOW, event: 'task.claimed', state: 'held', actor: WORKER };
    assert.deepEqual(claimedBy(aggregate, { payee: RIVAL, agentId: 'listing' }), {
      task: { ...aggregate.task, state: 'held', attempts: 1 },
      attempts: [attempt],
      events: [{ ...event, attemptId: 'mine' }],
      attempt,
      renewed: false,
    });
    assert.deepEqual(tokens.at(-1), { id: 'mine' });
  });

  it('carries on what was announced, and ends a reservation', () => {
    const reserved = { for: WORKER, until: at(HOUR) };
    const chosen = { pitchId: 'pitch', worker: WORKER };
    const aggregate = having({ reserved, chosen, attempts: 1 }, { tags: ['pitch'] });
    const announced = attempt({ id: 'first', state: 'announced' });
    const taken = must(claimedBy(aggregate, {}, { announced }));
    assert.deepEqual([taken.attempt.id, taken.task.attempts], ['first', 1]);
    assert.ok(!('reserved' in taken.task) && 'chosen' in taken.task);
  });

  it('is renewed by who holds it, with the same secret', () => {
    const aggregate = held();
    const lease = attempt();
    const renewed = { ...lease, leaseEndsAt: at(60 + 1_800), claimToken: 'secret of attempt' };
    const attempts = [{ ...renewed, tokenKey: 'new key' }];
    const event = { at: NOW, event: 'lease.renewed', state: 'held', actor: WORKER };
    assert.deepEqual(claimedBy(aggregate), {
      task: aggregate.task,
      attempts,
      events: [{ ...event, attemptId: 'attempt' }],
      attempt: attempts[0],
      renewed: true,
    });
    assert.deepEqual(tokens.at(-1), lease);
  });

  it('is never shortened, and ends with two hours or the deadline', () => {
    const ends = (leaseEndsAt: number, now: number, deal: Over = {}) => {
      const aggregate = { ...held(deal), live: [attempt({ leaseEndsAt: at(leaseEndsAt) })] };
      return must(claimedBy(aggregate, {}, {}, at(now))).attempt.leaseEndsAt;
    };
    assert.equal(ends(7_000, 5_000), at(7_000));
    assert.equal(ends(7_000, 5_300), at(7_100));
    assert.equal(ends(7_000, 6_999), at(7_200));
    assert.equal(ends(1_800, 1_000, { deadline: at(2_000) }), at(2_000));
    const { leaseEndsAt: _, ...undated } = attempt();
    const { attempt: renewed } = must(claimedBy({ ...held(), live: [undated] }));
    assert.equal(renewed.leaseEndsAt, at(1_860));
  });

  it('is refused with the reason why', () => {
    const reserved = { for: RIVAL, until: at(HOUR) };
    const chain = { id: 'c1', step: 2, worker: RIVAL };
    const starter = having({ requester: STARTER_ACCOUNT, tags: ['starter'] });
    const is = (refused: Refused['refused'], why: string, more: object = {}): object => ({
      refused,
      why,
      ...more,
    });
    const used = (fails: number, count = 0) => ({ history: { used: count, fails } });
    const cases: readonly (readonly [TaskAggregate, Partial<Worker>, object])[] = [
      [
        having({}, { mode: 'open' }),
        {},
        is('wrong-mode', 'This task takes solutions from any account and is never held.'),
      ],
      [
        published(),
        { didAnotherStep: true },
        is(
          'self-dealing',
          'Each step of this chain takes another worker, and you or an account linked to you was accepted on one.',
        ),
      ],
      [
        { ...held(), live: [attempt({ worker: RIVAL })] },
        {},
        is('already-claimed', 'Another worker holds this task.'),
      ],
      [delivered(), {}, is('already-claimed', 'Another worker holds this task.')],
      [
        having({ state: 'withdrawn' }),
        {},
        is('wrong-state', 'This task is withdrawn; only an open task can be claimed.'),
      ],
      [
        having({ reserved }, { tags: ['pitch'] }),
        {},
        is('not-chosen', 'Kept for the chosen pitch until 2027-01-15T09:00:00.000Z.', {
          until: at(HOUR),
        }),
      ],
      [
        having({ chosen: { pitchId: 'p', worker: RIVAL } }, { tags: ['pitch'] }),
        {},
        is('pitch-required', 'Offer a plan first; the requester chooses who may claim.'),
      ],
      [
        having({ chain }),
        {},
        is('not-chosen', `This milestone belongs to the worker of those before it, ${RIVAL}.`, {
          hint: '`POST /api/v1/tasks/claim` gives you other work.',
        }),
      ],
      [
        starter,
        { starter: 'used' },
        is('starter-used', 'Your account was paid for a starter task; it is once per account.'),
      ],
      [
        starter,
        { starter: 'holds-one' },
        is('starter-used', 'You work on a starter task already; it is once per account.'),
      ],
      [
        published(),
        used(10),
        is('attempts-used', 'You gave this task back 10 times; it is closed to you.'),
      ],
      [published(), used(9, 3), is('attempts-used', 'You used all 3 attempts on this task.')],
      [
        published(),
        { history: { used: 1, fails: 0, lastLapseAt: T0 } },
        is(
          'claim-cooldown',
          'Your lease on this task lapsed; claim it again at 2027-01-15T09:00:00.000Z.',
          { until: at(HOUR) },
        ),
      ],
      [
        published(),
        { liveClaims: 4, karma: 19 },
        is('claim-limit', 'You hold 4 tasks and may hold 4.'),
      ],
    ];
    for (const [aggregate, over, refusal] of cases) {
      assert.deepEqual(claimedBy(aggregate, over), refusal);
    }
  });

  it('needs all skills of the task, where the worker names its own', () => {
    const aggregate = published({ requiredSkills: ['ocr', 'french'] });
    assert.deepEqual(claimedBy(aggregate, {}, { skills: ['ocr'] }), {
      refused: 'skill-mismatch',
      why: 'This task needs the skill "french", which you did not name.',
      field: 'body.skills',
      allowed: ['ocr', 'french'],
    });
    assert.ok('attempt' in claimedBy(aggregate, {}, { skills: ['french', 'ocr'] }));
    assert.ok('attempt' in claimedBy(aggregate));
  });

  it('is open to whom the task is for', () => {
    const own = { id: 'c1', step: 2, worker: WORKER };
    assert.ok('attempt' in claimedBy(having({ chain: own })));
    assert.ok('attempt' in claimedBy(having({ chain: { id: 'c1', step: 1 } })));
    const chosen = { chosen: { pitchId: 'p', worker: WORKER } };
    assert.ok('attempt' in claimedBy(having(chosen, { tags: ['pitch'] })));
    const used = { starter: 'used' } as const;
    const house = having({ requester: STARTER_ACCOUNT });
    assert.ok('attempt' in claimedBy(having({ requester: STARTER_ACCOUNT, tags: ['starter'] })));
    assert.ok('attempt' in claimedBy(house, used), 'no starter task without its tag');
    const tagged = having({ requester: houseAccount('hub:demand'), tags: ['starter'] });
    assert.ok('attempt' in claimedBy(tagged, used), 'nor of another account');
    const lapsed = { history: { used: 1, fails: 0, lastLapseAt: T0 } };
    assert.ok('attempt' in claimedBy(published(), lapsed, {}, at(HOUR)));
    assert.ok(!('attempt' in claimedBy(published(), lapsed, {}, instant(at(HOUR) - 1))));
  });
});

describe('the queue', () => {
  const offers = (deal: Over, ignoredDeliveries: number | undefined, fails = 0): string => {
    const worker = someone(WORKER, { history: { used: 0, fails } });
    const ignored = ignoredDeliveries === undefined ? {} : { ignoredDeliveries };
    return mayOffer(published(deal), { worker, ...ignored }, T0);
  };

  it('offers last what was given back, or what its requester may leave undecided', () => {
    const acceptance = { kind: 'contains', values: ['x'] } as const;
    assert.equal(offers({}, undefined), 'yes');
    assert.equal(offers({}, 0), 'yes');
    assert.equal(offers({}, 1), 'last');
    assert.equal(offers({}, 0, 1), 'last');
    assert.equal(offers({ acceptance }, 1), 'yes');
    assert.equal(offers({ autoAcceptSeconds: 0 }, 1), 'yes');
    assert.equal(offers({ mode: 'open' }, 1), 'no');
  });

  it('counts on a requester where no rule and no clock accepts', () => {
    const rests = (deal: Over): boolean => restsOnRequester(published(deal).task);
    const acceptance = { kind: 'contains', values: ['x'] } as const;
    assert.ok(rests({}) && rests({ verification: 'validator' }));
    assert.ok(!rests({ autoAcceptSeconds: 60 }) && !rests({ acceptance }));
    assert.ok(!rests({ acceptance, autoAcceptSeconds: 60 }));
  });
});
