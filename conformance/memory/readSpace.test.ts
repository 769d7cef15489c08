import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { costOf, makeSpace, SPACES, vectors, writeNote } from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

type Notes = readonly { readonly content: string; readonly noteId: string }[];

hubsOnBothDatabases('memory.readSpace', (open) => {
  const next = vectors(4);
  let world: Fixture;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '10000000');
  });
  const contentsOf = (answer: Record<string, unknown>): readonly string[] =>
    (answer['notes'] as Notes).map(({ content }) => content);

  it('shows notes newest first, page by page, for nothing', async () => {
    const { alice } = world;
    const space = await makeSpace(alice);
    for (let n = 0; n < 7; n += 1) mustOk(await writeNote(alice, space, `n${n}`, { key: `k${n}` }));
    mustOk(await writeNote(alice, space, 'n2 again', { key: 'k2' }));
    const cost = await costOf(alice, async () => {
      const seen: string[] = [];
      let path = `${space.path}?limit=3`;
      for (let pages = 1; ; pages += 1) {
        const page = mustOk(await alice.get(path));
        seen.push(...contentsOf(page));
        const { next } = page;
        if (next === undefined) {
          assert.equal(pages, 3);
          break;
        }
        path = `${space.path}?limit=3&after=${String(next)}`;
      }
      assert.deepEqual(seen, ['n2 again', 'n6', 'n5', 'n4', 'n3', 'n1', 'n0']);
    });
    assert.equal(cost, 0n);
  });

  it('keeps a page within half a megabyte, whatever limit is asked for', async () => {
    const { alice } = world;
    const space = await makeSpace(alice);
    for (let n = 0; n < 70; n += 1) mustOk(await writeNote(alice, space, `${n}`.padEnd(8192, '.')));
    const page = mustOk(await alice.get(`${space.path}?limit=200`));
    assert.deepEqual([page['limit'], page['count']], [200, 64]);
    const rest = mustOk(await alice.get(`${space.path}?limit=200&after=${String(page['next'])}`));
    assert.deepEqual([rest['count'], rest['next']], [6, undefined]);
  });

  it('has the vectors when they are asked for, normalised float32 in base64', async () => {
    const { alice } = world;
    const space = await makeSpace(alice);
    const vector = next();
    mustOk(await writeNote(alice, space, 'with', { embedding: vector }));
    assert.equal(at(mustOk(await alice.get(space.path)), 'notes', 0, 'embeddingBase64'), undefined);
    const page = mustOk(await alice.get(`${space.path}?embeddings=true`));
    const bytes = Buffer.from(String(at(page, 'notes', 0, 'embeddingBase64')), 'base64');
    const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
    for (const [n, x] of vector.entries()) {
      assert.ok(Math.abs(bytes.readFloatLE(n * 4) - x / length) < 1e-7);
    }
  });

  it('shows one key with what it held before, ten times at most', async () => {
    const { alice, bob } = world;
    const space = await makeSpace(alice);
    for (let n = 0; n < 13; n += 1) {
      world.hub.clock.advance(60);
      mustOk(await writeNote(alice, space, `version ${n}`, { key: 'plans/2026-11' }));
    }
    const path = `${space.path}?key=${encodeURIComponent('plans/2026-11')}`;
    const page = mustOk(await alice.get(path));
    assert.deepEqual(contentsOf(page), ['version 12']);
    const history = page['history'] as readonly { content: string; author: string; at: string }[];
    assert.deepEqual(
      history.map(({ content }) => content),
      Array.from({ length: 10 }, (_, n) => `version ${11 - n}`),
    );
    assert.ok(history.every(({ author }) => author === alice.account));
    const times = history.map(({ at: when }) => when);
    assert.deepEqual(times, [...times].sort().reverse());
    const none = mustOk(await alice.get(`${space.path}?key=nothing`));
    assert.deepEqual([none['count'], none['history']], [0, []]);
    mustRefuse(await bob.get(path), 400, 'not-granted');
  });

  it('refuses other accounts, unknown spaces and foreign cursors', async () => {
    const { alice, bob } = world;
    const space = await makeSpace(alice);
    mustRefuse(await bob.get(space.path), 400, 'not-granted');
    mustRefuse(await world.anyone.get(space.path), 401, 'unsigned');
    mustRefuse(await alice.get(`${SPACES}/01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90`), 404, 'not-found');
    mustRefuse(await alice.get(`${SPACES}/no-uuid`), 400, 'bad-path');
    const foreign = `${space.path}?after=01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90`;
    mustRefuse(await alice.get(foreign), 404, 'not-found');
  });
});
