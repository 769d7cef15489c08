import assert from 'node:assert/strict';
import { callSkill, mustComplete, mustMessage, mustReject } from '../doors/a2a/_door.ts';
import { mustRefuseResult, mustResult, send, toolCall, type Json } from '../doors/mcp/_door.ts';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { costOf, makeSpace, MEMORY, searchNotes, vectors, writeNote } from './space.ts';

/** Two agents share a space, each step through another door, and all doors say the same. */
describe('memory through the three doors', () => {
  const next = vectors(9);
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '1000000');
    await world.fund(world.bob, '1000000');
  });
  after(() => world.close());

  const tool = async (by: Agent, name: string, given: Json): Promise<Json> =>
    mustResult(await send(world, toolCall(1, name, given), { by }));
  const skill = (by: Agent, name: string, given: Json) =>
    callSkill(world, '1.0', name, given, { headers: { 'a2a-version': '1.0' }, by });

  it('lets two agents share a space, find, overwrite, look back, copy and part', async () => {
    const { alice, bob } = world;
    const embedding = next();
    // Alice makes the space over MCP and lets Bob in over A2A.
    const { id: spaceId } = await tool(alice, 'memory-create-space', {
      owner: alice.account,
      name: 'shared',
      kind: 'shared',
    });
    const grant = { owner: alice.account, spaceId, grantee: bob.account, canWrite: true };
    assert.equal(
      mustComplete(await skill(alice, 'memory-grant', grant), '1.0')['state'],
      'granted',
    );
    // Bob writes over A2A, and Alice finds it at once over MCP and over HTTP.
    const note = {
      author: bob.account,
      spaceId,
      content: 'Bob saw five plans.',
      key: 'plans',
      embedding,
    };
    const cost = await costOf(bob, async () => {
      const written = mustComplete(await skill(bob, 'memory-write', note), '1.0');
      assert.deepEqual([written['embedded'], at(written, 'charge', 'amount')], [true, '200']);
    });
    assert.equal(cost, 200n);
    const asked = { reader: alice.account, spaceId, embedding };
    const found = await tool(alice, 'memory', asked);
    assert.equal(at(found, 'results', 0, 'content'), 'Bob saw five plans.');
    assert.equal(found['contentIsUntrusted'], true);
    const space = { id: String(spaceId), path: `${MEMORY}/spaces/${String(spaceId)}` };
    const overHttp = mustOk(await searchNotes(alice, space, { embedding }));
    assert.deepEqual(overHttp['results'], found['results']);
    // Alice corrects it over MCP; Bob reads what it said before over A2A.
    await tool(alice, 'memory-write', {
      author: alice.account,
      spaceId,
      content: 'There are six plans.',
      key: 'plans',
    });
    const page = mustMessage(await skill(bob, 'memory-read-space', { id: spaceId, key: 'plans' }));
    assert.deepEqual(
      [at(page, 'notes', 0, 'content'), at(page, 'notes', 0, 'author')],
      ['There are six plans.', alice.account],
    );
    assert.deepEqual(at(page, 'history', 0, 'content'), 'Bob saw five plans.');
    const text = mustComplete(
      await skill(bob, 'memory', { reader: bob.account, spaceId, text: 'six pl' }),
      '1.0',
    );
    assert.equal(text['count'], 1);
    // A duplicate is reported through every door, and free.
    const again = { author: bob.account, spaceId, content: 'There are six plans.', key: 'plans' };
    assert.equal(await costOf(bob, () => tool(bob, 'memory-write', again)), 0n);
    // Bob is sent away over HTTP and sees nothing through any door.
    mustOk(await alice.post(`${MEMORY}/grants`, { ...grant, canWrite: false, revoke: true }));
    const gone = { reader: bob.account, spaceId, text: 'plans' };
    mustRefuse(await bob.get(space.path), 400, 'not-granted');
    mustRefuseResult(await send(world, toolCall(1, 'memory', gone), { by: bob }), 'not-granted');
    mustReject(await skill(bob, 'memory', gone), '1.0', 'not-granted');
    const usage = mustMessage(await skill(alice, 'memory-usage', { owner: alice.account }));
    assert.deepEqual(usage, mustOk(await alice.get(`${MEMORY}/usage/${alice.account}`)));
  });

  it('gives a copy of a space to who has an agent door alone', async () => {
    const { alice, bob } = world;
    const from = await makeSpace(alice);
    for (let n = 0; n < 5; n += 1) {
      mustOk(await writeNote(alice, from, `note ${n}`, { key: `k${n}`, embedding: next() }));
    }
    const to = await makeSpace(bob);
    const page = await tool(alice, 'memory-read-space', { id: from.id, embeddings: true });
    for (const note of (page['notes'] as readonly Json[]).toReversed()) {
      const bytes = Buffer.from(String(note['embeddingBase64']), 'base64');
      const embedding = Array.from({ length: 768 }, (_, n) => bytes.readFloatLE(n * 4));
      const { content, key } = note;
      await tool(bob, 'memory-write', {
        author: bob.account,
        spaceId: to.id,
        content,
        key,
        embedding,
      });
    }
    const query = { embedding: next(), limit: 5 };
    const shown = async (who: Agent, space: typeof from): Promise<unknown> =>
      (mustOk(await searchNotes(who, space, query))['results'] as readonly Json[]).map(
        ({ content, key }) => [content, key],
      );
    assert.deepEqual(await shown(bob, to), await shown(alice, from));
  });
});
