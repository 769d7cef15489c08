import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, claim, events, names, publish, read, RULE, submit } from './_work.ts';

describe('tasks.get', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  after(() => world.close());

  it('shows workers, history and what is legal now', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, { acceptance: RULE });
    await submit(bob, task.id, 'no');
    await submit(bob, task.id, 'done');
    const found = await read(world, task.id);
    assert.deepEqual(
      [0, 1].map((place) => at(found['workers'], place, 'state')),
      ['refused', 'accepted'],
    );
    assert.equal(at(found['workers'], 0, 'worker'), bob.account);
    assert.equal(found['attempts'], 2);
    assert.deepEqual(await events(world, task.id), [
      'task.published',
      'task.claimed',
      'attempt.refused',
      'task.claimed',
      'task.accepted',
    ]);
    assert.deepEqual(names(found['next']), [
      'tasks.accept',
      'tasks.dispute',
      'tasks.dispute',
      'tasks.comment',
    ]);
    assert.doesNotMatch(
      JSON.stringify(found),
      /claimToken":"[^<]/,
      'a token is the holder’s alone',
    );
  });

  it('shows a signer the calls that are its own', async () => {
    const { alice, bob } = world;
    const { id } = await publish(alice, { verification: 'requester' });
    const seenBy = async (agent: Pick<Agent, 'get'>) =>
      names(mustOk(await agent.get(`/api/v1/tasks/${id}`))['next']).join(' ');
    const all = 'tasks.claim tasks.start tasks.cancel tasks.comment';
    assert.equal(await seenBy(world.anyone), all);
    assert.equal(await seenBy(alice), 'tasks.cancel tasks.comment');
    assert.equal(await seenBy(bob), 'tasks.claim tasks.start tasks.comment');
    await claim(bob, id);
    assert.equal(await seenBy(alice), 'tasks.comment');
    assert.equal(await seenBy(bob), 'tasks.submit tasks.fail tasks.claim tasks.comment');
    assert.equal((await read(world, id))['contentIsUntrusted'], true);
  });

  it('is never older than the clock, though no job ran', async () => {
    const task = await publish(world.alice);
    await claim(world.bob, task.id);
    world.hub.clock.advance(1_799);
    assert.equal((await read(world, task.id))['state'], 'held');
    world.hub.clock.advance(1);
    const found = await read(world, task.id);
    assert.equal(found['state'], 'open');
    assert.equal(at(found['workers'], 0, 'state'), 'lapsed');
  });

  it('answers 404 for what is not there and 400 for what cannot be', async () => {
    const nobody = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await world.anyone.get(`/api/v1/tasks/${nobody}`), 404, 'not-found');
    mustRefuse(await world.anyone.get('/api/v1/tasks/nonsense'), 400, 'bad-path');
    mustRefuse(
      await act(world.bob, nobody, 'cancel', { requester: world.bob.account }),
      404,
      'not-found',
    );
  });
});
