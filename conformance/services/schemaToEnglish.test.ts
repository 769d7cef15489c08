import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { costOf } from '../memory/space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

const PATH = '/api/v1/services/schema-to-english';
const SCHEMA = {
  type: 'object',
  required: ['city'],
  properties: {
    city: { type: 'string', description: 'City name' },
    days: { type: 'integer', minimum: 1, maximum: 7 },
  },
};
type Body = Readonly<Record<string, unknown>>;

hubsOnBothDatabases('services.schemaToEnglish', (open) => {
  it('answers lines, with tokens before and after, for 200 units', async () => {
    const world = await open();
    const { alice } = world;
    await world.fund(alice, '10000');
    let body: Body = {};
    const once = { schema: SCHEMA, idempotencyKey: 'one' };
    const cost = await costOf(alice, async () => {
      body = mustOk(await alice.post(PATH, once));
    });
    assert.equal(cost, 200n);
    assert.deepEqual(body['lines'], ['city*: string, City name', 'days: integer 1..7']);
    assert.deepEqual([body['omitted'], body['tokenCounter']], [[], 'o200k_base']);
    assert.ok(Number(at(body, 'after', 'tokens')) < Number(at(body, 'before', 'tokens')) / 2);
    const free = await costOf(alice, async () => {
      assert.deepEqual(mustOk(await alice.post(PATH, once)), { ...body, repeated: true });
    });
    assert.equal(free, 0n);
    mustRefuse(await alice.post(PATH, { ...once, schema: {} }), 400, 'idempotency-mismatch');
  });

  it('refuses what it cannot put into lines, free of charge', async () => {
    const world = await open();
    const { bob } = world;
    await world.fund(bob, '150');
    let deep: Body = {};
    for (let n = 0; n < 28; n += 1) deep = { items: deep };
    const cost = await costOf(bob, async () => {
      mustRefuse(await bob.post(PATH, { schema: 'x' }), 400, 'bad-request');
      mustRefuse(await bob.post(PATH, {}), 400, 'missing-field');
      const long = { description: 'a'.repeat(66_000) };
      mustRefuse(await bob.post(PATH, { schema: long }), 400, 'bad-request');
      mustRefuse(await bob.post(PATH, { schema: SCHEMA, network: 'play' }), 400, 'network-refused');
      mustRefuse(await bob.post(PATH, { schema: SCHEMA, network: 'moon' }), 400, 'network-unknown');
      mustRefuse(await bob.post(PATH, { schema: SCHEMA }), 400, 'insufficient-funds');
    });
    assert.equal(cost, 0n);
    await world.fund(bob, '1000');
    mustOk(await bob.post(PATH, { schema: deep }));
    mustRefuse(await world.anyone.post(PATH, { schema: SCHEMA }), 401, 'unsigned');
    const other = { caller: world.alice.account, schema: SCHEMA };
    mustRefuse(await bob.post(PATH, other), 401, 'wrong-owner');
  });

  it('is listed with the price that is charged, as its sisters are', async () => {
    const world = await open();
    const listed = mustOk(await world.anyone.get('/api/v1/services'))['fees'] as readonly Body[];
    const amounts = (operationId: string): readonly unknown[] =>
      listed.filter((fee) => fee['operationId'] === operationId).map(({ amount }) => amount);
    assert.deepEqual(amounts('services.schemaToEnglish'), ['200']);
    assert.deepEqual(amounts('services.cardRead'), ['2000']);
    // A model's rewriting costs the price of its tokens, which the models list.
    assert.deepEqual(amounts('services.compressPrompt'), ['500', '100', undefined]);
  });
});
