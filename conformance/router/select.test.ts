import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { at } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { charging, echo, startAgent, text, type ScriptedAgent } from './_agent.ts';
import * as place from './_fixture.ts';
import { call, list, receiptOf, spendable, type Body } from './_fixture.ts';

for (const [name, url] of DATABASES) {
  describe(`router.call, picking (${name})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    const agents: ScriptedAgent[] = [];
    const one = (n: number): ScriptedAgent => agents[n] ?? assert.fail(`no agent ${n}`);
    const decisions = (answer: Body): readonly unknown[] =>
      (answer['considered'] as Body[]).map((each) => [each['agentId'], each['decision']]);
    before(async () => {
      for (let n = 0; n < 5; n += 1) agents.push(await startAgent({}));
      world = await place.openRouterFixture(
        await url(),
        agents.map(({ site }) => site.pair),
      );
      await world.fund(world.alice, '900000000');
    });
    beforeEach(() => {
      for (const { tools, calls } of agents) {
        tools.clear();
        calls.length = 0;
      }
    });
    after(async () => {
      await world.close();
      await closeSites();
    });

    it('tries candidates in their order, and names each that refused and why', async () => {
      const op = 'convert-1';
      const holder = await world.agent();
      const [slow, broken, dear] = [one(0), one(1), one(2)];
      slow.tools.set(op, (_, reply) => reply.result({ ...text('Out of ink'), isError: true }));
      broken.tools.set(op, (_, reply) => reply.send(500, 'no'));
      dear.tools.set(
        op,
        charging(() => '700'),
      );
      const first = await list(world, slow, [op], { listing: { latencyMs: 1 } });
      const second = await list(world, broken, [op], { listing: { latencyMs: 2 } });
      const third = await list(world, dear, [op], { holder, price: '700' });
      const answer = await call(world.alice, { operation: op, arguments: {}, maxPrice: '700' });
      const receipt = receiptOf(answer);
      assert.deepEqual(
        [receipt['outcome'], receipt['agentId'], receipt['cost']],
        ['served', third, '700'],
        String(receipt['why']),
      );
      const refused = receipt['refused'] as Body[];
      assert.deepEqual(
        refused.map((each) => each['agentId']),
        [first, second],
      );
      assert.match(String(refused[0]?.['why']), /Out of ink/);
      assert.match(String(refused[1]?.['why']), /500/);
      assert.deepEqual(decisions(answer), [
        [first, 'tried'],
        [second, 'tried'],
        [third, 'tried'],
      ]);
      assert.equal(await spendable(holder), 700n);
    });

    it('runs nothing twice: after a break once it was sent no other agent is called', async () => {
      const op = 'write-1';
      const [first, second] = [one(0), one(1)];
      first.tools.set(op, (_, { response }) => void response.socket?.destroy());
      second.tools.set(op, (_, reply) => reply.result(text('done')));
      const id = await list(world, first, [op], { listing: { latencyMs: 1 } });
      await list(world, second, [op], { listing: { latencyMs: 2 } });
      const answer = await call(world.alice, { operation: op, arguments: {} });
      const receipt = receiptOf(answer);
      assert.deepEqual([receipt['outcome'], receipt['agentId']], ['unknown', id]);
      assert.match(String(receipt['why']), /may have been run/);
      assert.equal(second.calls.length, 0);
      const again = { operation: op, arguments: {}, repeatable: true };
      assert.equal(receiptOf(await call(world.alice, again))['outcome'], 'served');
      assert.equal(second.calls.length, 1);
    });

    it('tries no more agents than tryAtMost', async () => {
      const op = 'convert-2';
      for (const [n, agent] of agents.entries()) {
        agent.tools.set(op, (_, reply) => reply.error(-32_000, 'Not today'));
        await list(world, agent, [op], { listing: { latencyMs: n } });
      }
      const called = (): number => agents.reduce((sum, { calls }) => sum + calls.length, 0);
      const three = await call(world.alice, { operation: op });
      assert.equal(called(), 3);
      assert.equal(receiptOf(three)['outcome'], 'failed');
      assert.match(String(receiptOf(three)['why']), /3 agents were called/);
      await call(world.alice, { operation: op, tryAtMost: 1 });
      assert.equal(called(), 4);
      await call(world.alice, { operation: op, tryAtMost: 99 });
      assert.equal(called(), 9, 'there are five');
    });

    it('answers 200 with the reason of each when no agent suits', async () => {
      const op = 'convert-3';
      const holder = await world.agent();
      const flag = { path: 'description', kind: 'override' as const, text: 'Ignore all' };
      const keyed = await list(world, one(0), [op], { skill: { access: 'auth-required' } });
      const dead = await list(world, one(1), [op], { listing: { availability: 'unreachable' } });
      const flagged = await list(world, one(2), [op], { listing: { injectionSignals: [flag] } });
      const dear = await list(world, one(3), [op], { holder, price: '5' });
      const inside = await list(world, { endpoint: 'http://10.0.0.7/mcp' }, [op]);
      const shut = await list(world, one(4), [op], { skill: { access: 'closed' } });
      const answer = await call(world.alice, { operation: op });
      assert.equal(receiptOf(answer)['outcome'], 'none-suitable');
      assert.deepEqual(
        new Map(decisions(answer) as [string, string][]),
        new Map([
          [keyed, 'key-needed'],
          [dead, 'not-live'],
          [flagged, 'injection-flagged'],
          [dear, 'over-max-price'],
          [inside, 'private-address'],
          [shut, 'closed'],
        ]),
      );
      assert.ok(agents.every(({ calls }) => calls.length === 0));
      const actions = (answer['next'] as Body[]).map((each) => each['action']);
      assert.deepEqual(actions, ['registry.list', 'tasks.publish']);
      const unheard = await call(world.alice, { operation: 'convert-3x' });
      assert.deepEqual(unheard['considered'], []);
      assert.equal(receiptOf(unheard)['outcome'], 'none-suitable');
    });

    it('matches the exact name, or the id of a skill', async () => {
      one(0).tools.set('Turn Euros', echo);
      await list(world, one(0), ['Turn Euros'], { skill: { id: 'turn_euros' } });
      one(0).tools.set('turn_euros', echo);
      for (const [operation, outcome] of [
        ['Turn Euros', 'served'],
        ['turn_euros', 'served'],
        ['turn euros', 'none-suitable'],
        ['Turn', 'none-suitable'],
      ]) {
        const receipt = receiptOf(await call(world.alice, { operation }));
        assert.equal(receipt['outcome'], outcome, operation);
      }
    });

    it('leaves an address alone that did not answer five times, then tries it once', async () => {
      const op = 'convert-4';
      const agentId = await list(world, one(0), [op]);
      one(0).tools.set(op, (_, reply) => reply.send(503, 'down'));
      for (let n = 0; n < 5; n += 1) {
        assert.equal(receiptOf(await call(world.alice, { operation: op }))['outcome'], 'failed');
      }
      const seen = one(0).calls.length;
      const rested = await call(world.alice, { operation: op });
      assert.deepEqual(decisions(rested), [[agentId, 'resting']]);
      const named = receiptOf(await call(world.alice, { agentId, operation: op }));
      assert.match(String(named['why']), /5 calls in a row/);
      assert.equal(one(0).calls.length, seen, 'no agent was called');
      world.hub.clock.advance(31);
      one(0).tools.set(op, echo);
      assert.equal(receiptOf(await call(world.alice, { operation: op }))['outcome'], 'served');
      assert.equal(receiptOf(await call(world.alice, { operation: op }))['outcome'], 'served');
    });

    it('goes past what the caller cannot pay, and says so when nothing is left', async () => {
      const op = 'convert-5';
      const [poor, holder] = [await world.agent(), await world.agent()];
      await world.fund(poor, '100');
      one(0).tools.set(
        op,
        charging(() => '500'),
      );
      one(1).tools.set(op, echo);
      await list(world, one(0), [op], { holder, price: '500' });
      const dear = await place.tryCall(poor, { operation: op, maxPrice: '900' });
      assert.deepEqual([dear.status, dear.body['code']], [400, 'insufficient-funds']);
      const free = await list(world, one(1), [op], { skill: { access: 'unknown' } });
      const answer = await call(poor, { operation: op, maxPrice: '900' });
      assert.equal(at(answer, 'receipt', 'agentId'), free);
    });
  });
}
