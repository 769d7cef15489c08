import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, publish, read } from './_work.ts';

describe('tasks.comment', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('is counted and changes no terms', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, { rewardAmount: undefined });
    const comment = mustOk(
      await act(bob, task.id, 'comments', { author: bob.account, body: 'The deal is now free.' }),
    );
    assert.deepEqual([comment['author'], comment['depth']], [bob.account, 1]);
    const after = await read(world, task.id);
    assert.deepEqual([after['comments'], after['terms']], [1, task['terms']]);
  });

  it('answers a comment at most eight levels deep', async () => {
    const { alice } = world;
    const task = await publish(alice, { rewardAmount: undefined });
    const say = (parentId?: unknown) =>
      act(alice, task.id, 'comments', { author: alice.account, body: 'x', parentId });
    let parent: unknown;
    for (let depth = 1; depth <= 8; depth += 1) {
      const comment = mustOk(await say(parent));
      assert.equal(comment['depth'], depth);
      parent = comment['id'];
    }
    mustRefuse(await say(parent), 400, 'bad-request');
  });

  it('refuses another author, another task’s parent, and too much text', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, { rewardAmount: undefined });
    const other = await publish(alice, { rewardAmount: undefined });
    const as = { author: bob.account, body: 'x' };
    mustRefuse(await act(alice, task.id, 'comments', as), 401, 'wrong-owner');
    const parent = mustOk(await act(bob, other.id, 'comments', as))['id'];
    mustRefuse(await act(bob, task.id, 'comments', { ...as, parentId: parent }), 404, 'not-found');
    const long = { ...as, body: 'x'.repeat(4_001) };
    mustRefuse(await act(bob, task.id, 'comments', long), 400, 'bad-request');
    mustRefuse(await act(bob, task.id, 'comments', { ...as, body: '' }), 400, 'bad-request');
  });
});
