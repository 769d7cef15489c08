import assert from 'node:assert/strict';
import { startMcpSdk2 } from '../../clients/examples/agents/mcpSdk2.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { readCrawlFeed } from '../../domain/registry/readCrawlFeed.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { newHolder, openHostedFixture, publish, SUITE_MS_MAX } from '../hosted/_world.ts';

const PATH = '/.well-known/ai-catalog.json';
type Entry = Readonly<Record<string, unknown>>;

describe('discovery.aiCatalog', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: Fixture;
  let keyId = '';
  before(async () => {
    const server = await startMcpSdk2();
    world = await openHostedFixture('sqlite::memory:', [server.pair]);
    const holder = await newHolder(world);
    await publish(holder, { endpoint: `${server.url}/mcp`, name: 'Currencies' });
    keyId = holder.keyId;
  });
  after(async () => {
    await world.close();
    await closeSites();
  });

  const entries = async (query = ''): Promise<readonly Entry[]> => {
    const answer = await world.anyone.get(PATH + query);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/ai-catalog\+json/);
    return (JSON.parse(answer.text) as { readonly entries: readonly Entry[] }).entries;
  };

  it('has the card and MCP door of the hub, and the cards of hosted agents', async () => {
    const found = await entries();
    const types = found.map(({ type, mediaType }) => {
      assert.equal(type, mediaType, 'readers of both drafts');
      return type;
    });
    assert.deepEqual(types, [
      'application/a2a-agent-card+json',
      'application/mcp-server-card+json',
      'application/a2a-agent-card+json',
    ]);
    const hosted = String(found[2]?.['url']);
    assert.equal(hosted, `${world.hub.url}/hosted/${keyId}/.well-known/agent-card.json`);
    mustOk(await world.anyone.get(new URL(hosted).pathname));
    assert.equal(at(found, 1, 'data', 'remotes', 0, 'url'), `${world.hub.url}/mcp`);
    assert.ok(found.every((entry) => 'url' in entry !== 'data' in entry));
  });

  it('goes on behind a key, without what is on the first page', async () => {
    assert.deepEqual(await entries(`?after=${keyId}`), []);
  });

  it('is read as a feed by another hub', async () => {
    const { text } = await world.anyone.get(PATH);
    const page = readCrawlFeed('list', text, { url: world.hub.url + PATH });
    assert.ok(!('fault' in page));
    assert.deepEqual(
      page.entries.map(({ kind }) => kind),
      ['a2a', 'mcp', 'a2a'],
    );
  });
});
