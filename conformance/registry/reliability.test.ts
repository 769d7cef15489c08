import assert from 'node:assert/strict';
import { exchangeNow } from '../../db/predictions/numbers.ts';
import { instant } from '../../domain/instant.ts';
import { DATABASES } from '../harness/databases.ts';
import type { Agent } from '../harness/agents.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { charging, echo, startAgent, text, type ScriptedAgent } from '../router/_agent.ts';
import * as place from '../router/_fixture.ts';
import { call, list, type Body } from '../router/_fixture.ts';

const DAY = 86_400;
const HOUR_MS = 3_600_000;

for (const [name, url] of DATABASES) {
  describe(`registry.reliability (${name})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    let agent: ScriptedAgent;
    let agentId: string;
    let holder: Agent;
    const measured = async (): Promise<Body> =>
      mustOk(await world.anyone.get(`/api/v1/agents/${agentId}/reliability`));
    const calls = (operation: string, by: Agent, times: number): Promise<unknown> =>
      Promise.all(Array.from({ length: times }, () => call(by, { agentId, operation })));
    before(async () => {
      agent = await startAgent({
        works: echo,
        fails: (_, reply) => reply.result({ ...text('Broken.'), isError: true }),
        asks: charging(() => '77'),
        locked: (_, reply) => reply.send(401, {}),
        drops: (_, reply) => void reply.response.destroy(),
      });
      world = await place.openRouterFixture(await url(), [agent.site.pair]);
      holder = await world.agent();
      agentId = await list(world, agent, ['works', 'fails', 'asks', 'locked', 'drops'], { holder });
    });
    after(async () => {
      await world.close();
      await closeSites();
    });

    it('is all zeros before the first call, and 404 for an unknown listing', async () => {
      const none = await measured();
      assert.equal(at(none, 'ever', 'calls'), 0);
      assert.ok(!('okRate' in (none['ever'] as Body)) && !('firstCallAt' in none));
      const nobody = await world.anyone.get(`/api/v1/agents/${'0'.repeat(16)}/reliability`);
      mustRefuse(nobody, 404, 'not-found');
    });

    it('counts each end of a call, by operation, and how many called', async () => {
      await calls('works', world.alice, 3);
      await calls('works', world.bob, 1);
      await calls('fails', world.alice, 2);
      await calls('asks', world.alice, 1);
      await calls('locked', world.alice, 1);
      await calls('drops', world.alice, 1);
      const found = await measured();
      const { latencyMs, ...tally } = found['last30Days'] as Body;
      assert.deepEqual(tally, {
        calls: 9,
        ok: 4,
        failed: 2,
        timedOut: 1,
        quoted: 1,
        keyNeeded: 1,
        callers: 2,
        okRate: 0.5714,
      });
      assert.deepEqual(Object.keys(latencyMs as Body), ['p50', 'p95']);
      const [most] = found['operations'] as Body[];
      assert.equal(most?.['operation'], 'works');
      assert.equal(at(most, 'tally', 'okRate'), 1);
    });

    it('keeps calls of the holder out of every figure but one', async () => {
      const before = await measured();
      await calls('works', holder, 2);
      const after = await measured();
      assert.deepEqual(after['last30Days'], before['last30Days']);
      assert.equal(after['linked30Days'], 2);
    });

    it('counts breaches of rules of callers apart, once by caller and day', async () => {
      const dayOfCalls = instant(world.hub.clock.now() + HOUR_MS);
      const exchanged = async (): Promise<Body> =>
        world.hub.running.hub.store.read(async (db) => ({
          ...(await exchangeNow(db, dayOfCalls)),
        }));
      const tallies = async (): Promise<readonly Body[]> => {
        const { last30Days, ever, operations } = await measured();
        const [most] = operations as Body[];
        return [last30Days as Body, ever as Body, most?.['tally'] as Body, await exchanged()];
      };
      const before = await tallies();
      const accept = { kind: 'contains', values: ['what no answer has'] };
      const breaks = async (...callers: readonly Agent[]): Promise<void> => {
        for (const by of callers) {
          const answer = await call(by, { agentId, operation: 'works', accept });
          assert.equal(at(answer, 'receipt', 'unmet', 'by'), 'acceptance');
        }
      };
      const counted = async (brokenRules: number): Promise<void> => {
        const [lately, ever, most, elsewhere] = before;
        assert.deepEqual(await tallies(), [
          { ...lately, brokenRules },
          { ...ever, brokenRules },
          { ...most, brokenRules },
          elsewhere,
        ]);
      };
      await breaks(world.alice, world.alice, world.bob, world.alice, world.bob, holder);
      await counted(2);
      const kept = { kind: 'contains', values: ['{}'] };
      world.hub.clock.advance(DAY);
      await breaks(world.bob, world.bob);
      await counted(3);
      await call(world.bob, { agentId, operation: 'fails', accept: kept });
      assert.equal(at(await measured(), 'last30Days', 'failed'), 3);
    });

    it('shows its use on the listing, and forgets it after thirty days', async () => {
      const shown = async (): Promise<unknown> =>
        at(mustOk(await world.anyone.get(`/api/v1/agents/${agentId}`)), 'use');
      await world.hub.runJob('callUse');
      assert.deepEqual(await shown(), { calls30d: 10, callers30d: 2 });
      await world.hub.runJob('callUse');
      assert.deepEqual(await shown(), { calls30d: 10, callers30d: 2 });
      world.hub.clock.advance(30 * DAY + 1);
      await world.hub.runJob('callUse');
      assert.deepEqual(await shown(), { calls30d: 0, callers30d: 0 });
      const found = await measured();
      assert.deepEqual([at(found, 'last30Days', 'calls'), at(found, 'ever', 'calls')], [0, 10]);
    });
  });
}
