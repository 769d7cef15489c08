import assert from 'node:assert/strict';
import { addFeed } from '../../db/registry/crawlFeeds.ts';
import { allowing, closeSites, sendJson, startSite } from '../../clients/examples/agents/site.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { mustOk } from '../harness/must.ts';

hubsOnBothDatabases('servers that a card or a catalog names', (open) => {
  after(closeSites);

  it('are asked where the card says, and each is found by the address of the card', async () => {
    const site = await startSite(({ path, body }, response) => {
      const card = (at: string): object => ({
        name: 'org.example/deep',
        remotes: [{ type: 'streamable-http', url: `${site.url}${at}` }],
      });
      if (path === '/cards/one.json') return sendJson(response, 200, card('/deep/one'));
      if (path === '/.well-known/mcp/server-card.json') {
        const transport = { type: 'streamable-http', endpoint: '/deep/two' };
        return sendJson(response, 200, { serverInfo: { name: 'two' }, transport });
      }
      if (!path.startsWith('/deep/') || body === '') return sendJson(response, 404, {});
      const { id, method } = JSON.parse(body) as { id?: unknown; method?: string };
      const serverInfo = { name: path, version: '1' };
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo }
          : { tools: [] };
      sendJson(response, 200, { jsonrpc: '2.0', id, result });
    });
    const feed = await startSite((_, response) => {
      const mediaType = 'application/mcp-server-card+json';
      sendJson(response, 200, { entries: [{ mediaType, url: `${site.url}/cards/one.json` }] });
    });
    const world = await open({ env: allowing(site, feed) });
    const { store } = world.hub.running.hub;
    const find = async (url: string): Promise<Record<string, unknown>> =>
      mustOk(await world.anyone.get(`/api/v1/diagnosis?url=${encodeURIComponent(url)}`));
    mustOk(await world.anyone.post('/api/v1/agents', { url: site.url }), 202);
    await world.hub.runJob('crawl');
    assert.equal(
      (await find(`${site.url}/deep/two`))['verdict'],
      'found',
      'by its well-known card',
    );

    await store.write((tx) =>
      addFeed(tx, `${feed.url}/catalog.json`, 'list', world.hub.clock.now()),
    );
    await world.hub.runJob('crawlFeeds');
    world.hub.clock.advance(700);
    await world.hub.runJob('crawl');
    for (const path of ['/deep/one', '/cards/one.json']) {
      const body = await find(site.url + path);
      assert.equal(body['verdict'], 'found', JSON.stringify(body));
      const { endpoint } = body['listing'] as Record<string, unknown>;
      assert.equal(endpoint, `${site.url}/deep/one`);
    }
  });
});
