import assert from 'node:assert/strict';
import {
  allowing,
  closeSites,
  notFound,
  sendJson,
  startSite,
  type Site,
  type SiteRequest,
} from '../../clients/examples/agents/site.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

type Json = Record<string, unknown>;

interface Rpc {
  readonly id?: string;
  readonly method: string;
  readonly params?: { readonly cursor?: string; readonly name?: string };
}

const tool = (name: string): Json => ({ name, inputSchema: { type: 'object' } });

/** A server without sessions; `page` answers `tools/list` for a cursor. */
function server(page: (path: string, cursor: string | undefined) => Json) {
  return ({ method, path, body }: SiteRequest) => {
    if (method !== 'POST' || !path.endsWith('/mcp')) return undefined;
    const { id, method: asked, params } = JSON.parse(body) as Rpc;
    if (id === undefined) return { status: 202 };
    const reply = (result: Json) => ({ status: 200, body: { jsonrpc: '2.0', id, result } });
    if (asked === 'initialize') {
      const serverInfo = { name: path, version: '1' };
      return reply({ protocolVersion: '2025-06-18', capabilities: {}, serverInfo });
    }
    if (asked === 'tools/list') return reply(page(path, params?.cursor));
    if (asked === 'tools/call') return reply({ content: [{ type: 'text', text: 'ok' }] });
    const error = { code: -32_601, message: 'Method not found' };
    return { status: 200, body: { jsonrpc: '2.0', id, error } };
  };
}

const startServers = (page: (path: string, cursor: string | undefined) => Json): Promise<Site> =>
  startSite((request, response) => {
    const answer = server(page)(request);
    if (answer === undefined) return notFound(response);
    sendJson(response, answer.status, answer.body ?? {});
  });

describe('discovery.verify of servers', function () {
  this.timeout(120_000);
  let world: Fixture;
  afterEach(async () => {
    await world.close();
    await closeSites();
  });
  const check = async (url: string): Promise<Json> =>
    mustOk(await world.anyone.get(`/api/v1/verify?url=${encodeURIComponent(url)}&fresh=1`));
  const toolsOf = (found: Json): unknown => (found['tools'] as Json[]).map(({ name }) => name);

  it('follows an empty cursor, and ends where a cursor comes a second time', async () => {
    const pages: Record<string, Json> = {
      first: { tools: [tool('get_first')], nextCursor: '' },
      '': { tools: [tool('get_second')], nextCursor: 'x' },
      x: { tools: [tool('get_third')], nextCursor: '' },
    };
    const site = await startServers((_, cursor) => pages[cursor ?? 'first'] ?? {});
    world = await openFixture({ env: allowing(site) });
    const found = await check(`${site.url}/mcp`);
    assert.deepEqual(toolsOf(found), ['get_first', 'get_second', 'get_third']);
  });

  it('asks the server that was named, however many its origin has', async () => {
    const names = Array.from({ length: 16 }, (_, nth) => `/s${nth + 1}/mcp`);
    const site = await startServers((path) => ({
      tools: [tool(`get${path.replaceAll('/', '_').replace('_mcp', '')}`)],
      nextCursor: null,
    }));
    world = await openFixture({ env: allowing(site) });
    // Submissions come first, so that a look with all names is due while they are verified.
    for (const name of names) {
      await world.anyone.post('/api/v1/agents', { url: site.url + name });
    }
    for (const [nth, name] of names.entries()) {
      const found = await check(site.url + name);
      const seen = [found['kind'], found['answers'], found['availability'], toolsOf(found)];
      assert.deepEqual(seen, ['mcp', true, 'live', [`get_s${nth + 1}`]], name);
    }
    await world.hub.runJob('crawl');
    for (const name of names) {
      const path = `/api/v1/verify?url=${encodeURIComponent(site.url + name)}`;
      const { availability, answers } = mustOk(await world.anyone.get(path));
      assert.deepEqual([availability, answers], ['live', true], name);
    }
  });

  it('waits for the look that a submission began, and then asks the named server', async () => {
    const site = await startServers((path) => ({ tools: [tool(`get_${path.slice(1, 2)}`)] }));
    world = await openFixture({ env: allowing(site) });
    await world.anyone.post('/api/v1/agents', { url: `${site.url}/a/mcp` });
    const [found] = await Promise.all([check(`${site.url}/b/mcp`), world.hub.runJob('crawl')]);
    assert.deepEqual([found['answers'], toolsOf(found)], [true, ['get_b']]);
  });

  const AMOUNT = {
    scheme: 'exact',
    network: 'base',
    maxAmountRequired: '10000',
    description: '',
    mimeType: 'application/json',
    payTo: '0x1D4D0e82b6297b925869037E8568F3A60c0684CC',
    maxTimeoutSeconds: 60,
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bda02913',
  };
  const paying = (accepts: readonly Json[]): Json => {
    return { x402Version: 1, error: 'X-PAYMENT header is required', accepts };
  };

  it('lists no page that answers 402 to a POST as a server, and keeps its price', async () => {
    const site = await startSite(({ method, path }, response) => {
      if (path === '/robots.txt' || path.startsWith('/.well-known/')) return notFound(response);
      if (method !== 'POST') return void response.writeHead(405).end();
      sendJson(response, 402, paying([{ ...AMOUNT, resource: path }]));
    });
    world = await openFixture({ env: allowing(site) });
    const found = await check(`${site.url}/pay`);
    assert.deepEqual(
      [found['kind'], found['answers'], at(found, 'price', 'amount'), found['agentId']],
      ['x402', true, '10000', undefined],
    );
  });

  const OTHERS: readonly (readonly [string, unknown, Record<string, string>])[] = [
    ['L402', {}, { 'www-authenticate': 'L402 macaroon="AGIA", invoice="lnbc1"' }],
    ['Payment', { title: 'Payment Required' }, { 'www-authenticate': 'Payment id="x"' }],
    ['a page', '<html>pay</html>', {}],
    ['an amount of nothing', paying([{ ...AMOUNT, maxAmountRequired: '0' }]), {}],
  ];
  for (const [what, body, headers] of OTHERS) {
    it(`lists nothing that answers 402 with ${what}`, async () => {
      const site = await startSite(({ path }, response) => {
        if (path === '/robots.txt') return notFound(response);
        sendJson(response, 402, body, headers);
      });
      world = await openFixture({ env: allowing(site) });
      const found = await check(`${site.url}/mcp`);
      assert.deepEqual(
        [found['kind'], found['answers'], found['access'], found['agentId'], found['price']],
        ['unknown', false, 'paid', undefined, undefined],
      );
    });
  }

  it('keeps a server that begins to ask for money, and names how it asks', async () => {
    let isPaid = false;
    const answerOf = server(() => ({ tools: [tool('get_first')] }));
    const site = await startSite((request, response) => {
      const answer = answerOf(request);
      if (answer === undefined) return notFound(response);
      const challenge = { 'www-authenticate': 'L402 macaroon="AGIA", invoice="lnbc1"' };
      if (isPaid) return sendJson(response, 402, {}, challenge);
      sendJson(response, answer.status, answer.body ?? {});
    });
    world = await openFixture({ env: allowing(site) });
    const { agentId } = await check(`${site.url}/mcp`);
    isPaid = true;
    await check(`${site.url}/mcp`);
    const listed = mustOk(await world.anyone.get(`/api/v1/agents/${String(agentId)}`));
    assert.deepEqual(
      [listed['availability'], listed['access'], listed['authSchemes']],
      ['live', 'paid', ['l402']],
    );
  });
});
