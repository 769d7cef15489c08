import assert from 'node:assert/strict';
import { startA2aSdk03, startA2aSdk1 } from '../../clients/examples/agents/a2aSdk.ts';
import { startEverything } from '../../clients/examples/agents/everything.ts';
import { startMcpOld, startMcpSdk1 } from '../../clients/examples/agents/mcpSdk1.ts';
import { startMcpSdk2 } from '../../clients/examples/agents/mcpSdk2.ts';
import { startPriced } from '../../clients/examples/agents/priced.ts';
import {
  allowing,
  closeSites,
  notFound,
  sendJson,
  startSite,
  type Site,
} from '../../clients/examples/agents/site.ts';
import { addDomain } from '../../db/passport/domains.ts';
import type { ProvedDomain } from '../../domain/passport/domain.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

type Json = Record<string, unknown>;
const submissionOf = (origin: string): string =>
  `/api/v1/agents/submissions/${encodeURIComponent(origin)}`;

describe('registry.submit', () => {
  let world: Fixture;
  afterEach(async () => {
    await world.close();
    await closeSites();
  });

  /** Submits, lets the crawler look, and answers the record. */
  async function listed(site: Site, path = '', kind?: string): Promise<Json> {
    world = await openFixture({ env: allowing(site) });
    const url = site.url + path;
    const receipt = mustOk(
      await world.anyone.post('/api/v1/agents', { url, ...(kind !== undefined && { kind }) }),
      202,
    );
    assert.equal(receipt['state'], 'waiting');
    await world.hub.runJob('crawl');
    return mustOk(await world.anyone.get(submissionOf(site.url)));
  }
  const listingOf = async (record: Json, place = 0): Promise<Json> =>
    mustOk(await world.anyone.get(`/api/v1/agents/${String(at(record, 'found', place, 'id'))}`));

  for (const [title, start, path, kind, transport, version] of [
    ['MCP, SDK v1', () => startMcpSdk1(), '', 'mcp', 'streamable-http', '2025-11-25'],
    [
      'MCP, SDK v1 with sessions',
      () => startMcpSdk1({ sessions: true }),
      '/mcp',
      'mcp',
      'streamable-http',
      '2025-11-25',
    ],
    ['MCP, SDK v2', () => startMcpSdk2(), '', 'mcp', 'streamable-http', '2026-07-28'],
    ['MCP, HTTP+SSE', () => startMcpOld(), '/sse', 'mcp', 'sse', '2024-11-05'],
    ['A2A 1.0', startA2aSdk1, '', 'a2a', 'JSONRPC', '1.0'],
    ['A2A 0.3', startA2aSdk03, '', 'a2a', 'JSONRPC', '0.3.0'],
  ] as const) {
    it(`${title}: is listed with what was measured`, async () => {
      const record = await listed(await start(), path);
      assert.deepEqual(
        [record['state'], record['crawled']],
        ['listed', true],
        JSON.stringify(record),
      );
      const listing = await listingOf(record);
      assert.deepEqual(
        [listing['kind'], listing['transport'], listing['protocolVersion']],
        [kind, transport, version],
      );
      assert.deepEqual([listing['availability'], listing['access']], ['live', 'open']);
      assert.equal(listing['uptime'], 1);
      assert.ok((listing['skills'] as Json[]).length >= 2);
    });
  }

  it('looks again at once for a signer, six times an hour for all signers of an origin', async () => {
    const site = await startMcpSdk1();
    world = await openFixture({ env: { ...allowing(site), HUB_RATE_LIMITS: 'true' } });
    const body = { url: `${site.url}/mcp` };
    const looks = (): Promise<void> => world.hub.runJob('crawl');
    const waits = async (asked: ReturnType<typeof world.anyone.post>): Promise<number> => {
      const { nextLookAt } = mustOk(await asked, 202);
      return Date.parse(String(nextLookAt)) - world.hub.clock.now();
    };
    const visit = (): Promise<number> => waits(world.anyone.post('/api/v1/agents', body));
    assert.equal(await visit(), 0);
    await looks();
    assert.equal(await visit(), 60_000, 'a repeat waits');
    const alice = await world.agent();
    for (let nth = 0; nth < 6; nth += 1) {
      assert.ok((await waits(alice.post('/api/v1/agents', body))) <= 0, `look ${nth}`);
      await looks();
    }
    assert.equal(await visit(), 600_000, 'the wait of others is as it was');
    assert.ok((await waits(alice.post('/api/v1/agents', body))) > 0, 'no seventh');
    const mallory = await world.agent();
    assert.ok((await waits(mallory.post('/api/v1/agents', body))) > 0, 'nor of another key');
    const owner = world.alice;
    const { origin, host } = new URL(site.url);
    const at = world.hub.clock.now();
    const times = { provedAt: at, lastConfirmedAt: at, nextCheckAt: at };
    const proved = { domain: host, keyId: owner.keyId, origin, method: 'well-known', ...times };
    mustOk(await owner.post('/api/v1/passport', { keyId: owner.keyId }));
    await world.hub.running.hub.store.write((tx) => addDomain(tx, proved as ProvedDomain));
    await looks();
    assert.ok((await waits(owner.post('/api/v1/agents', body))) <= 0, 'the owner has a share');
    world.hub.clock.advance(3_600);
    assert.ok((await waits(mallory.post('/api/v1/agents', body))) <= 0, 'an hour later');
  });

  it('calls only tools that change and need nothing, and says why of the others', async () => {
    const site = await startMcpSdk1();
    const listing = await listingOf(await listed(site, '/mcp', 'mcp'));
    const skills = (listing['skills'] as Json[]).map(({ id, access }) => [id, access]);
    assert.deepEqual(skills, [
      ['list-currencies', 'open'],
      ['convert', 'unknown'],
      ['delete_history', 'unknown'],
    ]);
    const calls = site.bodies.filter((body) => body.includes('"tools/call"'));
    assert.equal(calls.length, 1);
    assert.match(calls[0] ?? '', /list-currencies/);
    assert.equal(listing['verifiedOpen'], true);
  });

  it('lists a server that asks for money, with each price', async () => {
    const site = await startPriced({ amount: '4200' });
    const listing = await listingOf(await listed(site, '/mcp'));
    const skills = (listing['skills'] as Json[]).map(({ id, access, price }) => [
      id,
      access,
      at(price, 'amount'),
    ]);
    assert.deepEqual(skills, [
      ['as-result', 'paid', '4200'],
      ['as-text', 'paid', '4200'],
      ['as-error', 'paid', '4200'],
      ['as-402', 'paid', '4200'],
      ['free', 'open', undefined],
    ]);
    assert.deepEqual(listing['authSchemes'], ['none', 'x402']);
  });

  it('keeps plain x402 addresses as quotes, and says that they are no listing', async () => {
    const site = await startPriced();
    const record = await listed(site, '/v2');
    assert.equal(record['state'], 'not-listed');
    assert.match(String(record['why']), /quotes a price over x402/);
    const { endpoints } = mustOk(await world.anyone.get('/api/v1/x402'));
    assert.deepEqual(
      (endpoints as Json[]).map(({ kind, x402Version }) => [kind, x402Version]),
      [['http', 2]],
    );
  });

  const NO_SERVER: readonly unknown[] = [
    { error: { type: 'insufficient_quota' } },
    { error: { message: 'Pay first.', type: 'billing', code: 'insufficient_quota' } },
    { error: { message: 'Pay first.', code: 402 } },
    { error: 'payment required' },
    { jsonrpc: '2.0', error: { type: 'insufficient_quota' } },
    { jsonrpc: '2.0', id: null, error: { code: 'quota', message: 'no' } },
    { jsonrpc: '2.0', id: 'another', error: { code: 402, message: 'no' } },
    { jsonrpc: '2.0', id: null, result: {} },
    { id: null, result: null },
    [{ error: { code: 402, message: 'no' } }],
  ];
  for (const body of NO_SERVER) {
    it(`takes a 402 for what it says, no server and no price: ${JSON.stringify(body)}`, async () => {
      const site = await startSite((request, response) =>
        request.path === '/mcp' ? sendJson(response, 402, body) : notFound(response),
      );
      const record = await listed(site, '/mcp', 'mcp');
      assert.equal(record['state'], 'not-listed', JSON.stringify(record));
      assert.deepEqual(record['found'] ?? [], []);
    });
  }

  it('reads all pages of the tools, each session closed', async () => {
    const tools = Array.from({ length: 45 }, (_, n) => ({
      name: `create-${n}`,
      description: `Tool ${n}.`,
      inputSchema: { type: 'object' as const, properties: {} },
    }));
    const site = await startMcpSdk1({ tools, pageSize: 10, sessions: true });
    const listing = await listingOf(await listed(site, '/mcp'));
    assert.equal((listing['skills'] as Json[]).length, 45);
    assert.equal(site.requests.filter((each) => each.startsWith('DELETE')).length, 1);
  });

  it('reads like a compiler when nothing is found', async () => {
    const record = await listed(await startSite((_, response) => notFound(response)));
    assert.equal(record['state'], 'not-listed');
    assert.match(String(record['why']), /Neither an agent card nor an MCP endpoint/);
    assert.match(String(record['fix']), /agent-card\.json/);
    const steps = (record['probes'] as Json[]).map(({ step, outcome }) => `${step} ${outcome}`);
    assert.deepEqual(steps.slice(0, 3), ['robots not-found', 'card not-found', 'card not-found']);
  });

  it('backs off: now, then after 1, 10 and 60 minutes', async () => {
    const site = await startSite((_, response) => notFound(response));
    world = await openFixture({ env: allowing(site) });
    const waits: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const receipt = mustOk(await world.anyone.post('/api/v1/agents', { url: site.url }), 202);
      waits.push((Date.parse(String(receipt['nextLookAt'])) - world.hub.clock.now()) / 1000);
      assert.equal(receipt['submissions'], n + 1);
    }
    assert.deepEqual(waits, [0, 60, 600, 3600, 3600]);
    await world.hub.runJob('crawl');
    assert.equal(site.requests.length, 0, 'not before its time');
    world.hub.clock.advance(3600);
    await world.hub.runJob('crawl');
    assert.ok(site.requests.length > 0);
    world.hub.clock.advance(86_400);
    const receipt = mustOk(await world.anyone.post('/api/v1/agents', { url: site.url }), 202);
    assert.ok(Date.parse(String(receipt['nextLookAt'])) <= world.hub.clock.now());
  });

  it('a dry run answers the report at once and lists nothing', async () => {
    const site = await startMcpSdk2();
    world = await openFixture({ env: allowing(site) });
    const body = { url: `${site.url}/mcp`, dryRun: true };
    const report = mustOk(await world.anyone.post('/api/v1/agents', body));
    assert.deepEqual([report['state'], report['dryRun']], ['listed', true]);
    assert.ok((report['probes'] as Json[]).length > 3);
    mustRefuse(await world.anyone.get(submissionOf(site.url)), 404, 'not-found');
    const list = mustOk(await world.anyone.get('/api/v1/agents?includeUnavailable=true'));
    assert.equal(list['count'], 0);
  });

  it('rations dry runs, and says when the next is free', async () => {
    const site = await startSite((_, response) => notFound(response));
    world = await openFixture({ env: { ...allowing(site), HUB_RATE_LIMITS: 'true' } });
    const body = { url: site.url, kind: 'a2a', dryRun: true };
    for (let n = 0; n < 10; n += 1) mustOk(await world.anyone.post('/api/v1/agents', body));
    const refused = await world.anyone.post('/api/v1/agents', body);
    assert.equal(mustRefuse(refused, 429, 'rate-limited')['retryAfterSeconds'], 3600);
    assert.equal(refused.headers.get('retry-after'), '3600');
    world.hub.clock.advance(3600);
    mustOk(await world.anyone.post('/api/v1/agents', body));
  });

  it('refuses what the hub does not call, before it is stored', async () => {
    world = await openFixture();
    for (const url of ['http://127.0.0.1:9/', 'https://169.254.169.254/', 'http://agent.example']) {
      for (const more of [{}, { dryRun: true }]) {
        const answer = await world.anyone.post('/api/v1/agents', { url, ...more });
        mustRefuse(answer, 400, 'endpoint-refused');
      }
    }
  });
});

describe('registry.submit: the reference server', function everything() {
  this.timeout(60_000);

  it('is listed with all its tools', async () => {
    const server = await startEverything();
    const world = await openFixture({ env: { HUB_ALLOW_PRIVATE_HOSTS: server.pair } });
    const body = { url: server.endpoint };
    mustOk(await world.anyone.post('/api/v1/mcp-servers', body), 202);
    await world.hub.runJob('crawl');
    const { agents } = mustOk(await world.anyone.get('/api/v1/agents'));
    const [listing] = agents as Json[];
    assert.equal(listing?.['availability'], 'live');
    assert.ok((listing['skills'] as Json[]).some(({ id }) => id === 'echo'));
    await world.close();
    await server.close();
  });
});
