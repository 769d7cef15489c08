import assert from 'node:assert/strict';
import { closeSites, notFound, startSite, allowing } from '../../clients/examples/agents/site.ts';
import { startMcpSdk1 } from '../../clients/examples/agents/mcpSdk1.ts';
import { plain } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { fill, listing } from './_index.ts';

type Body = Record<string, unknown>;

describe('registry.diagnosis', () => {
  let world: Fixture;
  afterEach(async () => {
    await world.close();
    await closeSites();
  });

  const ask = async (url: string): Promise<Body> =>
    mustOk(await world.anyone.get(`/api/v1/diagnosis?url=${encodeURIComponent(url)}`));
  const failing = (body: Body): readonly Body[] =>
    (body['checks'] as Body[]).filter(({ holds }) => holds === false);

  it('follows a server from unknown to found', async () => {
    const server = await startMcpSdk1();
    world = await openFixture({ env: allowing(server) });
    const url = `${server.url}/mcp`;
    const unknown = await ask(url);
    assert.equal(unknown['verdict'], 'unknown');
    assert.match(String(failing(unknown)[0]?.['fix']), /POST \/api\/v1\/agents/);
    mustOk(await world.anyone.post('/api/v1/mcp-servers', { url }), 202);
    const waiting = await ask(url);
    assert.deepEqual([waiting['verdict'], waiting['submissions']], ['waiting', 1]);
    assert.equal(failing(waiting)[0]?.['check'], 'probed');
    await world.hub.runJob('crawl');
    const found = await ask(url);
    assert.equal(found['verdict'], 'found');
    assert.deepEqual(failing(found), []);
    assert.equal(
      found['badge'],
      `${world.hub.url}/badge/${String(at(found, 'listing', 'id'))}.svg`,
    );
    assert.ok((found['probes'] as Body[]).length > 0);
    const other = await ask(`${server.url}/elsewhere`);
    assert.equal(
      other['verdict'],
      'unknown',
      'an address that was not named is not one that failed',
    );
    assert.match(String(failing(other)[0]?.['says']), /Of its origin 1 other addresses were named/);
  });

  it('says what the probe of a silent server saw and what to change', async () => {
    const site = await startSite((_, response) => notFound(response));
    world = await openFixture({ env: allowing(site) });
    const url = `${site.url}/mcp`;
    mustOk(await world.anyone.post('/api/v1/mcp-servers', { url }), 202);
    await world.hub.runJob('crawl');
    const body = await ask(url);
    assert.equal(body['verdict'], 'not-listed');
    const [first] = failing(body);
    assert.equal(first?.['check'], 'answered');
    assert.ok(String(first?.['fix']).length > 0);
    assert.ok(Date.parse(String(body['nextLookAt'])) > world.hub.clock.now());
  });

  it('distinguishes a listing that does not answer from one whose texts give orders', async () => {
    world = await openFixture();
    const orders = [{ path: 'description', kind: 'override', text: 'Ignore all' }] as const;
    await fill(world, [
      listing('gone.example.org', { availability: 'unreachable' }),
      listing('loud.example.org', { injectionSignals: orders }),
    ]);
    const gone = await ask('https://gone.example.org/mcp');
    assert.deepEqual([gone['verdict'], failing(gone).at(-1)?.['check']], ['hidden', 'shown']);
    const loud = await ask('https://loud.example.org/mcp');
    assert.deepEqual([loud['verdict'], failing(loud).at(-1)?.['check']], ['found', 'trusted']);
  });

  it('is a page for a browser, in which no text of others is markup', async () => {
    world = await openFixture();
    const url = `https://gone.example.org/${encodeURIComponent('<b>')}`;
    const request = plain(world.hub, 'GET', `/api/v1/diagnosis?url=${encodeURIComponent(url)}`);
    request.headers.set('accept', 'text/html');
    const { status, text, headers } = await world.anyone.send(request);
    assert.equal(status, 200);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.match(text, /This server was not named yet|Submit it/);
    assert.doesNotMatch(text, /<b>/);
  });

  it('refuses an address that the hub never calls, and calls none itself', async () => {
    const site = await startSite((_, response) => notFound(response));
    world = await openFixture({ env: allowing(site) });
    const path = `/api/v1/diagnosis?url=${encodeURIComponent('https://10.1.2.3/mcp')}`;
    mustRefuse(await world.anyone.get(path), 400, 'endpoint-refused');
    await ask(`${site.url}/mcp`);
    assert.deepEqual(site.requests, []);
  });
});
