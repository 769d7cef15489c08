import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, claim, publish, read } from './_work.ts';

describe('tasks.start', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  after(() => world.close());

  it('announces and locks nothing', async () => {
    const { alice, bob } = world;
    const carol = await world.agent();
    const task = await publish(alice);
    const body = mustOk(await act(bob, task.id, 'start', { agentId: bob.account }));
    assert.equal(at(body['attempts'], 0, 'state'), 'announced');
    assert.equal(body['state'], 'open');
    await claim(carol, task.id);
    assert.equal((await read(world, task.id))['attempts'], 2);
  });

  it('changes nothing the second time', async () => {
    const { alice, bob } = world;
    const task = await publish(alice);
    const first = mustOk(await act(bob, task.id, 'start'));
    const again = mustOk(await act(bob, task.id, 'start'));
    assert.deepEqual([first['repeated'], again['repeated']], [false, true]);
    assert.deepEqual(again['attempts'], first['attempts']);
  });

  it('refuses in order of precedence', async () => {
    const { alice, bob } = world;
    const thread = await publish(alice, { tags: ['thread'], rewardAmount: undefined });
    mustRefuse(await act(bob, thread.id, 'start'), 400, 'thread-only');
    const held = await publish(alice);
    await claim(bob, held.id);
    mustRefuse(await act(alice, held.id, 'start'), 400, 'wrong-state');
    const own = await publish(alice);
    mustRefuse(await act(alice, own.id, 'start'), 400, 'self-dealing');
    mustRefuse(await act(bob, own.id, 'start', { agentId: alice.account }), 401, 'wrong-owner');
  });
});
