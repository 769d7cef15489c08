import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { verify } from '../../clients/typescript/node.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { mustOk } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { chat } from '../models/_desk.ts';
import { charging, echo, startAgent } from '../router/_agent.ts';
import { call, list, openRouterFixture, receiptOf, SUITE_MS_MAX } from '../router/_fixture.ts';
import { arbiterOf, disputed, disputeOf, rule } from '../tasks/_disputing.ts';
import { onEachDatabase, openCourt, type PanelDriver } from '../validators/_court.ts';
import { digestsOf, sealAndSequence, type Body } from './_log.ts';

async function mustVerify({ anyone }: Fixture, receipt: unknown, kind: string): Promise<void> {
  const keys = mustOk(await anyone.get('/keys'));
  const digests = digestsOf(receipt);
  assert.equal(digests.length, 1);
  const proof = mustOk(await anyone.get(`/api/v1/log/proofs/${digests[0] ?? ''}`));
  const verdict = await verify.file({ receipt, proof }, keys);
  assert.ok(verdict.ok && verdict.kind === 'logged', JSON.stringify(verdict));
  assert.equal(verdict.leaf, kind);
}

for (const [name, url] of DATABASES) {
  describe(`the leaves of calls (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    after(async () => {
      await world.close();
      await closeSites();
    });

    it('are made from a receipt as its caller has it, for a free, a paid and a failed call', async () => {
      const agent = await startAgent({ free: echo, paid: charging(() => '300') });
      world = await openRouterFixture(await url(), [agent.site.pair]);
      await world.fund(world.alice, '1000');
      const agentId = await list(world, agent, ['free', 'paid'], { holder: await world.agent() });
      const made: Body[] = [];
      for (const operation of ['free', 'paid', 'none']) {
        const named = operation === 'none' ? {} : { agentId };
        made.push(receiptOf(await call(world.alice, { ...named, operation, maxPrice: '300' })));
      }
      assert.deepEqual(
        made.map(({ cost, outcome }) => [cost, outcome]),
        [
          ['0', 'served'],
          ['300', 'served'],
          ['0', 'none-suitable'],
        ],
      );
      await sealAndSequence(world);
      for (const each of made) await mustVerify(world, each, 'call');
    });
  });
}

onEachDatabase('the leaves of the log', (url) => {
  let driver: PanelDriver;
  let world: Fixture;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 3 });
    ({ world } = driver);
    await world.fund(world.alice, '5000000');
  });
  after(() => driver.close());

  it('are made from the receipt of a model call', async () => {
    const messages = [{ role: 'user', content: 'hello' }];
    mustOk(await chat(world.alice, { model: 'hub/echo', messages }));
    await sealAndSequence(world);
    const { receipts } = mustOk(await world.alice.get('/api/v1/models/receipts'));
    for (const each of receipts as Body[]) await mustVerify(world, each, 'model');
  });

  it('are made from a ruling as everybody sees it, and from what it paid', async () => {
    const { id, worker } = await disputed(driver);
    const arbiter = await arbiterOf(driver, id);
    mustOk(await rule(arbiter, id, 'split', { workerShareBps: 4_000 }));
    await sealAndSequence(world);
    await mustVerify(world, await disputeOf(driver, id), 'ruling');
    for (const { account, get } of [worker, arbiter]) {
      const statement = mustOk(await get(`/api/v1/wallet/${account}/statement`));
      const paid = (statement['entries'] as Body[]).filter(({ reason, direction }) =>
        ['task.reward in', 'dispute.arbiter in'].includes(`${String(reason)} ${String(direction)}`),
      );
      assert.equal(paid.length, 1);
      await mustVerify(world, { ...statement, entries: paid }, 'payout');
    }
  });
});
