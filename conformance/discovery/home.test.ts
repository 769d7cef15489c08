import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';

describe('discovery.home', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const asking = (accept: string) =>
    world.anyone.send(new Request(`${world.hub.url}/`, { headers: { accept } }));

  it('gives machines the index', async () => {
    const index = mustOk(await world.anyone.get('/api/v1'));
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
      const answer = await asking(accept);
      assert.deepEqual(mustOk(answer), index);
      assert.equal(answer.headers.get('vary'), 'accept, accept-encoding');
    }
  });

  it('gives people a page whose every link leads somewhere', async () => {
    const answer = await asking('text/html,application/xhtml+xml,*/*;q=0.8');
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
    const links = [...answer.text.matchAll(/href="([^"#]+)"/g)].map(([, link = '']) => link);
    assert.ok(links.length >= 8, answer.text);
    for (const link of links) {
      const { status } = await fetch(new URL(link, `${world.hub.url}/`));
      assert.equal(status, 200, link);
    }
    assert.ok(answer.text.includes(`${world.hub.url}/mcp`));
  });
});
