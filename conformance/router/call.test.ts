import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { DATABASES } from '../harness/databases.ts';
import { atomic } from '../../domain/money.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { at, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { charging, echo, startAgent, text, type ScriptedAgent } from './_agent.ts';
import * as place from './_fixture.ts';
import { call, list, receiptOf, spendable, tryCall } from './_fixture.ts';

for (const [name, url] of DATABASES) {
  describe(`router.call (${name})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    let agent: ScriptedAgent;
    let price = '5000';
    before(async () => {
      agent = await startAgent({
        echo,
        paid: charging(() => price),
        silent: (_, reply) => reply.result({ content: [] }),
        blank: (_, reply) => {
          const content = [{ type: 'text', text: ' \u200b' }];
          reply.result({ content, structuredContent: {} });
        },
        fails: (_, reply) => reply.result({ ...text('No such currency.'), isError: true }),
      });
      world = await place.openRouterFixture(await url(), [agent.site.pair]);
      await world.fund(world.alice, '900000000');
    });
    after(async () => {
      await world.close();
      await closeSites();
    });

    it('calls a free tool and hands over the answer with its hash', async () => {
      const agentId = await list(world, agent, ['echo', 'paid', 'silent', 'fails']);
      const args = { from: 'EUR', nested: { deep: [1, 'two'] } };
      const answer = await call(world.alice, { agentId, operation: 'echo', arguments: args });
      const receipt = receiptOf(answer);
      assert.equal(receipt['outcome'], 'served', String(receipt['why']));
      assert.equal(receipt['cost'], '0');
      assert.deepEqual(answer['considered'], []);
      assert.deepEqual(agent.calls.at(-1)?.args, args);
      const result = text(JSON.stringify(args));
      assert.deepEqual(answer['result'], result);
      const bytes = JSON.stringify({ jsonrpc: '2.0', id: 'call', result });
      assert.equal(receipt['responseBytes'], bytes.length);
      assert.equal(receipt['responseHash'], createHash('sha256').update(bytes).digest('hex'));
    });

    it('holds the listed price, pays the holder, and says so to the agent', async () => {
      const holder = await world.agent();
      const agentId = await list(world, agent, ['paid'], { holder, price: '5000' });
      const before = await spendable(world.alice);
      const body = { agentId, operation: 'paid', arguments: { a: 1 }, maxPrice: '5000' };
      const answer = await call(world.alice, body);
      const receipt = receiptOf(answer);
      assert.equal(receipt['outcome'], 'served', String(receipt['why']));
      assert.deepEqual(
        [receipt['cost'], receipt['paidTo'], receipt['listedPrice']],
        ['5000', holder.account, '5000'],
      );
      assert.equal(before - (await spendable(world.alice)), 5000n);
      assert.equal(await spendable(holder), 5000n);
      const { headers } = agent.calls.at(-1) ?? assert.fail('the agent was not called');
      const credit = /^"[0-9a-f-]{36}";amount=5000;network="sandbox";receipt="([0-9a-f-]{36})"$/;
      assert.equal(credit.exec(String(headers['hub-credit']))?.[1], receipt['id']);
      assert.match(String(headers['signature-input']), /"@authority".*"hub-credit"/);
    });

    it('charges a live quote below or above the list, never the list', async () => {
      for (const [quoted, max] of [
        ['1200', '5000'],
        ['6100', '7000'],
      ] as const) {
        const holder = await world.agent();
        const agentId = await list(world, agent, ['paid'], { holder, price: '5000' });
        world.hub.clock.advance(61);
        price = quoted;
        const receipt = receiptOf(
          await call(world.alice, { agentId, operation: 'paid', maxPrice: max }),
        );
        assert.deepEqual(
          [receipt['listedPrice'], receipt['quotedPrice'], receipt['cost']],
          ['5000', quoted, quoted],
          String(receipt['why']),
        );
        assert.equal(await spendable(holder), BigInt(quoted));
        const { headers } = agent.calls.at(-1) ?? assert.fail('the agent was not called');
        assert.match(String(headers['hub-credit']), new RegExp(`;amount=${quoted};`));
      }
      price = '5000';
      world.hub.clock.advance(61);
    });

    it('charges nothing for an operation that the listing does not have', async () => {
      const holder = await world.agent();
      const agentId = await list(world, agent, ['paid'], {
        holder,
        price: '15000',
        listing: { price: { amount: atomic(15_000n), asset: 'USDC' } },
      });
      const before = await spendable(world.alice);
      const body = { agentId, operation: 'echo', arguments: {}, maxPrice: '20000' };
      const receipt = receiptOf(await call(world.alice, body));
      assert.deepEqual([receipt['outcome'], receipt['cost']], ['served', '0']);
      assert.equal(await spendable(world.alice), before);
    });

    it('pays a live quote within maxPrice, and reports one above it as a price', async () => {
      const holder = await world.agent();
      const agentId = await list(world, agent, ['paid'], { holder });
      const body = { agentId, operation: 'paid', maxPrice: '7000' };
      price = '7000';
      const paid = receiptOf(await call(world.alice, body));
      assert.deepEqual(
        [paid['outcome'], paid['cost'], paid['quotedPrice']],
        ['served', '7000', '7000'],
      );
      price = '7001';
      world.hub.clock.advance(61);
      const dear = await call(world.alice, body);
      const receipt = receiptOf(dear);
      assert.deepEqual(
        [receipt['outcome'], receipt['cost'], receipt['quotedPrice']],
        ['priced', '0', '7001'],
      );
      assert.equal(at(dear, 'next', 0, 'call', 'body', 'maxPrice'), '7001');
      assert.equal(await spendable(holder), 7000n);
    });

    it('believes a quote for a minute before it asks again', async () => {
      const seen = agent.calls.length;
      const holder = await world.agent();
      const agentId = await list(world, agent, ['paid'], { holder });
      const body = { agentId, operation: 'paid', maxPrice: '7000' };
      const again = receiptOf(await call(world.alice, body));
      assert.equal(again['outcome'], 'priced');
      assert.equal(agent.calls.length, seen, 'no agent was called');
    });

    it('charges nothing for an answer that says nothing, or that failed', async () => {
      const holder = await world.agent();
      const agentId = await list(world, agent, ['silent', 'blank', 'fails'], {
        holder,
        price: '900',
      });
      const before = await spendable(world.alice);
      for (const operation of ['silent', 'blank']) {
        const silent = receiptOf(await call(world.alice, { agentId, operation, maxPrice: '900' }));
        assert.deepEqual([silent['outcome'], silent['cost']], ['served', '0']);
      }
      const failed = receiptOf(
        await call(world.alice, { agentId, operation: 'fails', maxPrice: '900' }),
      );
      assert.equal(failed['outcome'], 'failed');
      assert.match(String(at(failed, 'refused', 0, 'why')), /No such currency/);
      assert.equal(await spendable(world.alice), before);
    });

    it('calls an unclaimed listing free, and its own holder too', async () => {
      const agentId = await list(world, agent, ['echo'], { price: '900' });
      await world.hub.running.hub.store.write(async (tx) => {
        const free = { passport_key_id: null, verification: null };
        await tx.knex('listings').where({ id: agentId }).update(free);
      });
      const unclaimed = await call(world.alice, { agentId, operation: 'echo' });
      assert.deepEqual(
        [receiptOf(unclaimed)['outcome'], receiptOf(unclaimed)['cost']],
        ['served', '0'],
      );
      await list(world, agent, ['echo'], { price: '900', holder: world.alice });
      const own = await call(world.alice, { agentId, operation: 'echo' });
      assert.deepEqual([receiptOf(own)['outcome'], receiptOf(own)['cost']], ['served', '0']);
    });

    it('repeats the receipt and not the answer', async () => {
      const agentId = await list(world, agent, ['echo']);
      const body = { agentId, operation: 'echo', idempotencyKey: 'twice' };
      const first = await call(world.alice, body);
      const calls = agent.calls.length;
      const second = await call(world.alice, body);
      assert.deepEqual(second['receipt'], first['receipt']);
      assert.deepEqual([first['repeated'], second['repeated']], [false, true]);
      assert.ok('result' in first && !('result' in second));
      assert.equal(agent.calls.length, calls);
      mustRefuse(
        await tryCall(world.alice, { ...body, operation: 'paid' }),
        400,
        'idempotency-mismatch',
      );
    });

    it('refuses what it cannot call', async () => {
      const agentId = await list(world, agent, ['echo'], { price: '999', holder: world.bob });
      const poor = await world.agent();
      const base = { operation: 'echo' };
      const both = { ...base, agentId, endpoint: agent.endpoint };
      mustRefuse(await tryCall(poor, both), 400, 'not-together');
      const nobody = { ...base, agentId: '00'.repeat(8) };
      mustRefuse(await tryCall(poor, nobody), 404, 'not-found');
      const inside = { ...base, endpoint: 'http://169.254.169.254/mcp' };
      mustRefuse(await tryCall(poor, inside), 400, 'endpoint-refused');
      const unseen = { ...base, endpoint: 'https://never-crawled.dev/mcp' };
      mustRefuse(await tryCall(poor, unseen), 404, 'not-found');
      const priced = { ...base, agentId, maxPrice: '999' };
      mustRefuse(await tryCall(poor, priced), 400, 'insufficient-funds');
      mustRefuse(await tryCall(poor, { ...base, network: 'moon' }), 400, 'network-unknown');
    });

    it('finds the listing by its address', async () => {
      const agentId = await list(world, agent, ['echo']);
      const answer = await call(world.alice, { endpoint: agent.endpoint, operation: 'echo' });
      assert.equal(receiptOf(answer)['agentId'], agentId);
      assert.equal(receiptOf(answer)['outcome'], 'served');
    });
  });
}
