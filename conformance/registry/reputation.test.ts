import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import * as place from '../router/_fixture.ts';
import { list, type Body } from '../router/_fixture.ts';
import { accountOf, deposit, earn } from '../services/_lend.ts';

for (const [name, url] of DATABASES) {
  describe(`registry.reputation (${name})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    let holder: Agent;
    let agentId: string;
    const reputation = async (of = agentId): Promise<Body> =>
      mustOk(await world.anyone.get(`/api/v1/agents/${of}/reputation`));
    let payments = 0;
    const rate = async (by: Agent, rating: number, network = 'sandbox'): Promise<void> => {
      payments += 1;
      const payment = { to: holder.account, amount: '10000', network };
      const pay = { ...payment, idempotencyKey: `rate-${payments}` };
      const paid = mustOk(await by.post(`/api/v1/wallet/${by.account}/pay`, pay));
      const { transferId } = paid;
      const body = { reviewer: by.account, rating, transferId };
      mustOk(await by.post(`/api/v1/agents/${agentId}/reviews`, body));
    };
    before(async () => {
      world = await place.openRouterFixture(await url(), []);
      holder = await world.agent();
      agentId = await list(world, { endpoint: 'https://held.dev/mcp' }, ['convert'], { holder });
      for (const agent of [world.alice, world.bob]) {
        await world.fund(agent, '90000000');
        await deposit(world, accountOf(agent), 1_000_000n);
      }
    });
    after(() => world.close());

    it('is empty for a listing without a holder', async () => {
      const id = await list(world, { endpoint: 'https://free.dev/mcp' }, ['convert']);
      const found = await reputation(id);
      assert.ok(!('owner' in found));
      assert.deepEqual(found['karma'], { total: 0, tier: 'new' });
      assert.deepEqual(found['work'], { delivered: 0, accepted: 0, refused: 0, lapsed: 0 });
      assert.deepEqual(found['disputes'], { open: 0, won: 0, lost: 0, split: 0 });
      assert.equal(at(found, 'reviews', 'count'), 0);
      const nobody = await world.anyone.get(`/api/v1/agents/${'0'.repeat(16)}/reputation`);
      mustRefuse(nobody, 404, 'not-found');
    });

    it('adds up reviews, and is found by the key of the passport too', async () => {
      await rate(world.alice, 5);
      await rate(world.alice, 4);
      await rate(world.bob, 2);
      const found = await reputation();
      const { latest, ...sums } = found['reviews'] as Body;
      assert.deepEqual(sums, {
        count: 3,
        reviewers: 2,
        average: 3.6667,
        byRating: [0, 1, 0, 1, 1],
      });
      const ratings = (latest as Body[]).map((each) => each['rating']);
      assert.deepEqual(ratings, [2, 4, 5], 'newest first');
      assert.deepEqual(await reputation(holder.keyId), found);
    });

    it('moves karma by reviews that real money licenses', async () => {
      const karma = async (): Promise<unknown> => at(await reputation(), 'karma', 'total');
      assert.equal(await karma(), 0, 'test money rates and gives no karma');
      await rate(world.alice, 5, 'base');
      assert.equal(await karma(), 1);
      await rate(world.alice, 3, 'base');
      assert.equal(await karma(), 1);
      await rate(world.bob, 1, 'base');
      assert.equal(await karma(), 0);
      mustOk(await holder.get('/api/v1/me'));
      const entries = mustOk(await world.anyone.get(`/api/v1/passport/${holder.keyId}/karma`));
      assert.deepEqual(
        (entries['entries'] as Body[]).map((each) => [each['reason'], each['delta']]),
        [
          ['review.bad', -1],
          ['review.good', 1],
        ],
      );
    });

    it('shows the work of its holder', async () => {
      await earn(world.alice, holder);
      const found = await reputation();
      const work = { delivered: 1, accepted: 1, refused: 0, lapsed: 0, acceptanceRate: 1 };
      assert.deepEqual(found['work'], work);
      assert.equal(found['owner'], holder.account);
    });
  });
}
