import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Agent, Answer } from '../harness/agents.ts';
import { followHint } from '../harness/follow.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { accountOf, borrow, deposit, earn, held, SUITE_MS_MAX } from '../services/_lend.ts';
import { CODE_FAMILIES } from './_codes.ts';
import { choose, claimBy, offer, PITCHED } from './_pitching.ts';
import { act, claim, publish, RULE, submit, type Body } from './_work.ts';
import { deliverTrial, openTrial } from './_welcome.ts';

/**
 * Every refusal about work, terms, credit and bonuses: how it is reached, what it says to do, and that
 * the calls it says are there to be made.
 */
interface Row {
  readonly code: string;
  readonly how: string;
  readonly reach: (scene: Scene) => Promise<Answer>;
  readonly hint: RegExp;
}
/** A world, its requester, and a worker that did nothing before. */
interface Scene {
  readonly world: Fixture;
  readonly alice: Agent;
  readonly bob: Agent;
}

const THREAD = { tags: ['thread'], rewardAmount: undefined };

const answered = (agent: Agent, body: Body): Promise<Answer> =>
  agent.post('/api/v1/tasks', {
    requester: agent.account,
    title: 'x',
    rewardAmount: '10000',
    ...body,
  });
const solve = (agent: Agent, id: string): Promise<Answer> =>
  act(agent, id, 'solution', { agentId: agent.account, result: 'done' });
const trial = (agent: Agent): Promise<Answer> =>
  agent.post('/api/v1/trials', { account: agent.account });
const giveUp = async (agent: Agent): Promise<void> => {
  const { work, claimToken } = await openTrial(agent);
  mustOk(await act(agent, String((work as Body)['id']), 'fail', { claimToken }));
};

const TASK_STATE: readonly Row[] = [
  {
    code: 'wrong-state',
    how: 'accepting without a delivery',
    reach: async ({ alice }) => {
      const { id } = await publish(alice);
      return act(alice, id, 'accept', { requester: alice.account });
    },
    hint: /`next`.*GET \/api\/v1\/tasks\/[\w-]{36}/,
  },
  {
    code: 'wrong-mode',
    how: 'a solution for an exclusive task',
    reach: async ({ alice, bob }) => solve(bob, (await publish(alice)).id),
    hint: /POST \/api\/v1\/tasks\/[\w-]{36}\/claim/,
  },
  {
    code: 'already-claimed',
    how: 'claiming what another holds',
    reach: async ({ world, alice, bob }) => {
      const { id } = await publish(alice);
      await claim(await world.agent(), id);
      return claimBy(bob, id);
    },
    hint: /POST \/api\/v1\/tasks\/claim/,
  },
  {
    code: 'thread-only',
    how: 'claiming a discussion',
    reach: async ({ alice, bob }) => claimBy(bob, (await publish(alice, THREAD)).id),
    hint: /POST \/api\/v1\/tasks\/[\w-]{36}\/comments/,
  },
  {
    code: 'pitch-required',
    how: 'claiming a pitch task without a chosen plan',
    reach: async ({ alice, bob }) => claimBy(bob, (await publish(alice, PITCHED)).id),
    hint: /POST \/api\/v1\/tasks\/[\w-]{36}\/pitch/,
  },
  {
    code: 'not-chosen',
    how: 'claiming a task that is kept for the chosen plan',
    reach: async ({ world, alice, bob }) => {
      const { id } = await publish(alice, PITCHED);
      mustOk(await choose(alice, id, await offer(await world.agent(), id)));
      return claimBy(bob, id);
    },
    hint: /POST \/api\/v1\/tasks\/claim.*opens again/,
  },
  {
    code: 'solutions-pending',
    how: 'withdrawing a task with an undecided solution',
    reach: async ({ alice, bob }) => {
      const { id } = await publish(alice, { mode: 'open' });
      mustOk(await solve(bob, id));
      return act(alice, id, 'cancel', { requester: alice.account });
    },
    hint: /GET \/api\/v1\/tasks\/[\w-]{36}\/solutions/,
  },
  {
    code: 'decided',
    how: 'rejecting one solution twice',
    reach: async ({ alice, bob }) => {
      const { id } = await publish(alice, { mode: 'open' });
      const { solutionId } = mustOk(await solve(bob, id));
      const body = { requester: alice.account, reason: 'no', solutionId };
      mustOk(await act(alice, id, 'reject', body));
      return act(alice, id, 'reject', body);
    },
    hint: /GET \/api\/v1\/tasks\/[\w-]{36}/,
  },
];

const CLAIM: readonly Row[] = [
  {
    code: 'claim-limit',
    how: 'a fourth claim of a new account',
    reach: async ({ alice, bob }) => {
      for (let count = 0; count < 3; count += 1) await claim(bob, (await publish(alice)).id);
      return claimBy(bob, (await publish(alice)).id);
    },
    hint: /submit.*fail.*GET \/api\/v1\/me/,
  },
  {
    code: 'claim-cooldown',
    how: 'claiming again what one let lapse',
    reach: async ({ world, alice, bob }) => {
      const { id } = await publish(alice);
      await claim(bob, id);
      world.hub.clock.advance(1_800);
      return claimBy(bob, id);
    },
    hint: /Wait until.*POST \/api\/v1\/tasks\/claim/,
  },
  {
    code: 'attempts-used',
    how: 'claiming after the only attempt was refused',
    reach: async ({ alice, bob }) => {
      const { id } = await publish(alice, { acceptance: RULE, maxAttempts: 1 });
      mustOk(await submit(bob, id, 'no'));
      return claimBy(bob, id);
    },
    hint: /POST \/api\/v1\/tasks\/claim/,
  },
  {
    code: 'self-dealing',
    how: "claiming one's own task",
    reach: async ({ alice }) => claimBy(alice, (await publish(alice)).id),
    hint: /GET \/api\/v1\/tasks/,
  },
  {
    code: 'skill-mismatch',
    how: 'claiming with skills that lack a required one',
    reach: async ({ alice, bob }) => {
      const { id } = await publish(alice, { requiredSkills: ['ocr'] });
      return act(bob, id, 'claim', { agentId: bob.account, skills: ['go'] });
    },
    hint: /`allowed`/,
  },
  {
    code: 'claim-token',
    how: 'delivering with a token that was never given',
    reach: async ({ alice, bob }) => {
      const { id } = await publish(alice);
      return act(bob, id, 'submit', { claimToken: 'A'.repeat(43), result: 'done' });
    },
    hint: /POST \/api\/v1\/tasks\/[\w-]{36}\/claim/,
  },
  {
    code: 'lease-over',
    how: 'delivering when the lease is over',
    reach: async ({ world, alice, bob }) => {
      const { id } = await publish(alice);
      const claimToken = await claim(bob, id);
      world.hub.clock.advance(1_800);
      return act(bob, id, 'submit', { claimToken, result: 'done' });
    },
    hint: /POST \/api\/v1\/tasks\/claim/,
  },
];

const TERMS: readonly Row[] = [
  {
    code: 'bad-acceptance',
    how: 'a pattern that no linear engine takes',
    reach: ({ alice }) => {
      const schema = { type: 'string', pattern: '(?=a)b' };
      return answered(alice, { acceptance: { kind: 'json_schema', schema } });
    },
    hint: /`all`, `json_schema`, `fields` and `contains`/,
  },
  {
    code: 'acceptance-required',
    how: 'automatic verification without a rule',
    reach: ({ alice }) => answered(alice, { verification: 'automatic' }),
    hint: /`acceptance`.*`verification`/,
  },
  {
    code: 'reward-too-small',
    how: 'a reward of 999',
    reach: ({ alice }) => answered(alice, { rewardAmount: '999' }),
    hint: /"1000"/,
  },
  {
    code: 'bad-shares',
    how: 'places that sum to 9999 basis points',
    reach: ({ alice }) => answered(alice, { shares: { places: [5_000, 4_999] } }),
    hint: /Correct the places, and send the call again/,
  },
  {
    code: 'price-above-reward',
    how: 'a plan that asks for more than there is',
    reach: async ({ alice, bob }) => {
      const { id } = await publish(alice, PITCHED);
      return act(bob, id, 'pitch', { agentId: bob.account, plan: 'x', price: '1000001' });
    },
    hint: /GET \/api\/v1\/tasks\/[\w-]{36}/,
  },
  {
    code: 'deadline',
    how: 'a deadline in the past',
    reach: ({ alice }) => answered(alice, { deadline: '2026-01-01T00:00:00Z' }),
    hint: /ISO 8601/,
  },
];

const CREDIT: readonly Row[] = [
  {
    code: 'no-live-claim',
    how: 'an advance on a task that one does not hold',
    reach: async ({ alice, bob }) => borrow(bob, (await publish(alice)).id),
    hint: /POST \/api\/v1\/tasks\/[^/]+\/claim/,
  },
  {
    code: 'limit-zero',
    how: 'an advance on the real network with nothing earned there',
    reach: async ({ world, alice, bob }) => {
      await deposit(world, accountOf(alice), 1_000_000n);
      return borrow(bob, (await held(alice, bob, { network: 'base' })).taskId);
    },
    hint: /hub fee/,
  },
  {
    code: 'loan-open',
    how: 'a second advance on one task',
    reach: async ({ alice, bob }) => {
      const { taskId } = await held(alice, bob);
      mustOk(await borrow(bob, taskId));
      return borrow(bob, taskId);
    },
    hint: /GET \/api\/v1\/me/,
  },
  {
    code: 'over-limit',
    how: 'an advance when the limit is lent',
    reach: async ({ alice, bob }) => {
      const first = await held(alice, bob, { rewardAmount: '40000000' });
      mustOk(await borrow(bob, first.taskId));
      return borrow(bob, (await held(alice, bob)).taskId);
    },
    hint: /GET \/api\/v1\/me/,
  },
  {
    code: 'credit-unavailable',
    how: 'an advance on the real network, where the lender has nothing',
    reach: async ({ world, alice, bob }) => {
      await deposit(world, accountOf(alice), 3_000_000n);
      await earn(alice, bob, { network: 'base' });
      return borrow(bob, (await held(alice, bob, { network: 'base' })).taskId);
    },
    hint: /Work without an advance/,
  },
];

const BONUSES: readonly Row[] = [
  {
    code: 'starter-used',
    how: 'a second starter task',
    reach: async ({ world, bob }) => {
      await world.hub.runJob('starterRestock');
      const shelf = '/api/v1/tasks?requester=hub:starter&state=open';
      const [first, second] = mustOk(await world.anyone.get(shelf))['tasks'] as Body[];
      await claim(bob, String(first?.['id']));
      return claimBy(bob, String(second?.['id']));
    },
    hint: /GET \/api\/v1\/welcome\/key:\w+/,
  },
  {
    code: 'trial-open',
    how: 'a trial while one is open',
    reach: async ({ bob }) => {
      await openTrial(bob);
      return trial(bob);
    },
    hint: /submit.*fail.*GET \/api\/v1\/welcome\//,
  },
  {
    code: 'trial-limit',
    how: 'a fourth trial on one day',
    reach: async ({ bob }) => {
      for (let count = 0; count < 3; count += 1) await giveUp(bob);
      return trial(bob);
    },
    hint: /Try again from.*GET \/api\/v1\/welcome\//,
  },
  {
    code: 'welcome-not-due',
    how: 'a trial after one was passed',
    reach: async ({ bob }) => {
      mustOk(await deliverTrial(bob));
      return trial(bob);
    },
    hint: /GET \/api\/v1\/welcome\//,
  },
];

const ROWS = [...TASK_STATE, ...CLAIM, ...TERMS, ...CREDIT, ...BONUSES];

describe('refusals of work, terms, credit and bonuses', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: Fixture;
  let alice: Agent;
  before(async () => {
    world = await openFixture();
    alice = await world.agent();
    await world.fund(alice, '200000000');
  });
  after(() => world.close());

  for (const { code, how, reach, hint } of ROWS) {
    it(`${code}: ${how}`, async () => {
      const bob = await world.agent();
      const answer = await reach({ world, alice, bob });
      assert.match(String(mustRefuse(answer, 400, code)['hint']), hint);
      await followHint(bob, answer);
    });
  }

  it('are all of their families', () => {
    const text = readFileSync(
      new URL('../../spec/common/error-codes.yaml', import.meta.url),
      'utf8',
    );
    const known = parse(text) as readonly { readonly code: string; readonly family: string }[];
    const listed = known
      .filter(({ family }) => CODE_FAMILIES.includes(family))
      .map(({ code }) => code);
    assert.deepEqual(
      ROWS.map(({ code }) => code),
      listed,
    );
  });
});
