import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { lockCodes } from '../../db/registry/origins.ts';
import { listingCode } from '../../domain/registry/code.ts';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { ScriptedAgent } from '../router/_agent.ts';
import { call, receiptOf, SUITE_MS_MAX } from '../router/_fixture.ts';
import {
  claim,
  claimEndpoint,
  DAY,
  holderOf,
  idsOf,
  list,
  openStreet,
  prove,
  type Body,
  type Street,
} from './_domains.ts';

for (const [name, url] of DATABASES) {
  describe(`passport.claim of a listing that moved (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let street: Street;
    beforeEach(async () => {
      const quote = {
        quote: (_: unknown, reply: { result(value: unknown): void }) =>
          reply.result({ content: [] }),
      };
      street = await openStreet(await url(), { tools: quote });
    });
    afterEach(() => street.close());

    const move = (agent: Agent, agentId: string, formerly: string) =>
      agent.post('/api/v1/passport/claim', { keyId: agent.keyId, agentId, formerly });
    const record = async (id: string): Promise<Body> =>
      mustOk(await street.world.anyone.get(`/api/v1/agents/${id}`));
    const codeOf = ({ site }: ScriptedAgent): string =>
      listingCode('mcp', new URL(site.url).origin);

    /** Has the crawler look at an agent, as its owner would. */
    async function look(home: ScriptedAgent): Promise<void> {
      const { world } = street;
      world.hub.clock.advance(DAY);
      mustOk(await world.anyone.post('/api/v1/agents', { url: home.endpoint, kind: 'mcp' }), 202);
      await world.hub.runJob('crawl');
    }

    it('keeps its code, its trail and its holder; the new host’s code names it too', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      const [before, after] = homes;
      await look(before);
      await look(after);
      const [old, fresh] = [codeOf(before), codeOf(after)];
      const { firstSeenAt } = await record(old);
      await prove(alice, before);
      await prove(alice, after);
      mustOk(await claim(alice, old));

      const kept = mustOk(await move(alice, fresh, old));
      assert.deepEqual(idsOf(kept), [old]);
      assert.deepEqual(idsOf(mustOk(await move(alice, fresh, old))), [old], 'said again');
      const moved = await record(old);
      assert.equal(moved['endpoint'], after.endpoint);
      assert.equal(moved['firstSeenAt'], firstSeenAt);
      assert.deepEqual(await record(fresh), moved);
      assert.deepEqual(await holderOf(world, old), [alice.keyId, 'well-known', 5]);
      const listed = mustOk(await world.anyone.get('/api/v1/agents'));
      assert.deepEqual((listed['agents'] as Body[]).length, 1);
      await world.fund(bob, '100000');
      const receipt = receiptOf(await call(bob, { operation: 'quote', agentId: old }));
      assert.deepEqual([receipt['outcome'], at(receipt, 'agentId')], ['served', old]);
      assert.equal(after.calls.length, 1);
    });

    it('keeps it at every later crawl; a newcomer at the old host gets another', async () => {
      const { world, homes } = street;
      const { alice } = world;
      const [before, after] = homes;
      await look(before);
      await look(after);
      const [old, fresh] = [codeOf(before), codeOf(after)];
      await prove(alice, before);
      await prove(alice, after);
      mustOk(await claim(alice, old));
      mustOk(await move(alice, fresh, old));

      await look(after);
      await look(before);
      const ids = (mustOk(await world.anyone.get('/api/v1/agents'))['agents'] as Body[]).map(
        (each) => [each['id'], each['endpoint']] as const,
      );
      assert.equal(ids.length, 2);
      assert.equal(new Map(ids).get(old), after.endpoint);
      const [newcomer] = ids.filter(([id]) => id !== old);
      assert.equal(newcomer?.[1], before.endpoint);
      assert.notEqual(newcomer?.[0], fresh);
      // A look that began before the move may end after it.
      const { store } = world.hub.running.hub;
      const codes = (home: ScriptedAgent): Promise<ReadonlySet<string>> =>
        store.write((tx) => lockCodes(tx, new URL(home.site.url).origin, [old, fresh]));
      assert.deepEqual([...(await codes(after))], [old]);
      assert.deepEqual([...(await codes(before))], []);
    });

    it('does not carry a code to a host that is held by a text alone', async () => {
      const { world, homes } = street;
      const { alice } = world;
      const [before, after] = homes;
      const [old, fresh] = [
        await list(world, before, ['quote']),
        await list(world, after, ['quote']),
      ];
      await prove(alice, before);
      mustOk(await claim(alice, old));
      after.opening.instructions = `hub-key=${alice.keyId}`;
      mustOk(await claimEndpoint(alice, fresh));
      mustRefuse(await move(alice, fresh, old), 400, 'domain-not-proved');
      for (const id of [old, fresh]) assert.equal((await record(id))['id'], id);
      await prove(alice, after);
      assert.deepEqual(idsOf(mustOk(await move(alice, fresh, old))), [old]);
    });

    it('refuses what is not the owner’s former listing, and changes nothing', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      const [before, after] = homes;
      const old = await list(world, before, ['quote']);
      const fresh = await list(world, after, ['quote']);
      await prove(alice, after);
      const without = { keyId: alice.keyId, formerly: old };
      const unnamed = await alice.post('/api/v1/passport/claim', without);
      mustRefuse(unnamed, 404, 'not-found');
      mustRefuse(await move(alice, fresh, 'f'.repeat(16)), 404, 'not-found');
      mustRefuse(await move(alice, fresh, old), 400, 'domain-not-proved');
      before.opening.instructions = `hub-key=${alice.keyId}`;
      mustOk(await claimEndpoint(alice, old));
      mustRefuse(await move(alice, fresh, old), 400, 'domain-not-proved');
      await prove(bob, before);
      mustOk(await claim(bob, old));
      mustRefuse(await move(alice, fresh, old), 400, 'listing-held');
      const { origin } = new URL(before.endpoint);
      const other = {
        kind: 'a2a',
        id: listingCode('a2a', origin),
        endpoint: `${origin}/a2a`,
      } as const;
      await list(world, other, ['quote'], { listing: other });
      await list(world, after, ['quote']);
      mustOk(await claim(bob, other.id));
      await prove(bob, homes[2]);
      const third = await list(world, homes[2], ['quote']);
      mustRefuse(await move(bob, third, other.id), 400, 'not-together');
      const further = { id: 'c'.repeat(16), endpoint: `${homes[2].site.url}/two` };
      await list(world, further, ['quote'], { listing: { ...further, group: further.endpoint } });
      mustRefuse(await move(bob, further.id, old), 400, 'not-together');
      for (const id of [old, fresh, third, other.id]) assert.equal((await record(id))['id'], id);
    });
  });
}
