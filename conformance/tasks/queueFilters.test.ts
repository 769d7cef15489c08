import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { onEachDatabase } from '../validators/_court.ts';
import { act, publish, submit, type Body } from './_work.ts';

const DAY = 86_400;

onEachDatabase('the claim queue', (url) => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture({ databaseUrl: await url() });
    await world.fund(world.alice, '10000000');
  });
  afterEach(() => world.close());

  const next = async (body: Body = {}, agent: Agent = world.bob, query = ''): Promise<Body> =>
    mustOk(await agent.post(`/api/v1/tasks/claim${query}`, body));
  const work = async (body: Body = {}, agent: Agent = world.bob): Promise<unknown> => {
    const answer = await next(body, agent);
    return answer['work'] === null ? null : at(answer, 'work', 'id');
  };
  const paid = (rewardAmount: string, over: Body = {}) =>
    publish(world.alice, { rewardAmount, verification: 'requester', ...over });

  it('takes verification, tags and whether silence pays', async () => {
    const acceptance = { kind: 'contains', values: ['x'] };
    const rule = await paid('4000', { verification: 'automatic', acceptance });
    const clock = await paid('5000', { autoAcceptSeconds: 60, tags: ['Deep'] });
    const trust = await paid('6000', { tags: ['web', 'deep'] });
    assert.equal(await work({ tags: ['none', 'other'] }), null);
    assert.equal(await work({ verification: 'validator' }), null);
    assert.equal(await work({ tags: ['DEEP', 'other'] }), trust.id);
    assert.equal(await work({ autoAccept: true }), clock.id);
    assert.equal(await work({ autoAccept: true }), rule.id);
    const last = await paid('7000', { tags: ['x'] });
    const other = await world.agent();
    assert.equal(await work({ autoAccept: true, verification: 'requester' }, other), null);
    assert.equal(await work({ verification: 'requester', autoAccept: false }, other), last.id);
    const tags = Array.from({ length: 21 }, (_, count) => `t${count}`);
    mustRefuse(await world.bob.post('/api/v1/tasks/claim', { tags }), 400, 'bad-request');
  });

  it('wakes a filtered wait for the task that fits, and for no other', async () => {
    const waiting = next({ tags: ['mine'] }, world.bob, '?wait=30');
    const other = await paid('9000');
    const fits = await paid('5000', { tags: ['mine'] });
    assert.equal(at(await waiting, 'work', 'id'), fits.id);
    assert.equal(await work(), other.id);
  });

  it('offers work of who left deliveries undecided last, and says so', async () => {
    const { alice, bob, hub } = world;
    const careless = await world.agent();
    await world.fund(careless, '1000000');
    const ignored = await publish(careless, { verification: 'requester', rewardAmount: '5000' });
    mustOk(await submit(bob, ignored.id, 'x'));
    const fine = await next({}, bob);
    assert.equal(fine['work'], null);
    hub.clock.advance(11 * DAY);
    const state = mustOk(await bob.get(`/api/v1/tasks/${ignored.id}`))['state'];
    assert.equal(state, 'expired');

    const risky = await publish(careless, { verification: 'requester', rewardAmount: '9000' });
    const timed = await publish(careless, {
      verification: 'requester',
      autoAcceptSeconds: 60,
      rewardAmount: '8000',
    });
    const safe = await publish(alice, { verification: 'requester', rewardAmount: '5000' });
    const answers = [await next(), await next(), await next()];
    assert.deepEqual(
      answers.map((answer) => at(answer, 'work', 'id')),
      [timed.id, safe.id, risky.id],
    );
    assert.deepEqual(
      answers.map((answer) => answer['warning'] !== undefined),
      [false, false, true],
    );
    assert.match(String(answers[2]?.['warning']), /left 1 delivered result undecided/);
    assert.equal(at(answers[2], 'requesterRecord', 'undecided'), 1);
    assert.equal(answers[2]?.['contentIsUntrusted'], true);

    const after = await publish(careless, {
      verification: 'requester',
      rewardAmount: '5000',
      deadline: later(40),
    });
    hub.clock.advance(30 * DAY + 1);
    const forgiven = mustOk(await claimed(await world.agent(), after.id));
    assert.equal(forgiven['warning'], undefined, 'a month later');
  });

  const claimed = (agent: Agent, id: string) => act(agent, id, 'claim', { agentId: agent.account });

  function later(days: number): string {
    return new Date(world.hub.clock.now() + days * DAY * 1_000).toISOString();
  }

  it('gives the same claim again for the same idempotencyKey', async () => {
    const { bob } = world;
    assert.equal((await next({ idempotencyKey: 'k' }))['work'], null, 'idle keeps nothing');
    const first = await paid('9000');
    const second = await paid('5000');
    const one = await next({ idempotencyKey: 'k' });
    world.hub.clock.advance(60);
    const again = await next({ idempotencyKey: 'k' });
    assert.equal(at(one, 'work', 'id'), first.id);
    for (const name of ['attemptId', 'claimToken']) assert.equal(again[name], one[name]);
    assert.deepEqual([one['repeated'], again['repeated']], [false, true]);
    const leased = (answer: Body): number =>
      Date.parse(String(at(answer, 'deliver', 'leaseEndsAt')));
    assert.equal(leased(again) - leased(one), 60_000, 'its lease is renewed');

    const other = { idempotencyKey: 'k', minReward: '1' };
    mustRefuse(await bob.post('/api/v1/tasks/claim', other), 400, 'idempotency-mismatch');
    assert.equal(
      at(await next({ idempotencyKey: 'k' }, await world.agent()), 'work', 'id'),
      second.id,
    );

    const { claimToken } = one;
    mustOk(await act(bob, first.id, 'submit', { claimToken, result: 'x' }));
    const over = mustRefuse(
      await bob.post('/api/v1/tasks/claim', { idempotencyKey: 'k' }),
      400,
      'lease-over',
    );
    assert.match(String(over['hint']), /me\/work/);
  });

  it('gives twins of one call one claim', async () => {
    await paid('9000');
    await paid('9000');
    await paid('9000');
    const twins = await Promise.all(
      Array.from({ length: 4 }, () => next({ idempotencyKey: 'twin' })),
    );
    assert.equal(new Set(twins.map((answer) => answer['claimToken'])).size, 1);
    assert.equal(twins.filter((answer) => answer['repeated'] === false).length, 1);
    assert.notEqual(await work(), null, 'the others were not taken');
  });
});
