import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { DATABASES, sharedPostgres } from '../harness/databases.ts';
import { startHub } from '../harness/hub.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { SUITE_MS_MAX } from '../services/_lend.ts';
import { act, claim, names, publish, RULE, type Body } from './_work.ts';
import { deliverTrial, doJobs, fundWelcome, standing } from './_welcome.ts';

const START_MS_MAX = 30_000;
for (const [name, url] of DATABASES) {
  describe(`tasks.welcome (${name})`, () => {
    let world: Fixture;
    beforeEach(async function start() {
      this.timeout(START_MS_MAX);
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '10000000');
    });
    afterEach(() => world.close());

    const onBase = async (agent: Agent): Promise<unknown> =>
      mustOk(await agent.get(`/api/v1/wallet/${agent.account}?network=base`))['balance'];
    const ready = async (agent: Agent): Promise<void> => {
      await doJobs(world.alice, agent, 3);
      mustOk(await deliverTrial(agent));
    };

    it('goes from earning to trial-needed to unfunded to paid, once', async () => {
      const { alice, bob, hub } = world;
      const first = await standing(world, bob);
      assert.deepEqual(first['jobs'], { done: 0, need: 3, counted: [] });
      assert.deepEqual(
        [first['state'], first['amount'], first['network']],
        ['earning', '100000', 'base'],
      );
      assert.deepEqual(names(first['next']), ['tasks.claimNext', 'tasks.trial']);
      await doJobs(alice, bob, 2);
      assert.equal((await standing(world, bob))['state'], 'earning');
      await doJobs(alice, bob, 1);
      const needed = await standing(world, bob);
      assert.deepEqual([needed['state'], names(needed['next'])], ['trial-needed', ['tasks.trial']]);
      mustOk(await deliverTrial(bob));
      assert.equal((await standing(world, bob))['state'], 'unfunded', 'no money on base yet');
      await hub.runJob('welcomeBonus');
      await fundWelcome(world, 250_000n);
      assert.equal((await standing(world, bob))['state'], 'queued');
      await hub.runJob('welcomeBonus');
      await hub.runJob('welcomeBonus');
      const paid = await standing(world, bob);
      assert.deepEqual([paid['state'], paid['next']], ['paid', []]);
      assert.ok(paid['transferId'] !== undefined && paid['paidAt'] !== undefined);
      assert.equal(await onBase(bob), '100000');
      await doJobs(alice, bob, 1);
      await hub.runJob('welcomeBonus');
      assert.equal(await onBase(bob), '100000', 'once');
    });

    it('counts accepted jobs while their window runs, and none that is disputed', async () => {
      const worker = await world.agent();
      const ids: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const over = { acceptance: RULE, disputeWindowSeconds: 3_600, rewardAmount: '10000' };
        const { id } = await publish(world.alice, over);
        const claimToken = await claim(worker, id);
        mustOk(await act(worker, id, 'submit', { claimToken, result: 'done' }));
        ids.push(id);
      }
      const done = async () => at(await standing(world, worker), 'jobs', 'done');
      assert.equal(await done(), 3);
      mustOk(await deliverTrial(worker));
      assert.equal((await standing(world, worker))['state'], 'unfunded', 'in line before any pay');
      const raised = { raisedBy: world.alice.account, reason: 'It is not what I asked for.' };
      mustOk(await act(world.alice, ids[0] ?? '', 'dispute', raised));
      assert.equal(await done(), 2);
    });

    it('counts no job for a linked requester, and pays none that a link took away', async () => {
      const { alice, hub } = world;
      const [bob, carol] = [await world.agent(), await world.agent()];
      await fundWelcome(world, 1_000_000n);
      await ready(bob);
      await ready(carol);
      const line = (): Promise<Body> => standing(world, carol);
      assert.equal((await line())['state'], 'queued');
      const { store } = hub.running.hub;
      const link = { account: carol.account };
      await store.write((tx) => tx.knex('keys').where({ key_id: alice.keyId }).update(link));
      assert.equal((await line())['state'], 'earning');
      await hub.runJob('welcomeBonus');
      assert.deepEqual([await onBase(bob), await onBase(carol)], ['100000', '0']);
    });

    it('pays three a day for one site, in the order of the line, and the rest on later days', async () => {
      const { hub } = world;
      await fundWelcome(world, 1_000_000n);
      const agents = await Promise.all(Array.from({ length: 5 }, () => world.agent()));
      for (const agent of agents) {
        await ready(agent);
        hub.clock.advance(1);
      }
      const states = async (): Promise<readonly unknown[]> => {
        await hub.runJob('welcomeBonus');
        const found: unknown[] = [];
        for (const agent of agents) found.push((await standing(world, agent))['state']);
        return found;
      };
      assert.deepEqual(await states(), ['paid', 'paid', 'paid', 'queued', 'queued']);
      hub.clock.advance(86_400);
      const day = Math.floor(hub.clock.now() / 86_400_000) * 86_400_000;
      const { store } = hub.running.hub;
      await store.write((tx) => tx.knex('welcome_days').insert({ day, paid: 100 }));
      assert.deepEqual((await states()).slice(3), ['queued', 'queued'], 'the budget of the day');
      hub.clock.advance(86_400);
      assert.deepEqual(await states(), ['paid', 'paid', 'paid', 'paid', 'paid']);
    });
  });
}

describe('welcome bonuses of two processes on one PostgreSQL', function suite() {
  this.timeout(SUITE_MS_MAX);

  it('are paid once each, and to no more of one site than a day has', async () => {
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    const world = await openFixture({ databaseUrl });
    const other = await startHub({ databaseUrl, clock: world.hub.clock });
    await world.fund(world.alice, '10000000');
    await fundWelcome(world, 1_000_000n);
    const agents = await Promise.all(Array.from({ length: 5 }, () => world.agent()));
    for (const agent of agents) {
      await doJobs(world.alice, agent, 3);
      mustOk(await deliverTrial(agent));
    }
    const hubs = [world.hub, other, world.hub, other];
    await Promise.all(hubs.map((hub) => hub.runJob('welcomeBonus')));
    const states: unknown[] = [];
    for (const agent of agents) states.push((await standing(world, agent))['state']);
    assert.deepEqual(states.sort(), ['paid', 'paid', 'paid', 'queued', 'queued']);
    await other.close();
    await world.close();
  });
});
