import assert from 'node:assert/strict';
import { closeSites, sendJson, type Serve } from '../../clients/examples/agents/site.ts';
import { FEED_LIMITS } from '../../domain/registry/crawlFeed.ts';
import { addressesOf } from '../../domain/registry/turns.ts';
import { mustOk } from '../harness/must.ts';
import { openFeeds, shownFeed, type FeedWorld } from './_feeds.ts';

const HOUR = 3_600;
const SUITE_MS_MAX = 60_000;
const servers = (urls: readonly string[], nextCursor?: string): object => ({
  servers: urls.map((url, n) => ({
    server: { name: `com.x/s${n}`, remotes: [{ type: 'streamable-http', url }] },
  })),
  metadata: { ...(nextCursor !== undefined && { nextCursor }) },
});
const queryOf = (path: string): URLSearchParams => new URL(path, 'http://x').searchParams;
const text =
  (body: string): Serve =>
  (_, response) =>
    void response.end(body);

/** Answers that are no feed, and the reason that the feed's record shows. */
const FAULTS: readonly (readonly [string, string, Serve, RegExp])[] = [
  ['a web page', '/v0.1/servers', text('<!doctype html><h1>Hello</h1>'), /MCP registry/],
  ['a web page as a list', '/list', text('<!doctype html><h1>Hello</h1>'), /HTML/],
  ['an index of sitemaps', '/sitemap.xml', text('<sitemapindex></sitemapindex>'), /index/],
  ['JSON of another form', '/discovery/resources', text('{"servers":[]}'), /items/],
  ['text without an address', '/list.txt', text('hello\nworld\n'), /without an address/],
  ['broken JSON', '/list.json', text('[{"url":'), /not JSON/],
  ['lines of no hub', '/agents.ndjson', text('{"line":"agent"}\n'), /feed of a hub/],
  [
    'a cursor that leads to another host',
    '/agents.ndjson',
    text('{"line":"hub"}\n{"line":"cursor","next":"https://victim.example.org/agents.ndjson"}\n'),
    /another address/,
  ],
  ['status 500', '/v0.1/servers', (_, response) => sendJson(response, 500, {}), /500/],
  [
    'a page without entries and another cursor',
    '/v0.1/servers',
    (_, response) => sendJson(response, 200, servers([], 'x')),
    /no end/,
  ],
  [
    'a cursor of 2,000 letters',
    '/v0.1/servers',
    (_, response) =>
      sendJson(response, 200, servers(['https://a.example.org/'], 'x'.repeat(2_000))),
    /cursor/,
  ],
  [
    'a redirect to a private address',
    '/v0.1/servers',
    (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    /10\.0\.0\.1|https|public/,
  ],
];

describe('feeds that lie', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: FeedWorld;
  afterEach(async () => {
    await world.close();
    await closeSites();
  });

  for (const [title, path, serve, fault] of FAULTS) {
    it(`refuses ${title}, shows why, and waits before it asks again`, async () => {
      world = await openFeeds(serve);
      await world.add(path);
      await world.hub.runJob('crawlFeeds');
      const shown = await shownFeed(world);
      assert.equal(shown['state'], 'failing');
      assert.match(String(shown['fault']), fault);
      assert.deepEqual(await world.origins(), []);
      const pause = Date.parse(String(shown['nextPageAt'])) - world.hub.clock.now();
      assert.equal(pause, HOUR * 1000);
    });
  }

  it('waits longer after each failure, at most a day, and as long as it is asked to', async () => {
    world = await openFeeds((_, response) =>
      sendJson(response, 429, {}, { 'retry-after': '7200' }),
    );
    await world.add('/v0.1/servers');
    const pauses: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      await world.hub.runJob('crawlFeeds');
      const pauseMs = (await world.feed()).nextPageAt - world.hub.clock.now();
      pauses.push(pauseMs / 1000 / HOUR);
      world.hub.clock.advance(pauseMs / 1000);
    }
    assert.deepEqual(pauses, [2, 2, 4, 8, 16, 24, 24]);
  });

  it('reads no more than its limit of an answer without end', async () => {
    let sent = 0;
    world = await openFeeds(async (_, response) => {
      response.on('error', () => undefined);
      const piece = 'x'.repeat(65_536);
      const closed = new Promise((resolve) => response.once('close', resolve));
      while (!response.destroyed && sent < 64 * 1_048_576) {
        sent += piece.length;
        if (!response.write(piece)) {
          const drained = new Promise((resolve) => response.once('drain', resolve));
          await Promise.race([drained, closed]);
        }
      }
    });
    await world.add('/v0.1/servers');
    await world.hub.runJob('crawlFeeds');
    assert.equal((await shownFeed(world))['state'], 'failing');
    assert.ok(sent < 32 * 1_048_576, `${sent} bytes were taken`);
  });

  it('takes no address that the hub never calls', async () => {
    const hostile = [
      'https://10.1.2.3/mcp',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/mcp',
      'https://localhost/mcp',
      'http://plain.example.org/mcp',
      'https://user:secret@auth.example.org/mcp',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://ok.example.org/mcp',
    ];
    world = await openFeeds((_, response) => sendJson(response, 200, servers(hostile)));
    await world.add('/v0.1/servers');
    await world.read();
    assert.deepEqual(await world.origins(), ['https://ok.example.org']);
    const shown = await shownFeed(world);
    assert.ok(Number((shown['pass'] as Record<string, unknown>)['refused']) >= 5);
    assert.equal(typeof shown['refusal'], 'string');
  });

  it('takes 50 addresses of an origin that has thousands', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => `https://many.example.org/${n}/mcp`);
    world = await openFeeds((_, response) => sendJson(response, 200, servers(many)));
    await world.add('/v0.1/servers');
    await world.read();
    assert.deepEqual(await world.origins(), ['https://many.example.org']);
    assert.equal((await world.feed()).names, addressesOf(0));
    assert.match((await world.feed()).refusal ?? '', /50 addresses of one origin/);
  });

  it('cleans names in other scripts and of any length', async () => {
    const names = ['ไทย\u202eแปลก', '名\u0000前', 'x'.repeat(5_000), '\u{1F600}'.repeat(300)];
    world = await openFeeds((_, response) =>
      sendJson(response, 200, {
        servers: names.map((name, n) => ({
          server: { name, remotes: [{ type: 'sse', url: `https://n${n}.example.org/sse` }] },
        })),
        metadata: {},
      }),
    );
    await world.add('/v0.1/servers');
    await world.read();
    for (const [n] of names.entries()) {
      const path = `/api/v1/agents/submissions/n${n}.example.org`;
      const { feeds } = mustOk(await world.anyone.get(path));
      const name = String((feeds as Record<string, unknown>[])[0]?.['name']);
      assert.ok([...name].length <= 200);
      assert.doesNotMatch(name, /[\u0000\u202e]/);
    }
  });

  it('goes on in the middle of a pass after a restart, and proposes no name twice', async () => {
    world = await openFeeds(({ path }, response) => {
      const page = Number(queryOf(path).get('cursor') ?? 0);
      const urls = Array.from({ length: 100 }, (_, n) => `https://s${page}-${n}.example.org/mcp`);
      sendJson(response, 200, servers(urls, page < 5 ? `${page + 1}` : undefined));
    });
    await world.add('/v0.1/servers');
    await world.read(3);
    assert.equal((await world.feed()).cursor, '3');
    // Another process claimed the page and was killed: its claim expires.
    const { store } = world.hub.running.hub;
    await store.write(async (tx) => {
      const until = world.hub.clock.now() + 60_000;
      await tx.knex('crawl_feeds').update({ claim: 'killed', claimed_until: until });
    });
    await world.read(1);
    assert.equal((await world.feed()).cursor, '3', 'a claimed page is read by one process');
    world.hub.clock.advance(61);
    await world.read();
    assert.equal((await world.feed()).names, 600);
    assert.equal((await world.origins()).length, 600);
    const asked = world.site.requests.map((each) => queryOf(each.slice(4)).get('cursor'));
    assert.deepEqual(asked, [null, '1', '2', '3', '4', '5']);
  });

  it('queues a large feed so that a submission goes first', async () => {
    world = await openFeeds(({ path }, response) => {
      const page = Number(queryOf(path).get('cursor') ?? 0);
      const urls = Array.from({ length: 1_000 }, (_, n) => `https://s${page}-${n}.example.org/mcp`);
      sendJson(response, 200, servers(urls, `${page + 1}`));
    });
    await world.add('/v0.1/servers');
    await world.read(FEED_LIMITS.newADay / 1_000 + 2);
    const feed = await world.feed();
    assert.equal(feed.names, FEED_LIMITS.newADay);
    assert.match(feed.fault ?? '', /tomorrow/);
    assert.ok(feed.nextPageAt > world.hub.clock.now());
    const due = await world.hub.running.hub.store.read((db) =>
      db.knex('crawl_targets').where('next_look_at', '<=', world.hub.clock.now()).count('* as n'),
    );
    const { n } = (due as { readonly n: number }[])[0] ?? { n: -1 };
    assert.ok(Number(n) <= 12, `${n} of 20,000 are due at once`);
    world.hub.clock.advance(24 * HOUR);
    await world.read(2);
    assert.equal((await world.feed()).names, FEED_LIMITS.newADay + 2_000, 'it goes on tomorrow');
  });
});
