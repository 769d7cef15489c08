import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { newAgent, visitor, type Agent } from '../harness/agents.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { at, mustOk } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { echo, startAgent, text, type ScriptedAgent } from './_agent.ts';
import * as place from './_fixture.ts';
import { call, list, receiptOf, tryCall, walletOf, type Body } from './_fixture.ts';
import { until } from '../harness/waiting.ts';

/** Agents that answer when the test says so. */
function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

for (const [name, url] of DATABASES) {
  describe(`money of calls (${name})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    let agent: ScriptedAgent;
    let databaseUrl = '';
    let holder: Agent;
    let agentId: string;
    let env: Readonly<Record<string, string>>;
    before(async () => {
      agent = await startAgent({});
      databaseUrl = await url();
      env = { HUB_ALLOW_PRIVATE_HOSTS: agent.site.pair };
      world = await place.openRouterFixture(databaseUrl, [agent.site.pair]);
      holder = await world.agent();
      agentId = await list(world, agent, ['job'], { holder, price: '1000' });
    });
    beforeEach(() => {
      agent.calls.length = 0;
      agent.tools.set('job', echo);
    });
    after(async () => {
      await world.close();
      await closeSites();
    });
    const body = (): Body => ({ agentId, operation: 'job', maxPrice: '1000' });

    it('is held and shown while the agent works, and never overdrawn by a crowd', async () => {
      const { open, opened } = gate();
      agent.tools.set('job', async (called, reply) => {
        await opened;
        await echo(called, reply);
      });
      const caller = await world.agent();
      await world.fund(caller, '3500');
      // As many at once as one host is called with.
      const all = Array.from({ length: 6 }, () => tryCall(caller, body()));
      await until(() => agent.calls.length === 3);
      assert.deepEqual(await walletOf(caller), { balance: '3500', held: '3000', spendable: '500' });
      const wallet = mustOk(await caller.get(`/api/v1/wallet/${caller.account}`));
      const holds = at(wallet, 'held', 'by') as Body[];
      assert.deepEqual(
        holds.map((each) => [each['kind'], each['amount']]),
        Array.from({ length: 3 }, () => ['call', '1000']),
      );
      const running = mustOk(await caller.get('/api/v1/call/receipts'));
      assert.equal(at(running, 'receipts', 0, 'outcome'), 'running');
      const proof = mustOk(await world.anyone.get('/api/v1/economy/conservation'));
      assert.deepEqual([proof['balanced'], proof['differences']], [true, []]);
      open();
      const outcomes = (await Promise.all(all)).map(
        ({ status, body: answer }) => answer['code'] ?? [status, at(answer, 'receipt', 'outcome')],
      );
      const served = outcomes.filter((each) => Array.isArray(each));
      assert.deepEqual(
        served,
        Array.from({ length: 3 }, () => [200, 'served']),
      );
      assert.equal(outcomes.filter((each) => each === 'insufficient-funds').length, 3);
      assert.deepEqual(await walletOf(caller), { balance: '500', held: '0', spendable: '500' });
    });

    it('pays once however often the same call is sent at once', async () => {
      const caller = await world.agent();
      await world.fund(caller, '9000');
      const same = { ...body(), idempotencyKey: 'one' };
      const answers = await Promise.all(Array.from({ length: 8 }, () => call(caller, same)));
      assert.equal(agent.calls.length, 1);
      const ids = new Set(answers.map((answer) => receiptOf(answer)['id']));
      assert.equal(ids.size, 1);
      assert.equal(answers.filter((answer) => answer['repeated'] === false).length, 1);
      assert.equal((await walletOf(caller))['balance'], '8000');
    });

    it('comes back when the hub stops between the hold and the answer, and is then not charged', async () => {
      const { open, opened } = gate();
      agent.tools.set('job', async (_, reply) => {
        await opened;
        reply.result(text('late'));
      });
      const caller = await world.agent();
      await world.fund(caller, '1000');
      const late = tryCall(caller, { ...body(), idempotencyKey: 'cut-off' });
      await until(() => agent.calls.length === 1);
      await world.hub.runJob('callResolve');
      assert.equal((await walletOf(caller))['held'], '1000', 'a call may last a minute');
      world.hub.clock.advance(90);
      await world.hub.runJob('callResolve');
      await world.hub.runJob('callResolve');
      assert.deepEqual(await walletOf(caller), { balance: '1000', held: '0', spendable: '1000' });
      const receipts = mustOk(await caller.get('/api/v1/call/receipts'));
      assert.equal(at(receipts, 'receipts', 0, 'outcome'), 'unknown');
      assert.match(String(at(receipts, 'receipts', 0, 'why')), /nothing was charged/);
      // The hub was only slow: what the agent says now finds the call ended.
      open();
      const answer = mustOk(await late);
      assert.deepEqual(
        [at(answer, 'receipt', 'outcome'), at(answer, 'receipt', 'cost'), 'result' in answer],
        ['unknown', '0', false],
      );
      assert.equal((await walletOf(caller))['balance'], '1000');
    });

    it('is either charged or returned when both are tried at the same moment', async () => {
      const caller = await world.agent();
      await world.fund(caller, '20000');
      for (let round = 0; round < 10; round += 1) {
        const { open, opened } = gate();
        agent.tools.set('job', async (called, reply) => {
          await opened;
          await echo(called, reply);
        });
        const seen = agent.calls.length;
        const pending = tryCall(caller, body());
        await until(() => agent.calls.length > seen);
        world.hub.clock.advance(90);
        open();
        const [answer] = await Promise.all([pending, world.hub.runJob('callResolve')]);
        const { outcome, cost } = receiptOf(mustOk(answer));
        assert.ok(
          (outcome === 'served' && cost === '1000') || (outcome === 'unknown' && cost === '0'),
          `${String(outcome)} ${String(cost)}`,
        );
        assert.equal((await walletOf(caller))['held'], '0');
        await assertBooksBalance(world.hub.running.hub.store);
      }
    });

    it('is found by the books when a hold and its call disagree', async () => {
      const caller = await world.agent();
      await world.fund(caller, '1000');
      const { open, opened } = gate();
      agent.tools.set('job', async (called, reply) => {
        await opened;
        await echo(called, reply);
      });
      const pending = tryCall(caller, body());
      await until(() => agent.calls.length === 1);
      const { store } = world.hub.running.hub;
      const spoil = (held: number): Promise<void> =>
        store.write(async (tx) => {
          await tx.knex('calls').where({ outcome: 'running' }).update({ held });
        });
      await spoil(999);
      const proof = mustOk(await visitor(world.hub).get('/api/v1/economy/conservation'));
      assert.equal(at(proof, 'differences', 0, 'check'), 'calls-match');
      await spoil(1000);
      open();
      mustOk(await pending);
    });

    if (name === 'PostgreSQL') {
      it('is resolved by another process that shares the database', async () => {
        const { open, opened } = gate();
        agent.tools.set('job', () => opened);
        const caller = await newAgent(world.hub);
        await world.fund(caller, '1000');
        const cutOff = tryCall(caller, body());
        await until(() => agent.calls.length === 1);
        const other: TestHub = await startHub({ databaseUrl, clock: world.hub.clock, env });
        try {
          world.hub.clock.advance(90);
          await Promise.all([other.runJob('callResolve'), world.hub.runJob('callResolve')]);
          assert.equal((await walletOf(caller))['held'], '0');
        } finally {
          open();
          await other.close();
          await agent.site.close();
        }
        assert.equal(at(mustOk(await cutOff), 'receipt', 'outcome'), 'unknown');
      });
    }
  });
}
