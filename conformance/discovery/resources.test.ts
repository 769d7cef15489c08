import assert from 'node:assert/strict';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { withBazaar } from '@x402/extensions/bazaar';
import { saveQuotes } from '../../db/registry/quotes.ts';
import { atomic } from '../../domain/money.ts';
import { readHttpQuote } from '../../domain/registry/readQuote.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { fill, listing, skill } from '../registry/_index.ts';

type Body = Record<string, unknown>;

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const PAY_TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const V2 = {
  x402Version: 2,
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      asset: USDC,
      amount: '2000',
      payTo: PAY_TO,
      maxTimeoutSeconds: 90,
      extra: { name: 'USD Coin', version: '2', secret: 'x'.repeat(10_000) },
      junk: '<script>',
    },
  ],
};
const V1 = {
  x402Version: 1,
  accepts: [
    {
      scheme: 'exact',
      network: 'base',
      asset: USDC,
      maxAmountRequired: '500',
      payTo: PAY_TO,
      resource: 'https://plain.example/x',
      description: 'A page.',
      mimeType: 'text/plain',
      maxTimeoutSeconds: -1,
    },
  ],
};

describe('discovery.resources', () => {
  let world: Fixture;
  const desk = listing('desk.example', { name: 'Price desk' }, [
    skill('read_price', { tags: ['prices'] }),
  ]);
  before(async () => {
    world = await openFixture();
    await fill(world, [desk]);
    const quoteOf = (body: unknown) => {
      const read = readHttpQuote({ status: 402, paymentRequired: undefined, body });
      assert.ok(read?.kind === 'quote');
      return { ...read.quote, quotedAt: world.hub.clock.now() };
    };
    const bare = { ...quoteOf(V2), price: { ...quoteOf(V2).price, amount: atomic(9n) } };
    const { accept: _accept, ...before } = bare;
    await world.hub.running.hub.store.write((tx) =>
      saveQuotes(tx, [
        {
          ...quoteOf(V2),
          kind: 'mcp',
          endpoint: desk.listing.endpoint,
          origin: desk.listing.origin,
          tool: 'read_price',
          listingId: desk.listing.id,
        },
        {
          ...quoteOf(V1),
          kind: 'http',
          endpoint: 'https://plain.example/x',
          origin: 'https://plain.example',
        },
        {
          ...before,
          kind: 'http',
          endpoint: 'https://old.example/x',
          origin: 'https://old.example',
        },
      ]),
    );
  });
  after(() => world.close());

  const items = async (query = ''): Promise<readonly Body[]> =>
    mustOk(await world.anyone.get(`/discovery/resources${query}`))['items'] as Body[];
  const addresses = async (query: string): Promise<readonly unknown[]> =>
    (await items(query)).map(({ resource }) => resource);

  it('gives what was quoted, in the form of its version, and nothing else of the quote', async () => {
    const [tool, page] = await items();
    assert.deepEqual(at(tool, 'accepts', 0), {
      scheme: 'exact',
      asset: USDC,
      payTo: PAY_TO,
      maxTimeoutSeconds: 90,
      extra: { name: 'USD Coin', version: '2' },
      network: 'eip155:8453',
      amount: '2000',
    });
    assert.equal(at(page, 'accepts', 0, 'maxAmountRequired'), '500');
    assert.equal(at(page, 'accepts', 0, 'maxTimeoutSeconds'), 60);
    assert.equal(page?.['x402Version'], 1);
  });

  it('says what was measured, of listed endpoints', async () => {
    const [tool, page] = await items();
    assert.equal(at(tool, 'quality', 'availability'), 'live');
    assert.equal(tool?.['serviceName'], 'Price desk');
    assert.equal(at(tool, 'extensions', 'bazaar', 'info', 'input', 'toolName'), 'read_price');
    assert.deepEqual(page?.['quality'], { quotes: 1 });
  });

  it('filters by door, network of either name, payee, price and tag', async () => {
    const [desks, plain] = [[desk.listing.endpoint], ['https://plain.example/x']];
    assert.deepEqual(await addresses('?type=mcp'), desks);
    assert.equal((await addresses('?network=eip155:8453')).length, 2);
    assert.equal((await addresses('?network=base')).length, 2);
    assert.deepEqual(await addresses('?network=solana'), []);
    assert.equal((await addresses(`?payTo=${PAY_TO.toUpperCase()}`)).length, 2);
    assert.deepEqual(await addresses('?maxPrice=600'), plain);
    assert.deepEqual(await addresses('?tag=prices'), desks);
    assert.deepEqual(await addresses('?tag=price'), []);
    assert.deepEqual(await addresses('?scheme=upto'), []);
    assert.deepEqual(await addresses('?limit=1&offset=1'), plain);
  });

  it('is read by the client of x402 as it is published', async () => {
    const client = withBazaar(new HTTPFacilitatorClient({ url: world.hub.url }));
    const found = await client.extensions.bazaar.listResources({ type: 'mcp', limit: 10 });
    assert.deepEqual(found.pagination, { limit: 10, offset: 0, total: 1 });
    assert.equal(found.items[0]?.accepts[0]?.payTo, PAY_TO);
  });

  it('refuses a door that there is not', async () => {
    mustRefuse(await world.anyone.get('/discovery/resources?type=ftp'), 400, 'unknown-filter');
  });
});
