import assert from 'node:assert/strict';
import { document } from '../harness/contract.ts';
import { mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

describe('discovery.openapi', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('is the released document, word for word, with this hub as its server', async () => {
    const { servers, ...served } = mustOk(await world.anyone.get('/api/v1/openapi.json'));
    const { servers: _, ...released } = document as unknown as Record<string, unknown>;
    assert.deepEqual(served, released);
    assert.equal(served['openapi'], '3.1.0');
    assert.deepEqual(servers, [{ url: world.hub.url, description: 'This hub.' }]);
  });

  it('tells two hubs in one process apart', async () => {
    const other = await openFixture({ databaseUrl: 'sqlite::memory:' });
    try {
      const [mine, theirs] = [
        mustOk(await world.anyone.get('/api/v1/openapi.json')),
        mustOk(await other.anyone.get('/api/v1/openapi.json')),
      ];
      assert.notDeepEqual(mine['servers'], theirs['servers']);
    } finally {
      await other.close();
    }
  });
});
