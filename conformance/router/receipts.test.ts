import assert from 'node:assert/strict';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { charging, echo, startAgent } from './_agent.ts';
import * as place from './_fixture.ts';
import { call, list, receiptOf, type Body } from './_fixture.ts';

for (const [name, url] of place.DATABASES) {
  describe(`router.receipts (${name})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    const made: unknown[] = [];
    let agentId: string;
    before(async () => {
      const agent = await startAgent({ free: echo, paid: charging(() => '300') });
      world = await place.openRouterFixture(await url(), [agent.site.pair]);
      const holder = await world.agent();
      agentId = await list(world, agent, ['free', 'paid'], { holder });
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

    it('has every call of the signer as it was told, newest first', async () => {
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

    const narrowed = async (query: string): Promise<unknown[]> => {
      const seen: unknown[] = [];
      for (let cursor = ''; ;) {
        const { receipts, next } = await page(`?limit=1&${query}${cursor}`);
        seen.push(...(receipts as Body[]));
        if (next === undefined) return seen;
        cursor = `&after=${String(next)}`;
      }
    };
    const having = (fields: Body): unknown[] =>
      made.filter((each) =>
        Object.entries(fields).every(([name, value]) => (each as Body)[name] === value),
      );

    it('are those of one operation, of one listing or of both, page by page', async () => {
      const strange = '0123456789abcdef';
      assert.equal(having({ operation: 'paid' }).length, 2);
      assert.equal(having({ agentId }).length, 4);
      for (const fields of [
        { operation: 'paid' },
        { operation: 'none' },
        { operation: 'pai' },
        { agentId },
        { agentId: strange },
        { agentId, operation: 'free' },
        { agentId, operation: 'none' },
      ]) {
        const query = new URLSearchParams(fields).toString();
        assert.deepEqual(await narrowed(query), having(fields), query);
      }
    });

    it('refuses filters that can name no call', async () => {
      for (const query of ['agentId=x', 'operation=', 'agent=1']) {
        mustRefuse(await world.alice.get(`/api/v1/call/receipts?${query}`), 400, 'bad-request');
      }
      const others = mustOk(await world.bob.get(`/api/v1/call/receipts?agentId=${agentId}`));
      assert.deepEqual(others['receipts'], []);
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

    it("shows nobody else's calls, and each network for itself", async () => {
      assert.deepEqual(mustOk(await world.bob.get('/api/v1/call/receipts'))['receipts'], []);
      assert.deepEqual((await page('?network=play'))['receipts'], []);
      const unknown = await world.alice.get('/api/v1/call/receipts?network=moon');
      mustRefuse(unknown, 400, 'network-unknown');
      mustRefuse(await world.anyone.get('/api/v1/call/receipts'), 401, 'unsigned');
    });
  });
}
