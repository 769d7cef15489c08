import assert from 'node:assert/strict';
import { injectionSignals, type PublishedText } from '../../domain/registry/injection.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { request, send, type Json } from './mcp/_door.ts';

/** Texts that another hub reads when it looks at this one: none of them may speak to its reader. */
function textsIn(value: unknown, path: string): readonly PublishedText[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, `${path}/${name}`));
}

describe("the hub's own texts raise no signal at another hub", () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  for (const path of ['/mcp', '/mcp?toolsets=all', '/mcp?toolsets=default']) {
    it(`no signal is raised in the tools of ${path}`, async () => {
      const texts: PublishedText[] = [];
      let cursor: unknown;
      do {
        const params = cursor === undefined ? {} : { cursor };
        const { last } = await send(world, request(1, 'tools/list', params), { path });
        const result = last['result'] as Json;
        texts.push(...textsIn(result['tools'], 'tools'));
        cursor = result['nextCursor'];
      } while (typeof cursor === 'string');
      assert.ok(texts.length > 50, `${texts.length} texts`);
      assert.deepEqual(injectionSignals(texts), []);
    });
  }

  it('no signal is raised in the description of the MCP door and in the agent card', async () => {
    const clientInfo = { name: 'crawler', version: '1' };
    const opening = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const { last } = await send(world, request(1, 'initialize', opening));
    const card = mustOk(await world.anyone.get('/.well-known/agent-card.json'));
    const texts = [...textsIn(last, 'initialize'), ...textsIn(card, 'card')];
    assert.ok(texts.length > 20);
    assert.deepEqual(injectionSignals(texts), []);
  });
});
