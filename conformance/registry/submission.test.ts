import assert from 'node:assert/strict';
import {
  allowing,
  closeSites,
  notFound,
  startSite,
  type Serve,
} from '../../clients/examples/agents/site.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture } from '../harness/fixture.ts';

type Json = Record<string, unknown>;

const at = (wanted: string, status: number, text: string): Serve => {
  return ({ path }, response) => {
    if (path !== wanted) return notFound(response);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(text);
  };
};
const CARD = '/.well-known/agent-card.json';

/** Each fault of an origin, and the words of its report. */
const REPORTS: readonly (readonly [string, Serve, RegExp, RegExp])[] = [
  ['a card that is no JSON', at(CARD, 200, '<html>'), /card-json/, /application\/json/],
  ['a card without a name', at(CARD, 200, '{"url":"https://a.example"}'), /card-name/, /`name`/],
  ['a card without a door', at(CARD, 200, '{"name":"x"}'), /card-interface/, /supportedInterfaces/],
  ['rules that cannot be read', at('/robots.txt', 503, ''), /cannot be read|robots/, /200 or 404/],
  ['a key at the card', at(CARD, 401, '{}'), /401/, /./],
  [
    'a card that leads to a private address',
    at(CARD, 200, '{"name":"x","url":"https://10.1.2.3/a2a"}'),
    /not public/,
    /./,
  ],
];

describe('registry.submission', () => {
  afterEach(closeSites);

  for (const [title, serve, why, fix] of REPORTS) {
    it(`${title}: says the rule and the fix`, async () => {
      const site = await startSite(serve);
      const world = await openFixture({ env: allowing(site) });
      mustOk(await world.anyone.post('/api/v1/agents', { url: site.url, kind: 'a2a' }), 202);
      const path = `/api/v1/agents/submissions/${encodeURIComponent(site.url)}`;
      assert.equal(mustOk(await world.anyone.get(path))['state'], 'waiting');
      await world.hub.runJob('crawl');
      const record = mustOk(await world.anyone.get(path));
      assert.equal(record['state'], 'not-listed');
      assert.match(String(record['why']), why);
      assert.match(String(record['fix']), fix);
      assert.ok((record['probes'] as Json[]).length > 0);
      const next = Date.parse(String(record['nextLookAt'])) - world.hub.clock.now();
      assert.ok(next >= 24 * 60_000 && next <= 36 * 60_000, `next look in ${next} ms`);
      await world.close();
    });
  }

  it('refuses an unknown origin with 404 and the call that submits it', async () => {
    const world = await openFixture();
    for (const origin of ['https%3A%2F%2Fnobody.example', 'nobody.example']) {
      const answer = await world.anyone.get(`/api/v1/agents/submissions/${origin}`);
      const refusal = mustRefuse(answer, 404, 'not-found');
      assert.match(String(refusal['hint']), /POST \/api\/v1\/agents/);
    }
    await world.close();
  });
});
