import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { call, receiptOf } from '../router/_fixture.ts';
import { echo, startAgent, type ScriptedAgent } from '../router/_agent.ts';
import * as place from './_world.ts';
import { callsOf, newHolder, publish, type Body } from './_world.ts';

for (const [database, url] of DATABASES) {
  describe(`hosted.calls (${database})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    let holder: Agent;
    let agent: ScriptedAgent;
    let agentId: unknown;
    before(async () => {
      agent = await startAgent({ job: echo, free: echo });
      const free = { name: 'free', description: 'Free.' };
      const job = { name: 'job', description: 'Paid.', priceAtomic: '700' };
      agent.offer([free, job]);
      world = await place.openHostedFixture(await url(), [agent.site.pair]);
      holder = await newHolder(world);
      agentId = (await publish(holder, { endpoint: agent.endpoint, tools: [free, job] }))['id'];
    });
    after(async () => {
      await world.close();
      await closeSites();
    });

    it('has each call with its price and receipt, the totals, and no content', async () => {
      const caller = await world.agent();
      await world.fund(caller, '2000');
      const body = { agentId, operation: 'job', maxPrice: '700', arguments: { a: 'content' } };
      const receipt = receiptOf(await call(caller, body));
      agent.tools.set('job', (_, reply) => reply.send(500, {}));
      await call(caller, body);
      agent.tools.set('job', echo);
      const path = `/api/v1/hosted/${holder.keyId}/call`;
      mustOk(await world.anyone.post(path, { tool: 'free', arguments: { a: 'content' } }));
      const page = await callsOf(holder);
      const calls = page['calls'] as readonly Body[];
      assert.deepEqual(
        calls.map((each) => [each['caller'], each['tool'], each['price'], each['outcome']]),
        [
          ['visitor', 'free', '0', 'served'],
          [caller.account, 'job', '0', 'failed'],
          [caller.account, 'job', '700', 'served'],
        ],
      );
      assert.equal(calls[2]?.['receiptId'], receipt['id']);
      assert.deepEqual(page['totals'], {
        served: 2,
        failed: 1,
        refused: 0,
        earned: '700',
        asset: 'USDC',
        network: 'sandbox',
      });
      assert.ok(!JSON.stringify(page).includes('content'));
      assert.equal(at(page, 'live'), true);
    });

    it('keeps the last thousand, and counts all', async () => {
      const { store } = world.hub.running.hub;
      const template = { key_id: holder.keyId, at: 1, caller: 'visitor', tool: 'free', price: 0 };
      const rest = { outcome: 'served', why: 'It served.', duration_ms: 1, receipt_id: null };
      const rows = Array.from({ length: 1_100 }, (_, nth) => {
        const id = `00000000-0000-7000-8000-${String(nth).padStart(12, '0')}`;
        return { id, ...template, ...rest };
      });
      await store.write(async (tx) => {
        for (let from = 0; from < rows.length; from += 50) {
          await tx.knex('hosted_calls').insert(rows.slice(from, from + 50));
        }
      });
      await world.hub.runJob('hostedTrim');
      const kept = await store.read((db) =>
        db.knex('hosted_calls').where({ key_id: holder.keyId }),
      );
      assert.equal(kept.length, 1_000);
      assert.equal(at(await callsOf(holder), 'calls', 0, 'caller'), 'visitor');
    });

    it('is for the holder alone', async () => {
      const stranger = await world.agent();
      const path = (key: string): string => `/api/v1/hosted/${key}/calls`;
      mustRefuse(await stranger.get(path(holder.keyId)), 400, 'key-not-bound');
      mustOk(await stranger.post('/api/v1/passport', { keyId: stranger.keyId }));
      mustRefuse(await stranger.get(path(stranger.keyId)), 404, 'not-found');
      mustRefuse(await world.anyone.get(path(holder.keyId)), 401, 'unsigned');
    });
  });
}
