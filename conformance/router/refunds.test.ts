import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { startAgent, text, type ScriptedAgent } from './_agent.ts';
import * as place from './_fixture.ts';
import { call, list, receiptOf, spendable, tryCall, type Body } from './_fixture.ts';

const PRICE = '400';
const outputSchema = {
  type: 'object',
  required: ['total'],
  properties: { total: { type: 'integer' } },
};
const aboveTen = {
  kind: 'json_schema',
  schema: { properties: { total: { minimum: 10 } } },
};
const TEN = Array.from({ length: 10 }, (_, nth) => `v${nth}`);
const secrets = {
  total: 5,
  ...Object.fromEntries(TEN.map((name) => [name, `secret-${name}`])),
  codes: { 'secret-name': 1, '4111111111111111': 2 },
};
const structured = (total: unknown): object => ({ ...text('done'), structuredContent: { total } });

for (const [database, url] of DATABASES) {
  describe(`answers that cost nothing (${database})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    let agent: ScriptedAgent;
    let other: ScriptedAgent;
    let swapping: ScriptedAgent;
    let holder: Agent;
    let agentId: string;

    before(async () => {
      agent = await startAgent({
        sum: (_, reply) => reply.result(structured(5)),
        broken: (_, reply) => reply.result(structured('five')),
        bare: (_, reply) => reply.result(text('5')),
        odd: (_, reply) => reply.result(structured(5)),
        secrets: (_, reply) => reply.result({ ...text('done'), structuredContent: secrets }),
      });
      other = await startAgent({ broken: (_, reply) => reply.result(structured(12)) });
      swapping = await startAgent({});
      const pairs = [agent, other, swapping].map(({ site }) => site.pair);
      world = await place.openRouterFixture(await url(), pairs);
      await world.fund(world.alice, '900000');
      holder = await world.agent();
      const skill = { outputSchema };
      agentId = await list(world, agent, ['sum', 'broken', 'bare', 'secrets'], {
        holder,
        price: PRICE,
        skill,
      });
    });
    after(async () => {
      await world.close();
      await closeSites();
    });

    async function paid(body: Body): Promise<{ answer: Body; receipt: Body; cost: bigint }> {
      const before = await spendable(world.alice);
      const answer = await call(world.alice, { agentId, maxPrice: PRICE, ...body });
      const cost = before - (await spendable(world.alice));
      const receipt = receiptOf(answer);
      assert.equal(String(cost), receipt['cost'], 'the receipt says what was charged');
      return { answer, receipt, cost };
    }
    const refunds = async (promise: string): Promise<void> => {
      mustOk(await holder.post(`/api/v1/agents/${agentId}/refunds`, { refunds: promise }));
    };

    it('are those that break the output schema of the tool', async () => {
      const kept = await paid({ operation: 'sum' });
      assert.deepEqual([kept.receipt['outcome'], kept.cost], ['served', 400n]);
      for (const operation of ['broken', 'bare']) {
        const { answer, receipt, cost } = await paid({ operation });
        assert.deepEqual([receipt['outcome'], cost], ['failed', 0n]);
        assert.equal(at(receipt, 'unmet', 'by'), 'output-schema');
        assert.ok(at(answer, 'result', 'content'), 'what came is handed over');
      }
      const { receipt } = await paid({ operation: 'broken' });
      assert.equal(at(receipt, 'unmet', 'refused', 0, 'path'), '/total');
    });

    it('are judged by the schema of the hold, whatever the listing says when they come', async () => {
      const strict = { ...outputSchema, properties: { total: { minimum: 10 } } };
      const loose = { properties: { total: { minimum: 1 } } };
      const changes: readonly (readonly [was: object, becomes?: object])[] = [
        [strict, loose],
        [strict],
        [loose, strict],
      ];
      for (const [was, becomes] of changes) {
        const listAs = (schema?: object): Promise<string> =>
          list(world, swapping, ['swap'], {
            holder,
            price: PRICE,
            ...(schema !== undefined && { skill: { outputSchema: { ...schema } } }),
          });
        const swaps = await listAs(was);
        swapping.tools.set('swap', async (_, reply) => {
          await listAs(becomes);
          reply.result(structured(5));
        });
        const { receipt, cost } = await paid({ agentId: swaps, operation: 'swap' });
        const isKept = was === loose;
        assert.deepEqual([receipt['outcome'], cost], isKept ? ['served', 400n] : ['failed', 0n]);
      }
    });

    it('are none where the holder says so', async () => {
      await refunds('none');
      const { receipt, cost } = await paid({ operation: 'broken' });
      assert.deepEqual([receipt['outcome'], receipt['unmet'], cost], ['served', undefined, 400n]);
      await refunds('output-schema');
    });

    it('are no answers to a rule that the holder does not take', async () => {
      const calls = agent.calls.length;
      const { answer, receipt } = await paid({ operation: 'sum', accept: aboveTen });
      assert.equal(receipt['outcome'], 'priced');
      assert.match(String(receipt['why']), /send none to pay it/);
      assert.equal(agent.calls.length, calls, 'no agent was called');
      assert.equal(answer['result'], undefined);
    });

    it('are those that break a rule that the holder takes, and they are not handed over', async () => {
      await refunds('acceptance');
      const { answer, receipt, cost } = await paid({ operation: 'sum', accept: aboveTen });
      assert.deepEqual([receipt['outcome'], cost], ['failed', 0n]);
      assert.equal(at(receipt, 'unmet', 'by'), 'acceptance');
      assert.equal(answer['result'], undefined);
      const accept = { ...aboveTen, schema: { properties: { total: { maximum: 10 } } } };
      const kept = await paid({ operation: 'sum', accept });
      assert.deepEqual([kept.receipt['outcome'], kept.cost], ['served', 400n]);
      assert.match(String(kept.receipt['acceptHash']), /^[0-9a-f]{64}$/);
      assert.ok(kept.answer['result']);
      await refunds('output-schema');
    });

    it('show nothing of themselves to a rule of ten constants, or to any other', async () => {
      await refunds('acceptance');
      const constants = Object.fromEntries(TEN.map((name) => [name, { const: 'none' }]));
      const codes = { additionalProperties: false };
      const accepts: readonly (readonly [accept: object, ...places: string[]])[] = [
        [
          { kind: 'json_schema', schema: { properties: constants } },
          ...TEN.map((name) => `/${name} json_schema.const`),
        ],
        [
          { kind: 'fields', checks: TEN.map((path) => ({ path, equals: 'none' })) },
          ...TEN.map((name) => `/${name} fields.equals`),
        ],
        [{ kind: 'contains', values: TEN.map((name) => `${name}!`) }, ' contains.all'],
        [
          { kind: 'json_schema', schema: { properties: { codes } } },
          '/codes json_schema.additionalProperties',
        ],
      ];
      for (const [accept, ...places] of accepts) {
        const { answer, receipt, cost } = await paid({ operation: 'secrets', accept });
        assert.deepEqual([receipt['outcome'], cost], ['failed', 0n]);
        const refused = at(receipt, 'unmet', 'refused') as readonly Body[];
        const shown = refused.map(({ path, rule }) => `${String(path)} ${String(rule)}`);
        assert.deepEqual(shown, places);
        const kept = mustOk(await world.alice.get('/api/v1/call/receipts'));
        for (const reported of [answer, kept]) {
          assert.doesNotMatch(JSON.stringify(reported), /secret-|4111111111111111/);
        }
      }
      await refunds('output-schema');
    });

    it('go to another agent only when the call may be repeated', async () => {
      await list(world, other, ['broken'], { holder, price: '401', skill: { outputSchema } });
      const body = { agentId: undefined, operation: 'broken', maxPrice: '401' };
      const once = await paid(body);
      assert.deepEqual([once.receipt['outcome'], other.calls.length], ['failed', 0]);
      const { receipt, cost } = await paid({ ...body, repeatable: true });
      assert.deepEqual([receipt['outcome'], cost, receipt['unmet']], ['served', 401n, undefined]);
    });

    it('say so again to a repeat, which has no answer', async () => {
      const idempotencyKey = 'refund-again';
      const body = { agentId, operation: 'broken', maxPrice: PRICE, idempotencyKey };
      const [first, again] = [await call(world.alice, body), await call(world.alice, body)];
      assert.deepEqual(again['receipt'], first['receipt']);
      assert.deepEqual([again['repeated'], again['result']], [true, undefined]);
    });

    it('are those that are too costly to hold against a listed schema', async () => {
      const pattern = '^(a{500}){100}$';
      const skill = { outputSchema: { properties: { total: { pattern } } } };
      const costly = await list(world, swapping, ['swap'], { holder, price: PRICE, skill });
      swapping.tools.set('swap', (_, reply) => reply.result(structured('a')));
      const { receipt, cost } = await paid({ agentId: costly, operation: 'swap' });
      assert.deepEqual([receipt['outcome'], cost], ['failed', 0n]);
      assert.match(
        String(receipt['why']),
        /the schema cannot be judged, since it is no RE2 pattern/,
      );
    });

    it('are not made by a schema that cannot be judged', async () => {
      const schema = { type: 'object', $ref: 'https://elsewhere.example/schema.json' };
      const skill = { outputSchema: schema };
      await list(world, agent, ['odd'], { holder, price: PRICE, skill });
      const { receipt, cost } = await paid({ operation: 'odd' });
      assert.deepEqual([receipt['outcome'], cost], ['served', 400n]);
    });

    it('refuse a rule that cannot be judged before an agent is called', async () => {
      const calls = agent.calls.length;
      const accept = { kind: 'fields', checks: [{ path: 'a..b', equals: 1 }] };
      const { field } = mustRefuse(
        await tryCall(world.alice, { agentId, operation: 'odd', maxPrice: PRICE, accept }),
        400,
        'bad-acceptance',
      );
      assert.match(String(field), /^body\.accept/);
      assert.equal(agent.calls.length, calls);
    });
  });
}
