import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, publish } from './_work.ts';

describe('tasks.withdrawComment', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('takes the text and keeps the place, for its author alone', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, { rewardAmount: undefined });
    const comment = { author: bob.account, body: 'regret' };
    const { id } = mustOk(await act(bob, task.id, 'comments', comment));
    const path = `comments/${String(id)}/withdraw`;
    mustRefuse(await act(alice, task.id, path), 400, 'not-a-party');
    const gone = mustOk(await act(bob, task.id, path));
    assert.deepEqual([gone['id'], gone['author'], gone['body']], [id, bob.account, null]);
    world.hub.clock.advance(60);
    assert.deepEqual(mustOk(await act(bob, task.id, path)), gone, 'a repeat changes nothing');
    const thread = await world.anyone.get(`/api/v1/tasks/${task.id}/comments`);
    assert.deepEqual(at(mustOk(thread)['comments'], 0), gone);
    assert.doesNotMatch(thread.text, /regret/);
  });

  it('answers 404 for a comment of another task', async () => {
    const { alice } = world;
    const [task, other] = [
      await publish(alice, { rewardAmount: undefined }),
      await publish(alice, { rewardAmount: undefined }),
    ];
    const comment = { author: alice.account, body: 'x' };
    const { id } = mustOk(await act(alice, other.id, 'comments', comment));
    const answer = await act(alice, task.id, `comments/${String(id)}/withdraw`);
    mustRefuse(answer, 404, 'not-found');
  });
});
