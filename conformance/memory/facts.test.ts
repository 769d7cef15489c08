import assert from 'node:assert/strict';
import { fakeClock } from '../harness/clock.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import {
  costOf,
  cosineDistance,
  found,
  grantTo,
  makeSpace,
  vectors,
  searchNotes,
  writeNote,
  type MadeSpace,
} from './space.ts';

type Body = Readonly<Record<string, unknown>>;
const START = Date.parse('2026-11-20T12:00:00Z');

hubsOnBothDatabases('facts, ends and kinds of notes', (open) => {
  const clock = fakeClock(START);
  let world: Fixture;
  before(async () => {
    world = await open({ clock });
    await world.fund(world.alice, '90000000');
    await world.fund(world.bob, '90000000');
  });
  const later = (seconds: number): string => new Date(clock.now() + seconds * 1000).toISOString();

  it('filters both searches by the facts of notes, of one type each', async () => {
    const { alice } = world;
    const space = await makeSpace(alice, 'private', { dimensions: 3 });
    for (const [n, metadata] of [
      { topic: 'plans', year: 2025, isOpen: true },
      { topic: 'plans', year: 2026 },
      { topic: 'people', year: 2026, isOpen: false },
      { year: '2026' },
      undefined,
    ].entries()) {
      const embedding = [1, n + 1, 0];
      mustOk(await writeNote(alice, space, `note ${n}`, { metadata, embedding }));
    }
    const by = async (...where: readonly Body[]): Promise<string> => {
      const [text, near] = await Promise.all([
        found(searchNotes(alice, space, { text: 'note', where })),
        found(searchNotes(alice, space, { embedding: [1, 0, 0], where })),
      ]);
      assert.deepEqual([...text].sort(), [...near].sort(), 'both searches filter alike');
      return near.map((content) => content.replace('note ', '')).join(' ');
    };
    assert.equal(await by({ name: 'topic', is: 'plans' }), '0 1');
    assert.equal(await by({ name: 'year', from: 2026 }), '1 2');
    assert.equal(await by({ name: 'year', from: 2025, to: 2025 }), '0');
    assert.equal(await by({ name: 'year', is: '2026' }), '3');
    assert.equal(await by({ name: 'isOpen', is: false }), '2');
    assert.equal(await by({ name: 'topic', anyOf: ['people', 'plans'] }), '0 1 2');
    assert.equal(await by({ name: 'topic', is: 'plans' }, { name: 'year', is: 2026 }), '1');
    assert.equal(await by({ name: 'toString', from: '' }), '');
    const nothing = searchNotes(alice, space, { text: 'note', where: [{ name: 'topic' }] });
    mustRefuse(await nothing, 400, 'missing-field');
    const [first] = mustOk(await alice.get(`${space.path}?limit=5`))['notes'] as readonly Body[];
    assert.equal(first?.['metadata'], undefined);
  });

  it('keeps facts when a space is exported and brought in again, and follows an overwrite', async () => {
    const { alice } = world;
    const [space, copy] = [await makeSpace(alice), await makeSpace(alice)];
    const more = { key: 'k', metadata: { b: 1, a: 'x' }, expiresAt: later(3_600) };
    mustOk(await writeNote(alice, space, 'text', { ...more, metadata: { old: true } }));
    mustOk(await writeNote(alice, space, 'text', more));
    const lines = (await alice.get(`${space.path}/export`)).text;
    mustOk(await alice.post(`${copy.path}/import`, { owner: alice.account, lines }));
    for (const each of [space, copy]) {
      const note = at(mustOk(await alice.get(each.path)), 'notes', 0) as Body;
      assert.deepEqual([note['metadata'], note['expiresAt']], [more.metadata, more.expiresAt]);
      assert.equal(note['bytes'], 'text'.length + 'k'.length + '{"a":"x","b":1}'.length);
    }
    const again = mustOk(await alice.post(`${copy.path}/import`, { owner: alice.account, lines }));
    assert.equal(again['duplicates'], 1);
    for (const metadata of [{ 'a b': 1 }, { a: 'x'.repeat(257) }, { a: null }, { a: [1] }]) {
      const line = JSON.stringify({ line: 'note', content: 'x', metadata });
      const wrong = { owner: alice.account, lines: line };
      mustRefuse(await alice.post(`${copy.path}/import`, wrong), 400, 'bad-lines');
      assert.equal((await writeNote(alice, copy, 'x', { metadata })).status, 400);
    }
  });

  it('hides a note from its end on, deletes it, and takes it off the sums', async () => {
    const { alice } = world;
    const space = await makeSpace(alice, 'private', { dimensions: 2 });
    mustRefuse(await writeNote(alice, space, 'late', { expiresAt: later(-1) }), 400, 'bad-request');
    for (let n = 0; n < 12; n += 1) {
      const more = {
        key: `k${n}`,
        embedding: [1, n / 100],
        ...(n < 11 && { expiresAt: later(60) }),
      };
      mustOk(await writeNote(alice, space, `note ${n}`, more));
    }
    const search = { embedding: [1, 0], limit: 1 };
    assert.deepEqual(await found(searchNotes(alice, space, search)), ['note 0']);
    clock.advance(60);
    assert.deepEqual(await found(searchNotes(alice, space, search)), ['note 11']);
    assert.deepEqual(await found(searchNotes(alice, space, { text: 'note', limit: 1 })), [
      'note 11',
    ]);
    const contents = mustOk(await alice.get(space.path));
    assert.deepEqual([contents['count'], at(contents, 'space', 'notes')], [1, 12]);
    assert.deepEqual(mustOk(await alice.get(`${space.path}?key=k3`))['notes'], []);
    await world.hub.runJob('noteExpiry');
    assert.equal(at(mustOk(await alice.get(space.path)), 'space', 'notes'), 1);
    assert.deepEqual(await found(searchNotes(alice, space, search)), ['note 11']);
  });

  it('takes vectors of 1 to 4,096 numbers, exactly as many as the space has', async () => {
    const { alice } = world;
    for (const dimensions of [1, 17, 1_536, 4_096]) {
      const space = await makeSpace(alice, 'private', { dimensions });
      const next = vectors(dimensions, dimensions);
      const all = Array.from({ length: 40 }, next);
      const notes = all.map((embedding, n) => ({ content: `${n}`, embedding }));
      for (let from = 0; from < 40; from += 2) {
        const body = { owner: alice.account, notes: notes.slice(from, from + 2) };
        mustOk(await alice.post(`${space.path}/import`, body));
      }
      const query = next();
      const near = all
        .map((each, n) => ({ n, distance: cosineDistance(each, query) }))
        .sort((a, b) => a.distance - b.distance || b.n - a.n);
      if (dimensions > 1) {
        const nearest = near.slice(0, 20).map(({ n }) => `${n}`);
        const search = { embedding: query, limit: 20 };
        assert.deepEqual(await found(searchNotes(alice, space, search)), nearest);
      }
      const wrong = await writeNote(alice, space, 'x', { embedding: [...query, 1] });
      assert.equal(wrong.body['code'], 'bad-embedding', wrong.text);
      const body = {
        reader: alice.account,
        spaceId: space.id,
        embedding: [...query, 1].slice(0, 4_096),
      };
      if (dimensions < 4_096) {
        mustRefuse(await alice.post('/api/v1/memory/search', body), 400, 'bad-embedding');
      }
    }
  });

  it('searches several spaces as one, for the price of each', async () => {
    const { alice, bob } = world;
    const spaces: MadeSpace[] = [];
    for (const n of [0, 1, 2]) {
      const space = await makeSpace(n === 2 ? bob : alice, 'shared', { dimensions: 2 });
      mustOk(await writeNote(n === 2 ? bob : alice, space, `apple ${n}`, { embedding: [1, n] }));
      spaces.push(space);
    }
    const [one, two, his] = spaces as [MadeSpace, MadeSpace, MadeSpace];
    const ask = (more: Body) =>
      alice.post('/api/v1/memory/search', { reader: alice.account, ...more });
    const both = [two.id, one.id];
    const cost = await costOf(alice, async () => {
      const near = mustOk(await ask({ spaceIds: both, embedding: [1, 0] }));
      const places = (near['results'] as readonly Body[]).map(({ content, spaceId }) => [
        content,
        spaceId,
      ]);
      assert.deepEqual(places, [
        ['apple 0', one.id],
        ['apple 1', two.id],
      ]);
      const text = mustOk(await ask({ spaceIds: both, text: 'apple 1' }));
      assert.deepEqual([at(text, 'results', 0, 'content'), text['count']], ['apple 1', 2]);
    });
    assert.equal(cost, 4n * 500n);
    mustRefuse(await ask({ spaceIds: [...both, his.id], text: 'apple' }), 400, 'not-granted');
    mustOk(await grantTo(bob, his, alice.account));
    const all = mustOk(await ask({ spaceIds: [...both, his.id], text: 'apple', by: 'text' }));
    assert.deepEqual([all['count'], all['contentIsUntrusted']], [3, true]);
    const merged = mustOk(
      await ask({ spaceIds: both, text: 'apple 0', embedding: [0, 1], by: 'both', limit: 1 }),
    );
    assert.deepEqual([merged['by'], merged['count']], ['both', 1]);
    const wide = await makeSpace(alice, 'private', { dimensions: 3 });
    const strange = { spaceIds: [one.id, wide.id], embedding: [1, 0] };
    mustRefuse(await ask(strange), 400, 'bad-request');
    mustRefuse(await ask({ spaceId: one.id, spaceIds: both, text: 'x' }), 400, 'bad-request');
    mustRefuse(await ask({ text: 'x' }), 400, 'missing-field');
    mustRefuse(await ask({ spaceId: one.id, text: 'x', by: 'both' }), 400, 'missing-field');
  });

  it('lets a writer send and delete notes of its own in one call, and no grants', async () => {
    const { alice, bob } = world;
    const space = await makeSpace(alice, 'shared');
    mustOk(await grantTo(alice, space, bob.account, { canWrite: true }));
    mustOk(await writeNote(alice, space, 'hers', { key: 'hers' }));
    const send = (more: Body) => bob.post(`${space.path}/import`, { owner: bob.account, ...more });
    const notes = [{ content: 'his', key: 'his' }];
    assert.equal(mustOk(await send({ notes }))['added'], 1);
    mustRefuse(await send({ notes, deleteKeys: ['hers'] }), 400, 'not-granted');
    mustRefuse(await send({ lines: '{"line":"note","content":"x"}' }), 400, 'not-granted');
    mustRefuse(await send({}), 400, 'missing-field');
    const done = mustOk(await send({ notes: [{ content: 'new' }], deleteKeys: ['his'] }));
    assert.deepEqual([done['added'], done['deleted']], [1, 1]);
  });

  it('gives readers of a shared space one event for many changes', async () => {
    const { alice, bob } = world;
    const reader = await world.agent();
    const [shared, own] = [await makeSpace(alice, 'shared'), await makeSpace(alice)];
    for (const { account } of [bob, reader]) {
      mustOk(await grantTo(alice, shared, account, { canWrite: true }));
    }
    const eventsOf = async (who: Fixture['alice']): Promise<readonly Body[]> => {
      const { events } = mustOk(await who.get('/api/v1/me/events?types=space&limit=100'));
      return (events as readonly Body[]).filter(({ spaceId }) => spaceId === shared.id);
    };
    for (const text of ['one', 'two', 'three']) mustOk(await writeNote(alice, shared, text));
    mustOk(await writeNote(alice, own, 'private'));
    await world.hub.runJob('spaceEvents');
    await world.hub.runJob('spaceEvents');
    const counts = async () =>
      Promise.all([alice, bob, reader].map(async (who) => (await eventsOf(who)).length));
    assert.deepEqual(await counts(), [0, 1, 1], 'who wrote it all knows');
    const [event] = await eventsOf(reader);
    assert.deepEqual([event?.['kind'], event?.['actor']], ['space.changed', alice.account]);
    mustOk(await writeNote(bob, shared, 'four'));
    mustOk(await writeNote(alice, shared, 'five'));
    await world.hub.runJob('spaceEvents');
    assert.deepEqual(await counts(), [1, 2, 2]);
  });
});
