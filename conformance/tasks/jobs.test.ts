import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, claim, events, money, publish, read, RULE, submit, type Body } from './_work.ts';

describe('tasks by the clock', () => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  afterEach(() => world.close());

  it('ends a lease, and no late delivery passes whether the job ran or not', async () => {
    const { alice, bob, hub } = world;
    for (const ran of [true, false]) {
      const task = await publish(alice, { acceptance: RULE });
      const claimToken = await claim(bob, task.id);
      hub.clock.advance(1_800);
      if (ran) await hub.runJob('leaseExpiry');
      const late = await act(bob, task.id, 'submit', { claimToken, result: 'done' });
      mustRefuse(late, 400, 'lease-over');
      assert.deepEqual(await events(world, task.id), [
        'task.published',
        'task.claimed',
        'attempt.lapsed',
      ]);
    }
  });

  it('accepts silence and pays after the window, each job once however often it runs', async () => {
    const { alice, bob, hub } = world;
    const windows = { autoAcceptSeconds: 3_600, disputeWindowSeconds: 600 };
    const task = await publish(alice, windows);
    mustOk(await submit(bob, task.id, 'x'));
    const all = async (): Promise<unknown> => {
      for (const job of ['leaseExpiry', 'autoAccept', 'payoutRelease', 'deadlineExpiry']) {
        await hub.runJob(job);
        await hub.runJob(job);
      }
      return (await read(world, task.id))['state'];
    };
    hub.clock.advance(3_599);
    assert.equal(await all(), 'delivered');
    hub.clock.advance(1);
    assert.equal(await all(), 'accepted');
    hub.clock.advance(599);
    assert.equal(await all(), 'accepted');
    hub.clock.advance(1);
    assert.equal(await all(), 'paid');
    assert.deepEqual(await money(bob), ['970000', '0', '970000']);
    assert.deepEqual((await events(world, task.id)).slice(-2), ['task.auto-accepted', 'task.paid']);
  });

  it('gives everybody the whole dispute window, however long the hub slept', async () => {
    const { alice, bob, hub } = world;
    const task = await publish(alice, { autoAcceptSeconds: 60 });
    mustOk(await submit(bob, task.id, 'x'));
    hub.clock.advance(5 * 86_400);
    const found = await read(world, task.id);
    assert.equal(found['state'], 'accepted');
    assert.equal(Date.parse(String(at(found['next'], 0, 'until'))) - hub.clock.now(), 86_400_000);
  });

  it('expires and refunds an untaken task', async () => {
    const { alice, hub } = world;
    const task = await publish(alice);
    hub.clock.advance(7 * 86_400);
    await hub.runJob('deadlineExpiry');
    assert.deepEqual(await money(alice), ['10000000', '0', '10000000']);
    assert.equal((await read(world, task.id))['state'], 'expired');
  });

  it('marks a delivery that was ignored and refunds', async () => {
    const { alice, bob, hub } = world;
    const task = await publish(alice);
    mustOk(await submit(bob, task.id, 'x'));
    hub.clock.advance(7 * 86_400 + 72 * 3_600 - 1);
    await hub.runJob('deadlineExpiry');
    assert.equal((await read(world, task.id))['state'], 'delivered');
    hub.clock.advance(1);
    await hub.runJob('deadlineExpiry');
    assert.deepEqual((await events(world, task.id)).slice(-2), [
      'delivery.ignored',
      'task.expired',
    ]);
    assert.deepEqual(await money(alice), ['10000000', '0', '10000000']);
  });

  it('stocks twenty starter tasks and pays one per account, after 60 seconds', async () => {
    const { bob, hub } = world;
    const shelf = async (): Promise<Body[]> => {
      const query = '?requester=hub:starter&state=open';
      return mustOk(await world.anyone.get(`/api/v1/tasks${query}`))['tasks'] as Body[];
    };
    await hub.runJob('starterRestock');
    await hub.runJob('starterRestock');
    const [first, second] = await shelf();
    assert.equal((await shelf()).length, 20);
    const id = String(first?.['id']);
    const claimToken = await claim(bob, id);
    const other = await act(bob, String(second?.['id']), 'claim', { agentId: bob.account });
    mustRefuse(other, 400, 'starter-used');
    const body = mustOk(await act(bob, id, 'submit', { claimToken, result: 'hi welcome-7' }));
    assert.equal(body['outcome'], 'waiting');
    hub.clock.advance(60);
    await hub.runJob('autoAccept');
    assert.deepEqual(await money(bob), ['48500', '0', '48500']);
    const again = await act(bob, String(second?.['id']), 'claim', { agentId: bob.account });
    mustRefuse(again, 400, 'starter-used');
    const idle = mustOk(await bob.post('/api/v1/tasks/claim', {}));
    assert.equal(idle['work'], null, 'the queue does not offer a second one');
    await hub.runJob('starterRestock');
    assert.equal((await shelf()).length, 20);
  });
});
