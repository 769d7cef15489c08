import assert from 'node:assert/strict';
import type { Agent, Answer } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, events, names, publish, read, REWARD, RULE, type Body } from './_work.ts';

const PITCHED = { tags: ['pitch'], acceptance: RULE };
const PLAN = 'I read the page once.';

describe('tasks.pitch', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '50000000');
  });
  after(() => world.close());

  const offer = (agent: Agent, id: string, over: Body = {}): Promise<Answer> =>
    act(agent, id, 'pitch', { agentId: agent.account, plan: PLAN, ...over });
  const choose = async (id: string, pitchId: unknown): Promise<Body> =>
    mustOk(await act(world.alice, id, 'choose', { requester: world.alice.account, pitchId }));
  const listed = async (id: string): Promise<readonly Body[]> =>
    mustOk(await world.anyone.get(`/api/v1/tasks/${id}/pitches`))['pitches'] as Body[];

  it('offers a plan at a price, and the whole reward when none is named', async () => {
    const [bob, carol] = [await world.agent(), await world.agent()];
    const task = await publish(world.alice, PITCHED);
    assert.ok(!names((await read(world, task.id))['next']).includes('tasks.choose'));
    const cheap = mustOk(await offer(bob, task.id, { price: '200000' }));
    assert.deepEqual(
      [cheap['worker'], cheap['plan'], cheap['state'], at(cheap, 'price', 'amount')],
      [bob.account, PLAN, 'offered', '200000'],
    );
    const whole = mustOk(await offer(carol, task.id));
    assert.equal(at(whole, 'price', 'amount'), REWARD);
    assert.ok(names((await read(world, task.id))['next']).includes('tasks.choose'));
    assert.deepEqual(await events(world, task.id), [
      'task.published',
      'pitch.offered',
      'pitch.offered',
    ]);
  });

  it('names the call that takes it', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, PITCHED);
    const { id, next: own } = mustOk(await offer(bob, task.id));
    assert.deepEqual(names(own), ['tasks.pitch']);
    const { pitches } = mustOk(await alice.get(`/api/v1/tasks/${task.id}/pitches`));
    const next = at(pitches, 0, 'next');
    assert.deepEqual(names(next), ['tasks.choose', 'tasks.pitch']);
    const { method, path, body } = at(next, 0, 'call') as Body;
    assert.deepEqual([method, body], ['POST', { requester: alice.account, pitchId: id }]);
    mustOk(await alice.post(String(path), body));
  });

  it('is once per account: another plan replaces it under another id', async () => {
    const { bob } = world;
    const task = await publish(world.alice, PITCHED);
    const first = mustOk(await offer(bob, task.id, { price: '200000' }));
    const second = mustOk(await offer(bob, task.id, { price: '300000' }));
    assert.notEqual(second['id'], first['id']);
    assert.deepEqual(
      (await listed(task.id)).map((each) => each['id']),
      [second['id']],
    );
    const gone = { requester: world.alice.account, pitchId: first['id'] };
    const refusal = mustRefuse(await act(world.alice, task.id, 'choose', gone), 404, 'not-found');
    assert.equal(refusal['field'], 'body.pitchId');
  });

  it('sent twice changes nothing', async () => {
    const { bob } = world;
    const task = await publish(world.alice, PITCHED);
    const first = mustOk(await offer(bob, task.id));
    world.hub.clock.advance(1);
    assert.deepEqual(mustOk(await offer(bob, task.id, { price: REWARD })), first);
    assert.deepEqual(await events(world, task.id), ['task.published', 'pitch.offered']);
  });

  it('takes no price on unpaid work', async () => {
    const { bob } = world;
    const task = await publish(world.alice, { ...PITCHED, rewardAmount: undefined });
    const priced = await offer(bob, task.id, { price: '1000' });
    assert.equal(mustRefuse(priced, 400, 'price-above-reward')['field'], 'body.price');
    assert.equal(mustOk(await offer(bob, task.id))['price'], undefined);
  });

  it('bounds the price by the reward and by the least reward', async () => {
    const { bob } = world;
    const task = await publish(world.alice, PITCHED);
    mustRefuse(await offer(bob, task.id, { price: '1000001' }), 400, 'price-above-reward');
    mustRefuse(await offer(bob, task.id, { price: '999' }), 400, 'reward-too-small');
    mustRefuse(await offer(bob, task.id, { price: '0' }), 400, 'reward-too-small');
    mustOk(await offer(bob, task.id, { price: '1000' }));
    mustOk(await offer(bob, task.id, { price: REWARD }));
  });

  it('is not offered by who is chosen, nor by others while the task is kept', async () => {
    const [bob, carol] = [await world.agent(), await world.agent()];
    const task = await publish(world.alice, PITCHED);
    await choose(task.id, mustOk(await offer(bob, task.id))['id']);
    world.hub.clock.advance(600);
    const own = mustRefuse(await offer(bob, task.id, { price: '1000' }), 400, 'wrong-state');
    assert.deepEqual(names(own['next']), ['tasks.claim', 'tasks.comment']);
    const late = mustRefuse(await offer(carol, task.id), 400, 'wrong-state');
    assert.equal(late['retryAfterSeconds'], 3_000);
    world.hub.clock.advance(3_000);
    mustOk(await offer(carol, task.id));
  });

  it('is closed to standing below zero and to who cannot claim', async () => {
    const { alice, hub } = world;
    const [bob, carol] = [await world.agent(), await world.agent()];
    const task = await publish(alice, { ...PITCHED, maxAttempts: 1 });
    await choose(task.id, mustOk(await offer(bob, task.id))['id']);
    hub.clock.advance(3_600);
    assert.equal((await listed(task.id))[0]?.['state'], 'lapsed');
    mustRefuse(await offer(bob, task.id), 400, 'claim-limit');

    await choose(task.id, mustOk(await offer(carol, task.id))['id']);
    const claimed = mustOk(await act(carol, task.id, 'claim', { agentId: carol.account }));
    const delivery = { claimToken: claimed['claimToken'], result: 'no' };
    mustOk(await act(carol, task.id, 'submit', delivery));
    const dave = await world.agent();
    await choose(task.id, mustOk(await offer(dave, task.id))['id']);
    hub.clock.advance(3_600);
    mustRefuse(await offer(carol, task.id, { plan: 'Again.' }), 400, 'attempts-used');
  });

  it('refuses in order of precedence', async () => {
    const { alice, bob } = world;
    const price = { price: '1000001' };
    const nobody = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await offer(bob, nobody, price), 404, 'not-found');
    const task = await publish(alice, PITCHED);
    mustRefuse(await offer(alice, task.id, { ...price, agentId: bob.account }), 401, 'wrong-owner');
    const plain = await publish(alice);
    mustOk(await act(alice, plain.id, 'cancel', { requester: alice.account }));
    const mode = mustRefuse(await offer(alice, plain.id, price), 400, 'wrong-mode');
    assert.match(String(mode['hint']), /pitch|mode/);
    const tags = ['pitch', 'thread'];
    const thread = await publish(alice, { tags, rewardAmount: undefined });
    mustRefuse(await offer(bob, thread.id), 400, 'wrong-mode');
    const over = await publish(alice, PITCHED);
    mustOk(await act(alice, over.id, 'cancel', { requester: alice.account }));
    mustRefuse(await offer(alice, over.id, price), 400, 'wrong-state');
    const own = mustRefuse(await offer(alice, task.id, price), 400, 'self-dealing');
    assert.match(String(own['hint']), /not yours/);
    const high = mustRefuse(await offer(bob, task.id, price), 400, 'price-above-reward');
    assert.match(String(high['hint']), /leave `price` out/);
    const low = mustRefuse(await offer(bob, task.id, { price: '1' }), 400, 'reward-too-small');
    assert.match(String(low['hint']), /at least/);
  });
});
