import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, claim, publish, read } from './_work.ts';

describe('tasks.fail', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  after(() => world.close());

  it('puts the task back at once, costs no attempt and no wait', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, { maxAttempts: 1 });
    const claimToken = await claim(bob, task.id);
    const body = mustOk(await act(bob, task.id, 'fail', { claimToken, reason: 'a login' }));
    assert.deepEqual([body['state'], body['paymentState']], ['open', 'escrowed']);
    assert.deepEqual(
      [at(body['attempts'], 0, 'state'), at(body['attempts'], 0, 'reason')],
      ['failed', 'a login'],
    );
    await claim(bob, task.id);
    assert.equal((await read(world, task.id))['attempts'], 2);
  });

  it('refuses a dead token, and another worker’s', async () => {
    const { alice, bob } = world;
    const task = await publish(alice);
    const claimToken = await claim(bob, task.id);
    mustRefuse(await act(alice, task.id, 'fail', { claimToken }), 400, 'not-a-party');
    mustRefuse(await act(bob, task.id, 'fail', { claimToken: 'none' }), 400, 'claim-token');
    mustOk(await act(bob, task.id, 'fail', { claimToken }));
    mustRefuse(await act(bob, task.id, 'fail', { claimToken }), 400, 'claim-token');
    const later = await claim(bob, task.id);
    world.hub.clock.advance(1_800);
    mustRefuse(await act(bob, task.id, 'fail', { claimToken: later }), 400, 'lease-over');
  });
});
