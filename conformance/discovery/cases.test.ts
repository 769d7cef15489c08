import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { SUITE_MS_MAX } from '../services/_lend.ts';
import { act, publish } from '../tasks/_work.ts';
import { casesOf, earnOnce, recorded } from './_caseWorld.ts';

for (const [name, url] of DATABASES) {
  describe(`discovery.cases (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '10000000');
    });
    after(() => world.close());

    it('is empty before the first earning', async () => {
      await recorded(world);
      assert.deepEqual(await casesOf(world), []);
    });

    it('counts equal ways together, each account once, with the best run', async () => {
      const { bob } = world;
      const carol = await world.agent();
      await earnOnce(world, bob);
      await earnOnce(world, bob, '300000');
      await earnOnce(world, carol);
      await recorded(world);
      await recorded(world);
      const [only, ...more] = await casesOf(world);
      assert.equal(more.length, 0);
      assert.deepEqual(only?.['operations'], ['tasks.claim', 'tasks.submit', 'task.reward']);
      assert.deepEqual(
        [only['family'], only['networkKind'], only['times'], only['accounts'], only['stepCount']],
        ['task', 'test', 3, 2, 3],
      );
      assert.deepEqual(only['best'], {
        earned: '291000',
        cost: '0',
        net: '291000',
        asset: 'USDC',
        network: 'sandbox',
      });
    });

    it('lists another way as its own case, with its cost', async () => {
      const { alice } = world;
      const dave = await world.agent();
      await world.fund(dave, '500000');
      const pay = { to: alice.account, amount: '1000', idempotencyKey: 'case-1' };
      mustOk(await dave.post(`/api/v1/wallet/${dave.account}/pay`, pay));
      const open = await publish(alice, {
        mode: 'open',
        verification: 'requester',
        rewardAmount: '20000',
      });
      world.hub.clock.advance(1);
      mustOk(await act(dave, open.id, 'solution', { agentId: dave.account, result: 'x' }));
      mustOk(await act(alice, open.id, 'accept', { requester: alice.account }));
      await recorded(world);
      const [newest] = await casesOf(world);
      assert.deepEqual(newest?.['operations'], ['wallet.pay', 'tasks.solution', 'task.reward']);
      assert.deepEqual(
        [at(newest, 'best', 'earned'), at(newest, 'best', 'cost'), at(newest, 'best', 'net')],
        ['19400', '1000', '18400'],
      );
    });

    it('orders, filters and pages', async () => {
      const ids = async (query: string): Promise<readonly unknown[]> =>
        (await casesOf(world, query)).map(({ id }) => id);
      const [newest, oldest] = await ids('');
      assert.deepEqual(await ids('?order=first'), [oldest, newest]);
      assert.deepEqual(await ids('?order=best'), [oldest, newest]);
      assert.deepEqual(await ids('?order=times'), [oldest, newest]);
      assert.equal((await ids('?order=steps')).length, 2);
      assert.deepEqual(await ids('?family=bet'), []);
      assert.equal((await ids('?family=task')).length, 2);
      const page = mustOk(await world.anyone.get('/api/v1/cases?limit=1'));
      assert.deepEqual([page['hasMore'], page['next'], page['count']], [true, '1', 1]);
      for (const query of ['offset=1', 'after=1', 'offset=7&after=1']) {
        assert.deepEqual(await ids(`?limit=1&${query}`), [oldest], query);
      }
    });
  });
}
