import assert from 'node:assert/strict';
import { startA2aSdk1 } from '../../clients/examples/agents/a2aSdk.ts';
import { allowing, closeSites } from '../../clients/examples/agents/site.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture } from '../harness/fixture.ts';

type Json = Record<string, unknown>;

describe('discovery.host', () => {
  afterEach(closeSites);

  it('shows listings, documents and rules of a host, before and after its crawl', async () => {
    const site = await startA2aSdk1();
    const world = await openFixture({ env: allowing(site) });
    mustOk(await world.anyone.post('/api/v1/agents', { url: site.url }), 202);
    const path = `/api/v1/hosts/${site.pair}`;
    const before = mustOk(await world.anyone.get(path));
    assert.deepEqual([before['count'], before['lastLookAt']], [0, undefined]);
    await world.hub.runJob('crawl');
    const after = mustOk(await world.anyone.get(path));
    assert.deepEqual(
      [after['count'], after['foundBy'], after['submissions'], at(after, 'robots', 'rule')],
      [1, 'submission', 1, 'absent'],
    );
    assert.equal(at(after, 'listings', 0, 'kind'), 'a2a');
    const documents = (after['documents'] as Json[]).map(({ step }) => step);
    assert.deepEqual([...new Set(documents)].slice(0, 3), ['robots', 'card', 'call']);
    await world.close();
  });

  it('refuses an unknown host with 404 and the call that submits it', async () => {
    const world = await openFixture();
    const refusal = mustRefuse(
      await world.anyone.get('/api/v1/hosts/no.example'),
      404,
      'not-found',
    );
    assert.match(String(refusal['hint']), /POST \/api\/v1\/agents/);
    await world.close();
  });
});
