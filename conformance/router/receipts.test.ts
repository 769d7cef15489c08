import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { charging, echo, startAgent } from './_agent.ts';
import * as place from './_fixture.ts';
import { call, list, receiptOf, type Body } from './_fixture.ts';

for (const [name, url] of DATABASES) {
  describe(`router.receipts (${name})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    const made: unknown[] = [];
    before(async () => {
      const agent = await startAgent({ free: echo, paid: charging(() => '300') });
      world = await place.openRouterFixture(await url(), [agent.site.pair]);
      const holder = await world.agent();
      const agentId = await list(world, agent, ['free', 'paid'], { holder });
      await world.fund(world.alice, '1000');
      for (const operation of ['free', 'paid', 'none', 'free', 'paid']) {
        const named = operation === 'none' ? {} : { agentId };
        const body = { ...named, operation, maxPrice: '300' };
        made.unshift(receiptOf(await call(world.alice, body)));
      }
    });
    after(async () => {
      await world.close();
      await closeSites();
    });
    const page = async (query = ''): Promise<Body> =>
      mustOk(await world.alice.get(`/api/v1/call/receipts${query}`));

    it('has every call of the signer as it was answered, newest first', async () => {
      const { receipts, count, limit, contentIsUntrusted } = await page();
      assert.deepEqual(receipts, made);
      assert.deepEqual([count, limit, contentIsUntrusted], [5, 50, true]);
      const costs = (receipts as Body[]).map((each) => [each['outcome'], each['cost']]);
      assert.deepEqual(costs, [
        ['served', '300'],
        ['served', '0'],
        ['none-suitable', '0'],
        ['served', '300'],
        ['served', '0'],
      ]);
    });

    it('lists the calls of one operation, and those that one listing answered', async () => {
      const all = made as readonly Body[];
      const paid = all.filter(({ operation }) => operation === 'paid');
      assert.deepEqual((await page('?operation=paid'))['receipts'], paid);
      const served = all.filter(({ outcome }) => outcome === 'served');
      const agentId = String(served[0]?.['agentId']);
      assert.deepEqual((await page(`?agentId=${agentId}`))['receipts'], served);
      const both = await page(`?agentId=${agentId}&operation=none`);
      assert.deepEqual([both['receipts'], both['count']], [[], 0]);
      const cut = await page('?operation=paid&limit=1');
      assert.deepEqual(cut['receipts'], paid.slice(0, 1));
      const rest = await page(`?operation=paid&limit=1&after=${String(cut['next'])}`);
      assert.deepEqual(rest['receipts'], paid.slice(1));
    });

    it('is read in pages', async () => {
      const seen: unknown[] = [];
      for (let before: unknown; ;) {
        const cursor = before === undefined ? '' : `&after=${String(before)}`;
        const { receipts, next } = await page(`?limit=2${cursor}`);
        seen.push(...(receipts as Body[]));
        if (next === undefined) break;
        before = next;
      }
      assert.deepEqual(seen, made);
    });

    it('shows the calls of the signer alone, and each network for itself', async () => {
      assert.deepEqual(mustOk(await world.bob.get('/api/v1/call/receipts'))['receipts'], []);
      assert.deepEqual((await page('?network=play'))['receipts'], []);
      const unknown = await world.alice.get('/api/v1/call/receipts?network=moon');
      mustRefuse(unknown, 400, 'network-unknown');
      mustRefuse(await world.anyone.get('/api/v1/call/receipts'), 401, 'unsigned');
    });
  });
}
