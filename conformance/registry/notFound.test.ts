import assert from 'node:assert/strict';
import { addFeed } from '../../db/registry/crawlFeeds.ts';
import { claimTargets } from '../../db/registry/targets.ts';
import { instant } from '../../domain/instant.ts';
import { quoteV1 } from '../../clients/examples/agents/priced.ts';
import { allowing, closeSites, sendJson, startSite } from '../../clients/examples/agents/site.ts';
import type { Serve, Site } from '../../clients/examples/agents/site.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { operatorCode } from '../../domain/registry/code.ts';
import { fill, listing } from './_index.ts';

type Body = Record<string, unknown>;

/** Every kind of behaviour, and what its operator must read when it is not found. */
interface Kind {
  readonly path: string;
  readonly verdict: string;
  readonly lists: readonly string[];
  /** The text of the first condition that does not hold; absent when all hold. */
  readonly says?: RegExp;
  readonly serve?: Serve;
}

const speaks = (name: string): Serve => {
  return ({ body }, response) => {
    const { id, method } = JSON.parse(body || '{}') as { id?: unknown; method?: string };
    if (method === undefined) return void response.writeHead(405).end();
    const serverInfo = { name, version: '1' };
    const result =
      method === 'initialize'
        ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo }
        : { tools: [{ name: 'read', inputSchema: { type: 'object' } }] };
    sendJson(response, 200, { jsonrpc: '2.0', id, result });
  };
};
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Serve =>
  (_, response) =>
    sendJson(response, code, {}, headers);
const card = (url: string): object => ({
  name: 'Card agent',
  description: 'Answers tasks.',
  version: '1',
  url,
  protocolVersion: '0.3.0',
  capabilities: {},
  skills: [],
});
const taskNotFound: Serve = ({ body }, response) => {
  const { id } = JSON.parse(body) as { id: unknown };
  sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32_001, message: 'No task' } });
};

const KINDS: readonly Kind[] = [
  { path: '/live', verdict: 'found', lists: ['mcp'], serve: speaks('live') },
  { path: '/deep/er/path', verdict: 'found', lists: ['mcp'], serve: speaks('deep') },
  {
    path: '/keyed',
    verdict: 'found',
    lists: ['mcp'],
    serve: status(401, { 'www-authenticate': 'Bearer resource_metadata="https://x.example/"' }),
  },
  { path: '/cards/one.json', verdict: 'found', lists: ['a2a'] },
  {
    path: '/paid',
    verdict: 'found',
    lists: ['x402'],
    serve: (_, response) => sendJson(response, 402, quoteV1({})),
  },
  { path: '/shut', verdict: 'not-listed', lists: [], says: /key-needed/, serve: status(401) },
  { path: '/paywall', verdict: 'not-listed', lists: [], says: /quoted/, serve: status(402) },
  { path: '/gone', verdict: 'not-listed', lists: [], says: /not-found.*404/ },
  { path: '/broken', verdict: 'not-listed', lists: [], says: /500/, serve: status(500) },
  {
    path: '/page',
    verdict: 'not-listed',
    lists: [],
    says: /malformed/,
    serve: (_, response) => void response.end('<h1>Hello</h1>'),
  },
  {
    path: '/closes',
    verdict: 'not-listed',
    lists: [],
    says: /unreachable/,
    serve: (_, response) => void response.destroy(),
  },
  {
    path: '/moved',
    verdict: 'not-listed',
    lists: [],
    says: /forbidden|malformed/,
    serve: (_, response) => void response.writeHead(302, { location: 'http://10.1.2.3/mcp' }).end(),
  },
  { path: '/private/mcp', verdict: 'not-listed', lists: [], says: /robots\.txt/ },
  {
    path: '/cards/grpc.json',
    verdict: 'not-listed',
    lists: [],
    says: /skipped.*GRPC/,
    serve: (_, response) =>
      sendJson(response, 200, { ...card('/grpc'), preferredTransport: 'GRPC', name: 'G' }),
  },
];

hubsOnBothDatabases('why an address is not found', (open) => {
  after(closeSites);
  let world: Fixture;
  let site: Site;
  let feeds: Site;

  const ask = async (url: string): Promise<Body> =>
    mustOk(await world.anyone.get(`/api/v1/diagnosis?url=${encodeURIComponent(url)}`));
  const failing = (body: Body): Body | undefined =>
    (body['checks'] as Body[]).find(({ holds }) => holds === false);
  const listsOf = (body: Body): unknown => (body['lists'] as Body[]).map(({ list }) => list);

  before(async () => {
    site = await startSite((request, response) => {
      const { path } = request;
      if (path === '/robots.txt') return void response.end('User-agent: *\nDisallow: /private/\n');
      if (path === '/a2a') return taskNotFound(request, response);
      if (path === '/cards/one.json') return sendJson(response, 200, card(`${site.url}/a2a`));
      const kind = KINDS.find((each) => each.path === path);
      if (kind?.serve !== undefined) return kind.serve(request, response);
      sendJson(response, 404, {});
    });
    feeds = await startSite((_, response) => {
      const named = [...KINDS.map(({ path }) => path), '/late'];
      const servers = named.map((path, nth) => ({
        server: {
          name: `org.example/s${nth}`,
          remotes: [{ type: 'streamable-http', url: site.url + path }],
        },
      }));
      sendJson(response, 200, { servers, metadata: { count: servers.length } });
    });
    world = await open({ env: allowing(site, feeds) });
    const { store } = world.hub.running.hub;
    for (const path of KINDS.map((kind) => kind.path)) {
      if (!path.startsWith('/cards/') && path !== '/paid') continue;
      const kind = path.startsWith('/cards/') ? { kind: 'a2a' } : {};
      mustOk(await world.anyone.post('/api/v1/agents', { url: site.url + path, ...kind }), 202);
    }
    const url = `${feeds.url}/v0.1/servers`;
    await store.write((tx) => addFeed(tx, url, 'mcp-registry', world.hub.clock.now()));
  });

  it('says of an address that was not asked yet who named it and when its turn is', async () => {
    await world.hub.runJob('crawlFeeds');
    const body = await ask(`${site.url}/late`);
    assert.equal(body['verdict'], 'waiting');
    assert.equal((body['feeds'] as Body[])[0]?.['url'], `${site.url}/late`);
    assert.ok(Number(body['ahead']) > 7, `${String(body['ahead'])} are before it`);
    assert.match(String(failing(body)?.['says']), /are asked before it, about 7 in one look/);
    assert.ok(Date.parse(String(body['nextLookAt'])) > world.hub.clock.now());
  });

  it('asks every address within an hour, though one look asks few', async () => {
    for (let look = 0; look < 6; look += 1) {
      world.hub.clock.advance(601);
      await world.hub.runJob('crawl');
    }
    const late = await ask(`${site.url}/late`);
    assert.equal(late['verdict'], 'not-listed', JSON.stringify(late));
  });

  for (const { path, verdict, lists, says } of KINDS) {
    it(`answers for ${path}: ${verdict}`, async () => {
      const body = await ask(site.url + path);
      assert.equal(body['verdict'], verdict, JSON.stringify(body));
      assert.deepEqual(listsOf(body), lists);
      const first = failing(body);
      if (says === undefined) return assert.equal(first, undefined);
      assert.match(String(first?.['says']), says);
      assert.ok(String(first?.['fix']).length > 10);
      assert.ok(body['lastLookAt'], 'it was asked');
      assert.ok((body['probes'] as Body[]).length > 0, 'what came back is shown step by step');
    });
  }

  it('says of a sibling that was never named that it was not named', async () => {
    const body = await ask(`${site.url}/never`);
    assert.equal(body['verdict'], 'unknown');
    assert.match(String(failing(body)?.['says']), /other addresses were named/);
  });

  it('understands capitals, a slash at the end and a host alone', async () => {
    const upper = site.url.replace('http', 'HTTP');
    assert.equal((await ask(`${upper}/live`))['verdict'], 'found');
    assert.equal((await ask(`${site.url}/live/`))['verdict'], 'found');
    const host = await ask('agent.hub-example.org');
    assert.deepEqual([host['url'], host['verdict']], ['https://agent.hub-example.org/', 'unknown']);
  });

  it('names no moment that has passed, though a process that looked was killed', async () => {
    world.hub.clock.advance(9 * 3_600);
    const { store } = world.hub.running.hub;
    const now = world.hub.clock.now();
    const overdue = await ask(`${site.url}/live`);
    assert.ok(Date.parse(String(overdue['nextLookAt'])) >= now);
    const until = instant(now + 300_000);
    await store.write((tx) => claimTargets(tx, { claim: 'killed', until, now, limit: 10 }));
    const held = await ask(`${site.url}/live`);
    assert.equal(Date.parse(String(held['nextLookAt'])), until, 'the claim ends then');
    world.hub.clock.advance(400);
    const freed = await ask(`${site.url}/live`);
    assert.ok(Date.parse(String(freed['nextLookAt'])) >= world.hub.clock.now());
    const record = mustOk(
      await world.anyone.get(`/api/v1/agents/submissions/${encodeURIComponent(site.url)}`),
    );
    assert.ok(Date.parse(String(record['nextLookAt'])) >= world.hub.clock.now());
  });
});

hubsOnBothDatabases('an origin with more servers than it may list in a day', (open) => {
  after(closeSites);

  it('gets a hundred new listings, and each other address says what it waits for', async () => {
    const site = await startSite((request, response) => {
      if (request.path === '/robots.txt') return sendJson(response, 404, {});
      return speaks(request.path)(request, response);
    });
    const world = await open({ env: allowing(site) });
    const { store } = world.hub.running.hub;
    await fill(
      world,
      Array.from({ length: 99 }, (_, nth) =>
        listing(`n${nth}.example.org`, {
          operatorId: operatorCode(site.pair),
          firstSeenAt: world.hub.clock.now(),
        }),
      ),
    );
    const ask = async (path: string): Promise<Body> =>
      mustOk(
        await world.anyone.get(`/api/v1/diagnosis?url=${encodeURIComponent(site.url + path)}`),
      );
    for (const path of ['/one', '/two']) {
      mustOk(await world.anyone.post('/api/v1/mcp-servers', { url: site.url + path }), 202);
    }
    world.hub.clock.advance(61);
    await world.hub.runJob('crawl');
    const rows = await store.read((db) => db.knex('listings').where({ origin: site.url }));
    assert.equal(rows.length, 1);
    const bodies = [await ask('/one'), await ask('/two')];
    const late = bodies.find(({ verdict }) => verdict === 'not-listed');
    assert.match(JSON.stringify(late), /an operator gets 100 new listings a day/);
    world.hub.clock.advance(2 * 86_400);
    await world.hub.runJob('crawl');
    assert.deepEqual(
      [(await ask('/one'))['verdict'], (await ask('/two'))['verdict']],
      ['found', 'found'],
    );
  });
});
