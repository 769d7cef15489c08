import assert from 'node:assert/strict';
import { addFeed } from '../../db/registry/crawlFeeds.ts';
import { saveProposals } from '../../db/registry/crawlProposals.ts';
import { saveQuotes } from '../../db/registry/quotes.ts';
import { atomic } from '../../domain/money.ts';
import { instant } from '../../domain/instant.ts';
import { plain } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { fill, listing } from './_index.ts';

const SUITE_MS_MAX = 60_000;
const PATH = '/api/v1/crawl/feeds?by=month';
/** More than the 30 days that an uptime is of. */
const LONG_AGO = instant(Date.parse('2026-10-01T00:00:00Z'));
const FEED = 'https://registry.example.org/v0.1/servers';
for (const [name, url] of DATABASES) {
  describe(`registry.crawlFeeds by month (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await fill(world, [
        listing('open.example.org', { uptimeBps: 9_950, firstSeenAt: LONG_AGO }),
        listing('keyed.example.org', { access: 'auth-required', uptimeBps: 5_000 }),
        listing('paid.example.org', { access: 'paid', quotesX402: true }),
        listing('gone.example.org', { availability: 'unreachable' }),
      ]);
      const proposal = (host: string, at: string) => ({
        feed: FEED,
        url: `https://${host}.example.org/mcp`,
        origin: `https://${host}.example.org`,
        firstAt: instant(Date.parse(at)),
        lastAt: instant(Date.parse(at)),
      });
      await world.hub.running.hub.store.write(async (tx) => {
        await saveQuotes(tx, [
          {
            kind: 'http',
            endpoint: 'https://seller.example.org/mcp',
            origin: 'https://seller.example.org',
            price: { amount: atomic(5n), asset: 'USDC', network: 'eip155:8453', payTo: '0x1' },
            x402Version: 2,
            scheme: 'exact',
            accept: {},
            quotedAt: world.hub.clock.now(),
          },
        ]);
        await addFeed(tx, FEED, 'mcp-registry', world.hub.clock.now());
        await saveProposals(tx, [
          proposal('open', '2026-10-31T23:59:59Z'),
          proposal('keyed', '2026-11-01T00:00:00Z'),
          proposal('paid', '2026-11-02T00:00:00Z'),
          proposal('gone', '2026-11-03T00:00:00Z'),
          proposal('never', '2026-11-04T00:00:00Z'),
          proposal('seller', '2026-11-05T00:00:00Z'),
        ]);
      });
    });
    after(() => world.close());

    it('counts what a feed named by month, and what of it answers', async () => {
      const { months, count } = mustOk(await world.anyone.get(PATH));
      assert.equal(count, 1);
      const shared = { feed: FEED, kind: 'mcp-registry' };
      assert.deepEqual(months, [
        {
          ...shared,
          month: '2026-10',
          names: 1,
          probed: 1,
          listed: 1,
          answering: 1,
          speaksMcp: 1,
          needsAuthorisation: 0,
          charges: 0,
          watched30d: 1,
          up30d: 1,
        },
        {
          ...shared,
          month: '2026-11',
          names: 5,
          probed: 3,
          listed: 3,
          answering: 2,
          speaksMcp: 2,
          needsAuthorisation: 1,
          charges: 2,
          watched30d: 0,
          up30d: 0,
        },
      ]);
    });

    it('says how each figure is counted, and names calls that answer', async () => {
      const { figures } = mustOk(await world.anyone.get(PATH));
      assert.equal((figures as unknown[]).length, 8);
      for (const { query } of figures as { readonly query: string }[]) {
        mustOk(await world.anyone.get(query));
      }
    });

    it('is a CSV file for a client that asks for one', async () => {
      const request = plain(world.hub, 'GET', PATH);
      request.headers.set('accept', 'text/csv');
      const { text, headers } = await world.anyone.send(request);
      assert.match(headers.get('content-type') ?? '', /^text\/csv/);
      assert.match(text, /^feed,kind,month,names,/);
      assert.match(text, /2026-11,5,/);
    });

    it('has neither months nor a file of them unless asked for', async () => {
      const request = plain(world.hub, 'GET', PATH.slice(0, PATH.indexOf('?')));
      request.headers.set('accept', 'text/csv');
      const { text, headers } = await world.anyone.send(request);
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
      const answer = JSON.parse(text) as Readonly<Record<string, unknown>>;
      assert.deepEqual(Object.keys(answer), ['count', 'feeds', 'at']);
    });
  });
}
