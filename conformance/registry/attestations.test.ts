import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { verify } from '../../clients/typescript/verify/verifier.ts';
import type { Agent } from '../harness/agents.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { charging, startAgent } from '../router/_agent.ts';
import * as place from '../router/_fixture.ts';
import { call, list, receiptOf, type Body } from '../router/_fixture.ts';

for (const [name, url] of DATABASES) {
  describe(`registry.attestations (${name})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    let holder: Agent;
    let agentId: string;
    let endpoint = '';
    const attested = async (query = ''): Promise<Body> =>
      mustOk(await world.anyone.get(`/api/v1/agents/${agentId}/attestations${query}`));
    before(async () => {
      const agent = await startAgent({ convert: charging(() => '12000') });
      ({ endpoint } = agent);
      world = await place.openRouterFixture(await url(), [agent.site.pair]);
      holder = await world.agent();
      agentId = await list(world, agent, ['convert'], { holder });
      await world.fund(world.alice, '9000000');
    });
    after(async () => {
      await world.close();
      await closeSites();
    });

    it('has the shape of ERC-8004 feedback, and verifies without the hub', async () => {
      assert.deepEqual((await attested())['attestations'], []);
      const body = { agentId, operation: 'convert', maxPrice: '12000' };
      const { transferId } = receiptOf(await call(world.alice, body));
      const reviewer = world.alice.account;
      const review = { reviewer, rating: 4, transferId };
      const { id } = mustOk(await world.alice.post(`/api/v1/agents/${agentId}/reviews`, review));
      const page = await attested();
      const [attestation] = page['attestations'] as Body[];
      const { proof, ...statement } = attestation ?? assert.fail('there is no attestation');
      const now = new Date(world.hub.clock.now()).toISOString();
      assert.deepEqual(statement, {
        id,
        agentRegistry: `hub:${world.hub.url}`,
        agentId,
        clientAddress: reviewer,
        createdAt: now,
        value: 80,
        valueDecimals: 0,
        tag1: 'starred',
        endpoint,
        mcp: { tool: 'convert' },
        scope: 'off-chain',
        settlement: {
          transferId,
          reason: 'call.charge',
          amount: '12000',
          asset: 'USDC',
          network: 'sandbox',
          payer: reviewer,
          payee: holder.account,
          settledAt: now,
        },
      });
      const keys: unknown = mustOk(await world.anyone.get('/keys'));
      const verdict = await verify.file(attestation, keys);
      assert.ok(verdict.ok && verdict.kind === 'attestation', JSON.stringify(verdict));
      assert.deepEqual([verdict.value, verdict.digest], [80, at(proof, 'digest')]);
      const forged = await verify.attestation({ ...attestation, value: 100 }, keys);
      assert.deepEqual([forged.ok, at(forged, 'reason')], [false, 'digest']);
      assert.equal(page['keys'], `${world.hub.url}/keys`);
    });

    it('names the sealed block of the payment once there is one', async () => {
      world.hub.clock.advance(60);
      for (const job of ['pulse', 'booksCheck', 'sealJournal']) await world.hub.runJob(job);
      const head = mustOk(await world.anyone.get('/api/v1/economy/seals/head'));
      const seal = at(await attested(), 'attestations', 0, 'settlement', 'seal');
      assert.deepEqual(Object.keys(seal as Body), ['blockNo', 'digest']);
      assert.match(String(at(seal, 'digest')), /^[0-9a-f]{64}$/);
      assert.ok(Number(at(seal, 'blockNo')) <= Number(at(head, 'seal', 'body', 'blockNo')));
      const keys: unknown = mustOk(await world.anyone.get('/keys'));
      assert.ok((await verify.file(at(await attested(), 'attestations', 0), keys)).ok);
    });

    it('is 404 for an unknown listing', async () => {
      const nobody = await world.anyone.get(`/api/v1/agents/${'0'.repeat(16)}/attestations`);
      mustRefuse(nobody, 404, 'not-found');
    });
  });
}
