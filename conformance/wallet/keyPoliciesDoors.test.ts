import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { startMcpSdk1 } from '../../clients/examples/agents/mcpSdk1.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import {
  callSkill,
  mustBeUnauthorized,
  mustComplete,
  mustReject,
  VERSIONS,
} from '../doors/a2a/_door.ts';
import { send, toolCall } from '../doors/mcp/_door.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { FEE, tryPublish } from '../hosted/_world.ts';
import { charging, echo, startAgent, text, type ScriptedAgent } from '../router/_agent.ts';
import { call, list, openRouterFixture, receiptOf, SUITE_MS_MAX } from '../router/_fixture.ts';
import { money } from '../tasks/_work.ts';
import { openCourt } from '../validators/_court.ts';
import { joinedKey, limitedKey, limitsOf, setPolicy } from './_policies.ts';

/** Limits of a key where its call comes through a door, goes on to others, or holds for long. */
for (const [database, url] of DATABASES) {
  describe(`spending policies at the doors and behind them (${database})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    let owner: Agent;
    let agents: readonly ScriptedAgent[];
    let endpoint: string;
    before(async () => {
      agents = await Promise.all([startAgent({}), startAgent({})]);
      const site = await startMcpSdk1();
      endpoint = `${site.url}/mcp`;
      const pairs = [...agents.map(({ site: { pair } }) => pair), site.pair];
      world = await openRouterFixture(await url(), pairs);
      owner = await world.agent();
      await world.fund(owner, '900000000');
    });
    after(async () => {
      await world.close();
      await closeSites();
    });

    const task = (): Record<string, unknown> => ({
      requester: owner.account,
      title: 'Do it',
      rewardAmount: '1000000',
      acceptance: { kind: 'contains', values: ['done'] },
    });

    for (const version of VERSIONS) {
      it(`refuses what is above the limit, or not allowed, over A2A ${version}`, async () => {
        const key = await limitedKey(world, owner, { perCall: '999999' });
        const before = await money(owner);
        const ask = () => callSkill(world, version, 'publish-task', task(), { by: key });
        mustReject(await ask(), version, 'policy-limit');
        mustOk(await setPolicy(owner, key, { operations: ['wallet.pay'] }));
        mustBeUnauthorized(await ask(), version, 'policy-forbids');
        assert.deepEqual(await money(owner), before, 'nothing was held');
        mustOk(await setPolicy(owner, key, { approveAbove: '999999' }));
        const { approvalId } = mustReject(await ask(), version, 'approval-needed');
        const path = `/api/v1/wallet/${owner.account}/approvals/${String(approvalId)}`;
        mustOk(await owner.post(path, { decision: 'approved' }));
        mustComplete(await ask(), version);
        mustReject(await ask(), version, 'approval-needed');
      });
    }

    it('refuses what is above the limit, or not allowed, over MCP', async () => {
      const key = await limitedKey(world, owner, { perDay: '1500000' });
      const ask = async (): Promise<string> =>
        (await send(world, toolCall(1, 'publish-task', task()), { by: key })).text;
      assert.doesNotMatch(await ask(), /policy-limit/);
      const before = await money(owner);
      assert.match(await ask(), /policy-limit/);
      mustOk(await setPolicy(owner, key, { operations: ['wallet.pay'] }));
      assert.match(await ask(), /policy-forbids/);
      assert.deepEqual(await money(owner), before);
      assert.equal((await limitsOf(key))['day'], undefined, 'the limit was replaced');
    });

    describe('of a call that turns to a second agent', () => {
      let holders: readonly Agent[];
      /** The first asks for 300 and fails, the second asks for 700 and serves. */
      const offer = async (operation: string): Promise<readonly string[]> => {
        const [broken, good] = agents;
        assert.ok(broken !== undefined && good !== undefined);
        const fails = charging(
          () => '300',
          (_, reply) => reply.result({ ...text('Out of ink'), isError: true }),
        );
        broken.tools.set(operation, fails);
        good.tools.set(
          operation,
          charging(() => '700', echo),
        );
        holders = [await world.agent(), await world.agent()];
        return Promise.all(
          [broken, good].map((agent, nth) =>
            list(world, agent, [operation], {
              ...(holders[nth] && { holder: holders[nth] }),
              price: nth === 0 ? '300' : '700',
              listing: { latencyMs: nth + 1 },
            }),
          ),
        );
      };

      it('counts what the second one took, once', async () => {
        const [, second] = await offer('convert-a');
        const key = await limitedKey(world, owner, { perDay: '700' });
        const answer = await call(key, { operation: 'convert-a', maxPrice: '700' });
        const receipt = receiptOf(answer);
        const { outcome, agentId, cost } = receipt;
        assert.deepEqual(
          [outcome, agentId, cost],
          ['served', second, '700'],
          JSON.stringify(receipt),
        );
        assert.deepEqual((await limitsOf(key))['day']?.left, '0');
      });

      for (const policy of [{ perDay: '699' }, { perCall: '699' }, { approveAbove: '699' }]) {
        const [limit = ''] = Object.keys(policy);
        it(`pays no second one that is above ${limit}`, async () => {
          const operation = `convert-${limit}`;
          await offer(operation);
          const key = await limitedKey(world, owner, { ...policy, perMonth: '10000' });
          const before = await money(owner);
          const receipt = receiptOf(await call(key, { operation, maxPrice: '700' }));
          assert.notEqual(receipt['outcome'], 'served', JSON.stringify(receipt));
          assert.deepEqual(await money(owner), before);
          assert.equal((await limitsOf(key))['month']?.used, '0');
        });
      }
    });

    it('refuses to publish a hosted agent above the limit, and counts its fee', async () => {
      const key = await limitedKey(world, owner, { perCall: `${FEE - 1n}` });
      const listing = { keyId: owner.keyId, endpoint };
      const before = await money(owner);
      mustRefuse(await tryPublish(key, listing), 400, 'policy-limit');
      assert.deepEqual(await money(owner), before);
      mustOk(await setPolicy(owner, key, { perDay: `${FEE}` }));
      mustOk(await tryPublish(key, listing));
      assert.equal((await limitsOf(key))['day']?.left, '0');
    });
  });

  describe(`spending policies of judges (${database})`, function suite() {
    this.timeout(SUITE_MS_MAX);

    it('take no seat whose stake is above the limit, and count the stake that is held', async () => {
      const driver = await openCourt({ judges: 1, databaseUrl: await url(), unseated: true });
      const [judge] = driver.judges;
      assert.ok(judge !== undefined);
      const key = await joinedKey(driver.world, judge.agent);
      mustOk(await setPolicy(judge.agent, key, { perDay: '1999999' }));
      const { account } = judge.agent;
      const body = { account, endpoint: judge.endpoint, stake: '2000000' };
      const register = () => key.post('/api/v1/validators', body);
      mustRefuse(await register(), 400, 'policy-limit');
      assert.equal(at(await money(judge.agent), 1), '0', 'nothing is held');
      mustOk(await setPolicy(judge.agent, key, { perDay: '2000000' }));
      mustOk(await register());
      assert.equal((await limitsOf(key))['day']?.left, '0');
      mustOk(await key.post('/api/v1/validators/resign', { account }));
      await driver.close();
    });
  });
}
