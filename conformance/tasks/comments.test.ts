import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, publish, type Body } from './_work.ts';

describe('tasks.comments', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('is one public thread, oldest first, in pages', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, { rewardAmount: undefined });
    for (const [agent, body] of [
      [bob, 'one'],
      [alice, 'two'],
      [bob, 'three'],
    ] as const) {
      mustOk(await act(agent, task.id, 'comments', { author: agent.account, body }));
    }
    const page = mustOk(await world.anyone.get(`/api/v1/tasks/${task.id}/comments?limit=2`));
    const bodies = (body: Body): unknown[] =>
      (body['comments'] as Body[]).map((each) => each['body']);
    assert.deepEqual(bodies(page), ['one', 'two']);
    const after = String(page['next']);
    const rest = mustOk(await world.anyone.get(`/api/v1/tasks/${task.id}/comments?after=${after}`));
    assert.deepEqual([bodies(rest), rest['next']], [['three'], undefined]);
    assert.deepEqual([page['contentIsUntrusted'], typeof page['contentNote']], [true, 'string']);
  });

  it('answers 404 for no task', async () => {
    const nobody = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await world.anyone.get(`/api/v1/tasks/${nobody}/comments`), 404, 'not-found');
  });
});
