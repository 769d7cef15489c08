import assert from 'node:assert/strict';
import { plus, seconds } from '../instant.ts';
import { atomic } from '../money.ts';
import { isRefused } from './change.ts';
import type { Refused } from './change.ts';
import { claim, mayOffer } from './claim.ts';
import { accept, cancel, reject } from './decide.ts';
import { usable } from './deliver.ts';
import { STARTER_ACCOUNT } from './model.ts';
import type { TaskAggregate } from './model.ts';
import { publish } from './publish.ts';
import type { Draft } from './publish.ts';
import { announceRefusal, offerRefusal } from './solve.ts';
import {
  acceptedAt,
  at,
  attempt,
  DAY,
  delivered,
  draft,
  held,
  HOUR,
  must,
  offered,
  published,
  REQUESTER,
  RIVAL,
  someone,
  T0,
  WORKER,
} from './fixture.ts';
import { attemptsLeft, liveClaimCap } from './worker.ts';

const code = (decision: object | Refused | undefined): string =>
  decision === undefined ? 'taken' : isRefused(decision) ? decision.refused : 'taken';

const worst = {
  history: { used: 3, fails: 0, lastLapseAt: T0 },
  liveClaims: 20,
  starter: 'used',
} as const;
const starter = { requester: STARTER_ACCOUNT, tags: ['starter'] };
const chosen = (aggregate: TaskAggregate): TaskAggregate => ({
  ...aggregate,
  task: { ...aggregate.task, reserved: { for: WORKER, until: at(HOUR) } },
});
const ended = (aggregate: TaskAggregate): TaskAggregate => ({
  ...aggregate,
  task: { ...aggregate.task, state: 'paid' },
});

describe('domain/tasks refusals, in order of precedence', () => {
  const claims: readonly [
    () => TaskAggregate,
    Parameters<typeof someone>[1],
    readonly string[] | undefined,
    string,
  ][] = [
    [() => published({ tags: ['thread'], mode: 'open', unpaid: true }), worst, [], 'thread-only'],
    [() => published({ mode: 'open' }), { ...worst, linkedToRequester: true }, [], 'wrong-mode'],
    [() => held(), { ...worst, linkedToRequester: true }, [], 'self-dealing'],
    [() => held(), worst, [], 'already-claimed'],
    [() => delivered(), worst, [], 'already-claimed'],
    [() => ended(published()), worst, [], 'wrong-state'],
    [() => published({ tags: ['pitch'], requiredSkills: ['a'] }), worst, [], 'pitch-required'],
    [() => chosen(published({ tags: ['pitch'], requiredSkills: ['a'] })), worst, [], 'not-chosen'],
    [() => published({ ...starter, requiredSkills: ['a'] }), worst, ['b'], 'skill-mismatch'],
    [() => published(starter), worst, undefined, 'starter-used'],
    [() => published(starter), { starter: 'holds-one' }, undefined, 'starter-used'],
    [() => published(), worst, undefined, 'attempts-used'],
    [() => published(), { history: { used: 0, fails: 10 } }, undefined, 'attempts-used'],
    [
      () => published(),
      { ...worst, history: { used: 1, fails: 0, lastLapseAt: T0 } },
      undefined,
      'claim-cooldown',
    ],
    [() => published(), { liveClaims: 3 }, undefined, 'claim-limit'],
    [() => published(), { liveClaims: 2 }, undefined, 'taken'],
    [() => published({ requiredSkills: ['a'] }), {}, ['a', 'b'], 'taken'],
    [() => published({ requiredSkills: ['a'] }), {}, undefined, 'taken'],
  ];
  claims.forEach(([make, over, skills, is], row) => {
    it(`claim ${row}: ${is}`, () => {
      const worker = someone(RIVAL, over);
      const request = {
        worker,
        attemptId: 'a',
        token: () => ({ claimToken: 't', tokenKey: 'k' }),
        ...(skills && { skills }),
      };
      assert.equal(code(claim(make(), request, at(60))), is);
    });
  });

  it('a lapse cools for an hour from the end of the lease', () => {
    const worker = someone(RIVAL, { history: { used: 1, fails: 0, lastLapseAt: T0 } });
    const request = { worker, attemptId: 'a', token: () => ({ claimToken: 't', tokenKey: 'k' }) };
    assert.equal(code(claim(published(), request, at(3_599))), 'claim-cooldown');
    assert.equal(code(claim(published(), request, at(3_600))), 'taken');
  });

  it('the queue offers given-back work last and refused work never', () => {
    const offer = (over: object): string =>
      mayOffer(published(), { worker: someone(RIVAL, over) }, T0);
    assert.deepEqual(
      [offer({}), offer({ history: { used: 0, fails: 1 } }), offer({ liveClaims: 3 })],
      ['yes', 'last', 'no'],
    );
  });

  const tokens: readonly [
    Parameters<typeof attempt>[0] | undefined,
    typeof WORKER,
    number,
    string,
  ][] = [
    [undefined, RIVAL, 0, 'claim-token'],
    [{ state: 'lapsed' }, RIVAL, 0, 'not-a-party'],
    [{ state: 'lapsed' }, WORKER, 0, 'lease-over'],
    [{}, WORKER, 1_800, 'lease-over'],
    [{ state: 'waiting' }, WORKER, 0, 'wrong-state'],
    [{ state: 'accepted' }, WORKER, 0, 'wrong-state'],
    [{ state: 'refused' }, WORKER, 0, 'claim-token'],
    [{ state: 'failed' }, WORKER, 0, 'claim-token'],
    [{}, WORKER, 1_799, 'taken'],
  ];
  tokens.forEach(([over, by, later, is], row) => {
    it(`token ${row}: ${is}`, () => {
      const found = over === undefined ? undefined : attempt(over);
      assert.equal(code(usable(held(), found, by, at(later))), is);
    });
  });

  it('a solution', () => {
    const spent = { history: { used: 3, fails: 0 } };
    const table: readonly [TaskAggregate, object, string][] = [
      [published({ tags: ['thread'], unpaid: true }), {}, 'thread-only'],
      [published(), { linkedToRequester: true }, 'wrong-mode'],
      [ended(published({ mode: 'open' })), { linkedToRequester: true }, 'wrong-state'],
      [published({ mode: 'open' }), { ...spent, linkedToRequester: true }, 'self-dealing'],
      [offered([WORKER]), spent, 'attempts-used'],
      [offered([WORKER]), {}, 'solutions-pending'],
      [offered([RIVAL]), {}, 'taken'],
    ];
    for (const [aggregate, over, is] of table) {
      assert.equal(code(offerRefusal(aggregate, someone(WORKER, over), T0)), is);
    }
  });

  it('an announcement', () => {
    const thread = published({ tags: ['thread'], unpaid: true });
    assert.equal(code(announceRefusal(ended(thread), someone(), T0)), 'thread-only');
    assert.equal(code(announceRefusal(ended(published()), someone(REQUESTER), T0)), 'wrong-state');
    assert.equal(code(announceRefusal(published(), someone(REQUESTER), T0)), 'self-dealing');
    assert.equal(code(announceRefusal(published(), someone(), T0)), 'taken');
  });

  it('an acceptance', () => {
    const two = offered([WORKER, RIVAL]);
    const old = {
      id: 'old',
      attempt: attempt({ id: 'old', state: 'rejected', deliveredAt: T0 }),
    };
    const table: readonly [
      TaskAggregate,
      typeof REQUESTER,
      Parameters<typeof accept>[2],
      string,
    ][] = [
      [ended(two), WORKER, undefined, 'not-a-party'],
      [published(), REQUESTER, undefined, 'wrong-state'],
      [two, REQUESTER, undefined, 'solutions-pending'],
      [two, REQUESTER, old, 'decided'],
      [two, REQUESTER, { id: 'none' }, 'not-found'],
      [two, REQUESTER, { id: 'solution-0' }, 'taken'],
      [acceptedAt(T0, DAY), REQUESTER, old, 'decided'],
      [acceptedAt(T0, DAY), REQUESTER, { id: 'attempt' }, 'taken'],
      [acceptedAt(T0, DAY, { unpaid: true }), REQUESTER, undefined, 'wrong-state'],
    ];
    for (const [aggregate, by, named, is] of table) {
      assert.equal(code(accept(aggregate, by, named, T0)), is);
    }
  });

  it('a rejection', () => {
    const judged = delivered({ verification: 'validator' });
    const reason = 'no';
    assert.equal(code(reject(delivered(), WORKER, { reason }, T0)), 'not-a-party');
    assert.equal(code(reject(acceptedAt(T0, DAY), REQUESTER, { reason }, T0)), 'wrong-state');
    assert.equal(code(reject(judged, REQUESTER, { reason }, at(6 * HOUR - 1))), 'wrong-state');
    assert.equal(
      code(reject(judged, REQUESTER, { reason, solution: { id: 'x' } }, T0)),
      'not-found',
    );
  });

  it('a withdrawal', () => {
    const table: readonly [TaskAggregate, typeof REQUESTER, string][] = [
      [held(), WORKER, 'not-a-party'],
      [held(), REQUESTER, 'already-claimed'],
      [chosen(published({ tags: ['pitch'] })), REQUESTER, 'already-claimed'],
      [delivered(), REQUESTER, 'solutions-pending'],
      [offered([WORKER]), REQUESTER, 'solutions-pending'],
      [acceptedAt(T0, DAY), REQUESTER, 'wrong-state'],
      [ended(published()), REQUESTER, 'wrong-state'],
    ];
    for (const [aggregate, by, is] of table) assert.equal(code(cancel(aggregate, by, T0)), is);
  });

  it('a publication', () => {
    const small = { rewardAmount: atomic(999n) };
    const table: readonly [Partial<Draft>, string][] = [
      [{ ...small, description: 'é'.repeat(8_193), deadline: T0 }, 'body-too-large'],
      [{ ...small, input: { a: 'x'.repeat(65_536) }, deadline: T0 }, 'body-too-large'],
      [{ ...small, deadline: at(299) }, 'deadline'],
      [{ ...small, deadline: plus(T0, seconds(90 * DAY + 1)) }, 'deadline'],
      [{ ...small, tags: ['thread'] }, 'reward-too-small'],
      [{ tags: ['Thread'], verification: 'automatic' }, 'thread-only'],
      [{ tags: ['pitch'], mode: 'open', verification: 'automatic' }, 'wrong-mode'],
      [{ verification: 'automatic' }, 'acceptance-required'],
      [{ deadline: at(300) }, 'taken'],
      [{ rewardAmount: atomic(1_000n) }, 'taken'],
    ];
    for (const [over, is] of table) assert.equal(code(publish(draft(over), 'id', T0)), is);
  });

  it('the numbers of standing', () => {
    const caps = [-1, 0, 9, 10, 170, 1_000].map(liveClaimCap);
    assert.deepEqual(caps, [1, 3, 3, 4, 20, 20]);
    const left = [0, 2, 3, 4].map((used) => attemptsLeft({ maxAttempts: 3 }, { used, fails: 9 }));
    assert.deepEqual(left, [3, 1, 0, 0]);
  });

  it('a lease ends with the deadline, and one claim holds at most two hours', () => {
    const request = {
      worker: someone(),
      attemptId: 'a',
      token: () => ({ claimToken: 't', tokenKey: 'k' }),
    };
    const late = must(claim(published({ deadline: at(600) }), request, T0));
    assert.equal(late.attempt.leaseEndsAt, at(600));
    const long = { ...held(), live: [attempt({ leaseEndsAt: at(7_000) })] };
    const renewals = [100, 6_000, 6_999].map(
      (later) => must(claim(long, request, at(later))).attempt.leaseEndsAt,
    );
    assert.deepEqual(renewals, [at(7_000), at(7_200), at(7_200)]);
  });
});
