import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, names, publish, type Body } from './_work.ts';

describe('tasks.pitches', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '50000000');
  });
  after(() => world.close());

  const offer = async (agent: Agent, id: string, price?: string): Promise<unknown> => {
    const body = { agentId: agent.account, plan: 'Mine.', price };
    return mustOk(await act(agent, id, 'pitch', body))['id'];
  };
  const page = async (id: string, query = ''): Promise<Body> =>
    mustOk(await world.anyone.get(`/api/v1/tasks/${id}/pitches${query}`));
  const states = async (id: string): Promise<string> =>
    ((await page(id))['pitches'] as Body[]).map((each) => each['state']).join(' ');
  const choose = async (id: string, pitchId: unknown): Promise<void> =>
    void mustOk(await act(world.alice, id, 'choose', { requester: world.alice.account, pitchId }));
  const three = async (): Promise<readonly [Agent, Agent, Agent]> => [
    await world.agent(),
    await world.agent(),
    await world.agent(),
  ];

  it('shows everybody the plans, oldest first, in pages', async () => {
    const task = await publish(world.alice, { tags: ['pitch'] });
    const ids = [];
    for (const agent of await three()) ids.push(await offer(agent, task.id));
    const shown = (body: Body): unknown[] => (body['pitches'] as Body[]).map((each) => each['id']);
    const first = await page(task.id, '?limit=2');
    assert.deepEqual([shown(first), first['count'], first['limit']], [ids.slice(0, 2), 2, 2]);
    const rest = await page(task.id, `?limit=2&after=${String(first['next'])}`);
    assert.deepEqual([shown(rest), rest['next']], [ids.slice(2), undefined]);
    assert.deepEqual([rest['contentIsUntrusted'], typeof rest['contentNote']], [true, 'string']);
    const whole = await page(task.id, '?limit=3');
    assert.equal(whole['next'], undefined, 'a full last page is the last');
  });

  it('notifies the losers, and calls back those who still fit when the winner does not come', async () => {
    const { alice, hub } = world;
    const [bob, carol, dave] = await three();
    const task = await publish(alice, { tags: ['pitch'] });
    const won = await offer(bob, task.id, '500000');
    await offer(carol, task.id, '400000');
    await offer(dave, task.id);
    assert.equal(await states(task.id), 'offered offered offered');
    await choose(task.id, won);
    assert.equal(await states(task.id), 'chosen passed passed');
    const mine = at(await page(task.id), 'pitches', 0) as Body;
    const until = new Date(hub.clock.now() + 3_600_000).toISOString();
    assert.deepEqual([mine['reservedUntil'], names(mine['next'])], [until, ['tasks.claim']]);
    assert.deepEqual(at(await page(task.id), 'pitches', 1, 'next'), []);
    hub.clock.advance(3_600);
    assert.equal(await states(task.id), 'lapsed offered passed', 'dave asks more than was agreed');
    const next = ((await page(task.id))['pitches'] as Body[]).map((each) => names(each['next']));
    assert.deepEqual(next, [['tasks.pitch'], ['tasks.choose', 'tasks.pitch'], ['tasks.pitch']]);
  });

  it('keeps the winner chosen to the end, and leaves the others passed', async () => {
    const { alice } = world;
    const [bob, carol] = await three();
    const task = await publish(alice, { tags: ['pitch'] });
    await offer(carol, task.id);
    await choose(task.id, await offer(bob, task.id));
    const claimed = mustOk(await act(bob, task.id, 'claim', { agentId: bob.account }));
    assert.equal(await states(task.id), 'passed chosen');
    assert.equal(at(await page(task.id), 'pitches', 1, 'reservedUntil'), undefined);
    const delivery = { claimToken: claimed['claimToken'], result: 'x' };
    mustOk(await act(bob, task.id, 'submit', delivery));
    mustOk(await act(alice, task.id, 'accept', { requester: alice.account }));
    assert.equal(await states(task.id), 'passed chosen');
  });

  it('has none where none were offered, and 404 for no task', async () => {
    const task = await publish(world.alice);
    assert.deepEqual([(await page(task.id))['count'], await states(task.id)], [0, '']);
    const nobody = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await world.anyone.get(`/api/v1/tasks/${nobody}/pitches`), 404, 'not-found');
  });
});
