import assert from 'node:assert/strict';
import { mustOk } from '../harness/must.ts';
import {
  callBody,
  newPayer,
  openPaidFixture,
  payV1,
  PRICE,
  quoteFor,
  SUITE_MS_MAX,
  type PaidFixture,
} from './_fixture.ts';

describe('the books of payments over x402', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: PaidFixture;
  before(async () => {
    world = await openPaidFixture();
    const { agent, wallet, call } = await newPayer(world, 20_000n);
    const body = callBody(world, agent);
    mustOk(await call(body, await payV1(world, wallet, await quoteFor(agent, body))));
  });
  after(() => world.close());

  async function broken(): Promise<readonly string[]> {
    world.hub.clock.advance(120);
    const books = mustOk(await world.anyone.get('/api/v1/economy/conservation'));
    const differences = books['differences'] as { readonly check: string }[];
    return [...new Set(differences.map(({ check }) => check))];
  }

  const write = (work: string): Promise<unknown> =>
    world.hub.running.hub.store.write((tx) => tx.knex.raw(work));

  it('are whole: what the chain gave is what the outside owes', async () => {
    assert.deepEqual(await broken(), []);
    const rows = await world.hub.running.hub.store.read((db) =>
      db.knex('accounts').where({ name: 'external:chain:base' }).select('posted'),
    );
    assert.deepEqual(rows, [{ posted: -Number(PRICE) }]);
  });

  it('show a payment that says another amount than was credited', async () => {
    await write('UPDATE x402_payments SET amount = amount + 1');
    assert.deepEqual(await broken(), ['payments-match']);
    await write('UPDATE x402_payments SET amount = amount - 1');
    assert.deepEqual(await broken(), []);
  });

  it('show a credit that no payment stands behind', async () => {
    const kept = await world.hub.running.hub.store.read((db) => db.knex('x402_payments'));
    await write('DELETE FROM x402_payments');
    assert.deepEqual(await broken(), ['payments-match']);
    await world.hub.running.hub.store.write((tx) => tx.knex('x402_payments').insert(kept));
    assert.deepEqual(await broken(), []);
  });
});
