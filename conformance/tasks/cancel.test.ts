import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, claim, money, publish, submit, type Body } from './_work.ts';

describe('tasks.cancel', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  after(() => world.close());

  const cancel = (id: string, over: Body = {}) =>
    act(world.alice, id, 'cancel', { requester: world.alice.account, ...over });

  it('gives the whole escrow back at once', async () => {
    const before = await money(world.alice);
    const task = await publish(world.alice);
    const body = mustOk(await cancel(task.id));
    assert.deepEqual(
      [body['state'], body['paymentState'], (body['refunded'] as Body)['amount']],
      ['withdrawn', 'none', '1000000'],
    );
    assert.deepEqual(await money(world.alice), before);
    mustRefuse(await cancel(task.id), 400, 'wrong-state');
  });

  it('refunds once however often it is retried', async () => {
    const task = await publish(world.alice);
    const first = mustOk(await cancel(task.id, { idempotencyKey: 'k' }));
    const again = mustOk(await cancel(task.id, { idempotencyKey: 'k' }));
    assert.deepEqual(again, { ...first, repeated: true });
  });

  it('leaves a task alone that a worker has or waits for', async () => {
    const { alice, bob } = world;
    const held = await publish(alice);
    await claim(bob, held.id);
    mustRefuse(await cancel(held.id), 400, 'already-claimed');
    const delivered = await publish(alice);
    mustOk(await submit(bob, delivered.id, 'x'));
    mustRefuse(await cancel(delivered.id), 400, 'solutions-pending');
    const offered = await publish(alice, { mode: 'open' });
    mustOk(await act(bob, offered.id, 'solution', { agentId: bob.account, result: 1 }));
    mustRefuse(await cancel(offered.id), 400, 'solutions-pending');
    const own = { requester: bob.account };
    mustRefuse(await act(bob, offered.id, 'cancel', own), 400, 'not-a-party');
  });

  it('races a claim, and one of the two wins', async () => {
    const bob = await world.agent();
    const task = await publish(world.alice);
    const [claimed, cancelled] = await Promise.all([
      act(bob, task.id, 'claim', { agentId: bob.account }),
      cancel(task.id),
    ]);
    const statuses = [claimed.status, cancelled.status].sort((a, b) => a - b);
    assert.deepEqual(statuses, [200, 400]);
  });
});
