import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { joinAccount } from '../harness/agents.ts';
import { openScripted, takeDown, type Scripted } from './_scripted.ts';
import * as place from './_world.ts';
import { publish, type Body } from './_world.ts';

for (const [database, url] of DATABASES) {
  describe(`hosted.list (${database})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let desk: Scripted;
    before(async () => {
      desk = await openScripted(await url(), 3);
    });
    after(() => desk.close());
    const listOf = async (agent: { get: (path: string) => Promise<unknown> }, query = '') =>
      mustOk((await agent.get(`/api/v1/hosted${query}`)) as never) as Body;

    it('has the listing of the account with its state, tools, prices and totals', async () => {
      const { world, listed } = desk;
      const { holder, listing } = await listed(0, { name: 'Echo' });
      mustOk(
        await world.anyone.post(`/api/v1/hosted/${holder.keyId}/call`, {
          tool: 'free',
          arguments: {},
        }),
      );
      const page = await listOf(holder);
      assert.deepEqual([page['count'], page['hasMore'], page['next']], [1, false, undefined]);
      const entry = at(page, 'listings', 0) as Body;
      assert.deepEqual(
        [entry['id'], entry['owner'], entry['keyId'], entry['name'], entry['live']],
        [listing['id'], holder.account, holder.keyId, 'Echo', true],
      );
      assert.deepEqual(entry['tools'], [{ name: 'free' }, { name: 'job', priceAtomic: '700' }]);
      assert.equal(at(entry, 'totals', 'served'), 1);
      for (const name of ['listedEndpoint', 'a2aEndpoint', 'cardUrl', 'endpoint']) {
        assert.equal(entry[name], listing[name]);
      }
      assert.equal(entry['takenDownAt'], undefined);
    });

    it('pages over the keys of one account, and marks what was taken down', async () => {
      const { world, agents, listed } = desk;
      const { holder } = await listed(1);
      const second = await world.agent();
      mustOk(await joinAccount(holder, second));
      await world.fund(holder, '250000');
      const tools = [{ name: 'free', description: 'Free.' }];
      const offer = { endpoint: agents[2]?.endpoint, tools, keyId: second.keyId };
      await publish(holder, offer);
      const first = await listOf(holder, '?limit=1');
      assert.deepEqual([first['count'], first['hasMore']], [1, true]);
      const next = await listOf(holder, `?limit=1&after=${String(first['next'])}`);
      assert.deepEqual([next['count'], next['hasMore']], [1, false]);
      const keys = [at(first, 'listings', 0, 'keyId'), at(next, 'listings', 0, 'keyId')];
      assert.deepEqual(keys, [holder.keyId, second.keyId].sort());
      mustOk(await takeDown(holder));
      const both = (await listOf(holder))['listings'] as readonly Body[];
      const down = both.filter(({ takenDownAt }) => takenDownAt !== undefined);
      assert.deepEqual(
        down.map(({ keyId, live }) => [keyId, live]),
        [[holder.keyId, false]],
      );
    });

    it('shows another account its own listings alone, and nothing unsigned', async () => {
      const { world } = desk;
      const stranger = await world.agent();
      assert.deepEqual((await listOf(stranger))['listings'], []);
      mustRefuse(await world.anyone.get('/api/v1/hosted'), 401, 'unsigned');
    });
  });
}
