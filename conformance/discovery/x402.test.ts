import assert from 'node:assert/strict';
import { saveQuotes } from '../../db/registry/quotes.ts';
import { atomic } from '../../domain/money.ts';
import { DATABASES } from '../harness/databases.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { fill, listing } from '../registry/_index.ts';

type Body = Record<string, unknown>;

const SUITE_MS_MAX = 60_000;
for (const [name, url] of DATABASES) {
  describe(`discovery.x402 (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    const desk = listing('desk.example', { name: 'Price desk' });
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await fill(world, [desk]);
      const now = world.hub.clock.now();
      const quote = (kind: 'http' | 'mcp', endpoint: string, amount: bigint, payTo: string) => ({
        kind,
        endpoint,
        origin: new URL(endpoint).origin,
        price: { amount: atomic(amount), asset: 'USDC', network: 'base', payTo },
        x402Version: 2,
        scheme: 'exact',
        quotedAt: now,
      });
      const listed = { tool: 'read_price', listingId: desk.listing.id };
      const mcp = quote('mcp', desk.listing.endpoint, 2_000n, '0x01');
      const { store } = world.hub.running.hub;
      await store.write((tx) =>
        saveQuotes(tx, [
          { ...mcp, ...listed },
          quote('http', 'https://plain.example/x', 500n, '0x02'),
        ]),
      );
      await store.write((tx) =>
        saveQuotes(tx, [{ ...quote('mcp', desk.listing.endpoint, 2_500n, '0x03'), ...listed }]),
      );
    });
    after(() => world.close());

    const read = async (query = ''): Promise<Body> =>
      mustOk(await world.anyone.get(`/api/v1/x402${query}`));
    const prices = async (query: string): Promise<readonly unknown[]> =>
      ((await read(query))['endpoints'] as Body[]).map(({ price }) => (price as Body)['amount']);

    it('lists what was quoted, the cheapest first, with its payee', async () => {
      const { endpoints, count, hasMore } = await read();
      assert.deepEqual([count, hasMore], [2, false]);
      const [cheap, dear] = endpoints as [Body, Body];
      assert.deepEqual([cheap['kind'], cheap['payTo'], cheap['name']], ['http', '0x02', undefined]);
      assert.deepEqual(
        [dear['agentId'], dear['name'], dear['tool'], dear['payTo'], dear['quotes']],
        [desk.listing.id, 'Price desk', 'read_price', '0x03', 2],
      );
      assert.ok(dear['payToChangedAt'] !== undefined, 'another address is paid than before');
    });

    it('filters by text, door and price, and pages', async () => {
      assert.deepEqual(await prices('?q=PRICE%20desk'), ['2500']);
      assert.deepEqual(await prices('?q=plain.example'), ['500']);
      assert.deepEqual(await prices('?q=%25'), [], 'a sign of patterns is only itself');
      assert.deepEqual(await prices('?kind=mcp'), ['2500']);
      assert.deepEqual(await prices('?maxPrice=1000'), ['500']);
      assert.deepEqual(await prices('?limit=1'), ['500']);
      const first = await read('?limit=1');
      assert.deepEqual([first['hasMore'], first['next']], [true, '1']);
      assert.deepEqual(await prices('?limit=1&after=1'), ['2500']);
    });

    it('refuses a door that is none', async () => {
      mustRefuse(await world.anyone.get('/api/v1/x402?kind=fax'), 400, 'unknown-filter');
    });
  });
}
