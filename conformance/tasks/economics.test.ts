import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, money, publish, RULE, submit, type Body } from './_work.ts';

describe('tasks.economics', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  after(() => world.close());

  const economics = async (id: string): Promise<Body> =>
    mustOk(await world.anyone.get(`/api/v1/tasks/${id}/economics`));
  const shares = (body: Body): unknown =>
    Object.fromEntries(
      (body['settled'] as Body[]).map(({ to, amount, why }) => [why, [to, amount]]),
    );

  const splits: readonly (readonly [string, string, string])[] = [
    ['1000000', '30000', '970000'],
    ['1234567', '37037', '1197530'],
    ['1000', '30', '970'],
    ['1033', '30', '1003'],
  ];
  for (const [reward, hub, worker] of splits) {
    it(`pays ${worker} of ${reward}, the dust to the worker`, async () => {
      const task = await publish(world.alice, { rewardAmount: reward, acceptance: RULE });
      const open = await economics(task.id);
      assert.deepEqual([open['posted'], at(open, 'held', 'kind')], [reward, 'task']);
      assert.deepEqual([at(open, 'plan', 'hub'), at(open, 'plan', 'worker')], [hub, worker]);

      await submit(world.bob, task.id, 'done');
      const waiting = await economics(task.id);
      assert.deepEqual(waiting['settled'], [], 'nothing moves at acceptance');

      world.hub.clock.advance(86_400);
      const until = new Date(world.hub.clock.now()).toISOString();
      assert.deepEqual(waiting['held'], { kind: 'payout', amount: reward, until });
      const paid = await economics(task.id);
      assert.deepEqual(
        [paid['state'], paid['held'], paid['plan'], paid['posted']],
        ['paid', undefined, undefined, reward],
      );
      assert.deepEqual(shares(paid), {
        'task.fee.hub': ['hub:fees', hub],
        'task.reward': [world.bob.account, worker],
      });
    });
  }

  it('says what was refunded and why', async () => {
    const { alice } = world;
    const before = await money(alice);
    const task = await publish(alice, { rewardAmount: '5000' });
    mustOk(await act(alice, task.id, 'cancel', { requester: alice.account }));
    const body = await economics(task.id);
    assert.deepEqual(
      [at(body, 'refunded', 'amount'), at(body, 'refunded', 'why'), body['settled']],
      ['5000', 'task.withdrawn', []],
    );
    assert.deepEqual(await money(alice), before);
  });

  it('keeps the share of a panel that may yet judge out of the promise', async () => {
    const task = await publish(world.alice, { verification: 'validator' });
    const body = await economics(task.id);
    assert.deepEqual(
      ['hub', 'judges', 'worker'].map((part) => at(body, 'plan', part)),
      ['30000', '10000', '960000'],
    );
    assert.deepEqual(body['feesBps'], { hubBps: 300, judgesBps: 100 });
  });

  it('knows no money on unpaid work', async () => {
    const task = await publish(world.bob, { rewardAmount: undefined });
    const body = await economics(task.id);
    assert.deepEqual([body['posted'], body['held'], body['plan']], ['0', undefined, undefined]);
    const nobody = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await world.anyone.get(`/api/v1/tasks/${nobody}/economics`), 404, 'not-found');
  });
});
