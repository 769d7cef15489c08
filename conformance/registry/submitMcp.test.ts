import assert from 'node:assert/strict';
import { startMcpSdk2 } from '../../clients/examples/agents/mcpSdk2.ts';
import { allowing, closeSites } from '../../clients/examples/agents/site.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture } from '../harness/fixture.ts';

describe('registry.submitMcp', () => {
  afterEach(closeSites);

  it('takes the address for a look at that endpoint alone', async () => {
    const site = await startMcpSdk2({ modernOnly: true });
    const world = await openFixture({ env: allowing(site) });
    const url = `${site.url}/mcp`;
    const receipt = mustOk(await world.anyone.post('/api/v1/mcp-servers', { url }), 202);
    await world.hub.runJob('crawl');
    const path = new URL(String(receipt['receipt'])).pathname;
    const record = mustOk(await world.anyone.get(path));
    assert.deepEqual(
      [at(record, 'found', 0, 'kind'), at(record, 'found', 0, 'endpoint')],
      ['mcp', url],
    );
    assert.ok(site.requests.every((each) => /robots\.txt|\/mcp/.test(each)));
    await world.close();
  });

  it('refuses addresses that the hub does not call', async () => {
    const world = await openFixture();
    const answer = await world.anyone.post('/api/v1/mcp-servers', { url: 'http://10.0.0.1/mcp' });
    mustRefuse(answer, 400, 'endpoint-refused');
    await world.close();
  });
});
