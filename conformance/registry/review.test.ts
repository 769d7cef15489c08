import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import type { Agent } from '../harness/agents.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { charging, startAgent, type ScriptedAgent } from '../router/_agent.ts';
import * as place from '../router/_fixture.ts';
import { call, list, receiptOf, type Body } from '../router/_fixture.ts';

for (const [name, url] of DATABASES) {
  describe(`registry.review (${name})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    let agent: ScriptedAgent;
    let holder: Agent;
    let agentId: string;
    before(async () => {
      agent = await startAgent({});
      world = await place.openRouterFixture(await url(), [agent.site.pair]);
      holder = await world.agent();
      for (const [tool, price] of [
        ['cheap', '9999'],
        ['dear', '10000'],
      ] as const) {
        agent.tools.set(
          tool,
          charging(() => price),
        );
      }
      agentId = await list(world, agent, ['cheap', 'dear'], { holder });
      await world.fund(world.alice, '9000000');
    });
    after(async () => {
      await world.close();
      await closeSites();
    });

    const paidCall = async (operation: string): Promise<string> => {
      const answer = await call(world.alice, { agentId, operation, maxPrice: '10000' });
      const { outcome, why, transferId } = receiptOf(answer);
      assert.equal(outcome, 'served', String(why));
      return String(transferId);
    };
    const review = (by: Agent, transferId: string, rating: unknown = 5, of = agentId) =>
      by.post(`/api/v1/agents/${of}/reviews`, { reviewer: by.account, rating, transferId });
    const pay = async (from: Agent, to: Agent, amount: string): Promise<string> => {
      const body = { to: to.account, amount, idempotencyKey: `${from.account} ${amount}` };
      return String(
        mustOk(await from.post(`/api/v1/wallet/${from.account}/pay`, body))['transferId'],
      );
    };

    it('rests on a call that cost 0.01 USDC, once', async () => {
      const transferId = await paidCall('dear');
      const { id, at: when, ...rest } = mustOk(await review(world.alice, transferId, 4));
      const settlement = {
        transferId,
        reason: 'call.charge',
        amount: '10000',
        asset: 'USDC',
        network: 'sandbox',
        payer: world.alice.account,
        payee: holder.account,
        settledAt: new Date(world.hub.clock.now()).toISOString(),
      };
      const reviewer = world.alice.account;
      assert.deepEqual(rest, { agentId, reviewer, rating: 4, transferId, settlement });
      assert.match(`${String(id)} ${String(when)}`, /^[0-9a-f-]{36} 2026-/);
      mustRefuse(await review(world.alice, transferId, 1), 400, 'already-reviewed');
    });

    it('is written once, however many are sent at once', async () => {
      const transferId = await paidCall('dear');
      const answers = await Promise.all(
        Array.from({ length: 5 }, (_, n) => review(world.alice, transferId, n + 1)),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      const codes = answers.map(({ body }) => body['code']).filter((code) => code !== undefined);
      assert.deepEqual(
        codes,
        Array.from({ length: 4 }, () => 'already-reviewed'),
      );
    });

    it('is refused with the reason, in order', async () => {
      const small = await paidCall('cheap');
      const good = await paidCall('dear');
      const owned = await pay(world.alice, holder, '10001');
      mustRefuse(await review(world.alice, good, 6), 400, 'bad-rating');
      mustRefuse(await review(world.alice, good, 0), 400, 'bad-rating');
      mustRefuse(await review(world.alice, good, 5, '0'.repeat(16)), 404, 'not-found');
      mustRefuse(await review(holder, good), 400, 'self-dealing');
      mustRefuse(await review(world.bob, good), 400, 'not-licensed');
      mustRefuse(await review(world.alice, '0'.repeat(8) + good.slice(8)), 400, 'not-licensed');
      mustRefuse(await review(world.alice, small), 400, 'settlement-too-small');
      const free = await list(world, { endpoint: 'https://nobody.dev/mcp' }, ['cheap']);
      mustRefuse(await review(world.alice, good, 5, free), 400, 'not-licensed');
      const other = await list(world, { endpoint: 'https://other.dev/mcp' }, ['cheap'], { holder });
      const refused = mustRefuse(await review(world.alice, good, 5, other), 400, 'not-licensed');
      assert.match(String(refused['error']), new RegExp(agentId));
      // A plain payment is for whatever the holder has.
      mustOk(await review(world.alice, owned, 5, other));
    });

    it('is refused to the account that the key of the passport acts for', async () => {
      const friend = await world.agent();
      await world.fund(friend, '20000');
      const owned = await pay(friend, holder, '20000');
      const { store } = world.hub.running.hub;
      await store.write(async (tx) => {
        await tx
          .knex('keys')
          .insert({
            key_id: holder.keyId,
            account: friend.account,
            requested_at: 1,
            bound_at: 1,
          })
          .onConflict('key_id')
          .merge();
      });
      const answer = await review(friend, owned);
      assert.equal(answer.body['code'], 'self-dealing', answer.text);
    });

    it('is found again in the reputation, and as an attestation', async () => {
      const reputation = mustOk(await world.anyone.get(`/api/v1/agents/${agentId}/reputation`));
      const reviews = reputation['reviews'] as Body;
      assert.equal(reviews['count'], 2);
      assert.equal(reviews['reviewers'], 1);
      const first = mustOk(
        await world.anyone.get(`/api/v1/agents/${agentId}/attestations?limit=1`),
      );
      assert.equal(first['count'], 1);
      const before = String(first['next']);
      const second = mustOk(
        await world.anyone.get(`/api/v1/agents/${agentId}/attestations?limit=1&after=${before}`),
      );
      assert.equal(at(second, 'attestations', 0, 'value'), 80);
      assert.ok(!('next' in second));
    });
  });
}
