import assert from 'node:assert/strict';
import { closeSites, sendJson, type Serve } from '../../clients/examples/agents/site.ts';
import { startMcpSdk1 } from '../../clients/examples/agents/mcpSdk1.ts';
import { allowing } from '../../clients/examples/agents/site.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture } from '../harness/fixture.ts';
import { startSite } from '../../clients/examples/agents/site.ts';
import { feedWorld, openFeeds, shownFeed, type FeedWorld } from './_feeds.ts';

const HOUR = 3_600;
const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/** A record as the official registry gives it. */
const record = (name: string, more: object, status = 'active'): object => ({
  server: {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name,
    description: 'A server.',
    version: '1.0.0',
    ...more,
  },
  _meta: { [OFFICIAL]: { status, publishedAt: '2026-01-01T00:00:00Z', isLatest: true } },
});
const remote = (url: string): object => ({ remotes: [{ type: 'streamable-http', url }] });

describe('registry.crawlFeeds', () => {
  let world: FeedWorld;
  afterEach(async () => {
    await world.close();
    await closeSites();
  });

  it('reads an MCP registry page by page and notes remotes and packages', async () => {
    const pages = [
      [
        record('com.a/one', remote('https://a.example.org/mcp')),
        record('com.b/two', { packages: [{ registryType: 'npm', identifier: 'rm-rf' }] }),
      ],
      [
        record('com.c/three', remote('https://c.example.org/{tenant}/mcp')),
        record('com.d/four', remote('https://d.example.org/mcp'), 'deleted'),
        record('com.e/five', remote('https://e.example.org/mcp')),
      ],
    ];
    world = await openFeeds(({ path }, response) => {
      const page = Number(new URL(path, 'http://x').searchParams.get('cursor') ?? 0);
      const more = page + 1 < pages.length && { nextCursor: `${page + 1}` };
      sendJson(response, 200, { servers: pages[page], metadata: { count: 2, ...more } });
    });
    const url = await world.add('/v0.1/servers');
    assert.equal(await world.read(), 2);
    assert.deepEqual(await world.origins(), ['https://a.example.org', 'https://e.example.org']);
    assert.match(world.site.requests[0] ?? '', /limit=100&version=latest$/);
    const shown = await shownFeed(world);
    assert.equal(shown['url'], url);
    assert.equal(shown['kind'], 'mcp-registry');
    assert.equal(shown['state'], 'waiting');
    assert.equal(shown['names'], 2);
    assert.deepEqual(shown['pass'], {
      pages: 2,
      proposed: 2,
      packages: 1,
      skipped: 2,
      refused: 0,
    });
  });

  it('asks an MCP registry for what changed since its last complete pass, once an hour', async () => {
    world = await openFeeds((_, response) =>
      sendJson(response, 200, { servers: [], metadata: { count: 0 } }),
    );
    await world.add('/v0.1/servers');
    const began = new Date(world.hub.clock.now()).toISOString();
    await world.read();
    await world.hub.runJob('crawlFeeds');
    assert.equal(world.site.requests.length, 1, 'not again within the hour');
    world.hub.clock.advance(HOUR);
    await world.read();
    const query = new URL(world.site.requests[1]?.slice(4) ?? '', 'http://x').searchParams;
    assert.equal(query.get('updated_since'), began);
  });

  it('reads x402 discovery lists of version 1 and 2 by offset', async () => {
    const items = [
      { resource: 'https://pay.example.org/weather', type: 'http', x402Version: 1, accepts: [] },
      {
        resource: { url: 'https://tools.example.org/mcp' },
        type: 'mcp',
        x402Version: 2,
        accepts: [],
      },
      { resource: 'not an address', type: 'http', x402Version: 1, accepts: [] },
    ];
    world = await openFeeds(({ path }, response) => {
      const offset = Number(new URL(path, 'http://x').searchParams.get('offset'));
      const pagination = { limit: 2, offset, total: 3 };
      const page = items.slice(offset, offset + 2);
      sendJson(response, 200, { x402Version: 2, items: page, pagination });
    });
    await world.add('/discovery/resources');
    assert.equal(await world.read(), 2);
    assert.deepEqual(await world.origins(), [
      'https://pay.example.org',
      'https://tools.example.org',
    ]);
  });

  it('reads AI Catalogs, lists of cards, sitemaps and text', async () => {
    const documents: Readonly<Record<string, string>> = {
      '/.well-known/ai-catalog.json': JSON.stringify({
        specVersion: '1.0',
        entries: [
          {
            mediaType: 'application/a2a-agent-card+json',
            url: 'https://a2a.example.org/card.json',
          },
          { mediaType: 'application/mcp-server-card+json', url: 'https://mcp.example.org/card' },
          { mediaType: 'application/ai-catalog+json', url: 'https://nested.example.org/' },
        ],
      }),
      '/cards.json': JSON.stringify(['https://listed.example.org/.well-known/agent-card.json']),
      '/sitemap.xml':
        '<?xml version="1.0"?><urlset><url><loc>https://map.example.org/?a=1&amp;b=2</loc></url></urlset>',
      '/agents.txt': '# agents\nhttps://text.example.org/\n\nnot an address\n',
    };
    world = await openFeeds(({ path }, response) => void response.end(documents[path]));
    for (const path of Object.keys(documents)) await world.add(path);
    await world.read();
    assert.deepEqual(await world.origins(), [
      'https://a2a.example.org',
      'https://listed.example.org',
      'https://map.example.org',
      'https://mcp.example.org',
      'https://text.example.org',
    ]);
  });

  it('reads one document again only when it changed', async () => {
    world = await openFeeds(({ headers }, response) => {
      const isKnown = headers['if-none-match'] === '"v1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"v1"' });
      response.end(isKnown ? undefined : 'https://text.example.org/\n');
    });
    await world.add('/agents.txt');
    await world.read();
    world.hub.clock.advance(HOUR);
    await world.read();
    assert.deepEqual((await world.feed()).pass.pages, 1);
    assert.equal((await world.feed()).names, 1);
    assert.equal(world.site.requests.length, 2);
  });

  it('reads another hub, and goes on from its cursor in the next pass', async () => {
    const server = await startMcpSdk1();
    const other = await openFixture({ env: allowing(server) });
    mustOk(await other.anyone.post('/api/v1/mcp-servers', { url: `${server.url}/mcp` }), 202);
    await other.hub.runJob('crawl');
    other.hub.clock.advance(10);
    const relay = await startSite(async ({ path }, response) => {
      const answer = await fetch(other.hub.url + path);
      response.end((await answer.text()).replaceAll(other.hub.url, relay.url));
    });
    const pairs = { HUB_ALLOW_PRIVATE_HOSTS: `${relay.pair},${server.pair}` };
    world = feedWorld(await openFixture({ env: pairs }), relay);
    await world.add('/api/v1/agents.ndjson');
    await world.read();
    await other.close();
    assert.deepEqual(await world.origins(), [server.url]);
    assert.match((await world.feed()).cursor ?? '', /afterSeenAt=/);
    world.hub.clock.advance(10);
    await world.hub.runJob('crawl');
    const { agents } = mustOk(await world.anyone.get('/api/v1/agents'));
    assert.equal(at(agents, 0, 'origin'), server.url, 'the probe made the listing');
  });

  it('shows which feeds proposed an origin, and the outcome of its visit', async () => {
    const server = await startMcpSdk1();
    const site = await startSite((_, response) =>
      sendJson(response, 200, {
        servers: [record('com.a/one', remote(`${server.url}/mcp`))],
        metadata: {},
      }),
    );
    const env = { HUB_ALLOW_PRIVATE_HOSTS: `${site.pair},${server.pair}` };
    world = feedWorld(await openFixture({ env }), site);
    const feed = await world.add('/v0.1/servers');
    await world.read();
    world.hub.clock.advance(10);
    await world.hub.runJob('crawl');
    const path = `/api/v1/agents/submissions/${encodeURIComponent(server.url)}`;
    const body = mustOk(await world.anyone.get(path));
    assert.equal(body['state'], 'listed');
    assert.equal(body['submissions'], 0);
    assert.equal(at(body, 'feeds', 0, 'feed'), feed);
    assert.equal(at(body, 'feeds', 0, 'name'), 'com.a/one');
    assert.equal(at(body, 'feeds', 0, 'url'), `${server.url}/mcp`);
    const { agents } = mustOk(await world.anyone.get('/api/v1/agents'));
    assert.notEqual(at(agents, 0, 'name'), 'com.a/one', 'a feed names nothing');
  });

  it('takes feeds from the settings', async () => {
    const serve: Serve = (_, response) => void response.end('https://text.example.org/\n');
    const site = await startSite(serve);
    const env = { ...allowing(site), HUB_CRAWL_FEEDS: `${site.url}/a.txt, ${site.url}/b.txt` };
    world = feedWorld(await openFixture({ env }), site);
    await world.hub.runJob('crawlFeeds');
    const { feeds, count } = mustOk(await world.anyone.get('/api/v1/crawl/feeds'));
    assert.equal(count, 2);
    assert.equal(at(feeds, 0, 'url'), `${site.url}/a.txt`);
  });
});
