import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import {
  costOf,
  found,
  grantTo,
  makeSpace,
  MEMORY,
  searchNotes,
  vectors,
  writeNote,
  type MadeSpace,
} from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

hubsOnBothDatabases('memory.deleteSpace of some notes', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    for (const each of [world.alice, world.bob]) await world.fund(each, '10000000');
  });

  const remove = (by: Agent, space: MadeSpace, ...noteIds: readonly unknown[]): Promise<Answer> =>
    by.post(`${space.path}/delete`, { owner: by.account, noteIds });
  const write = async (by: Agent, space: MadeSpace, text: string, more = {}): Promise<string> =>
    String(mustOk(await writeNote(by, space, text, more))['noteId']);
  const usage = async (of: Agent): Promise<Record<string, unknown>> =>
    mustOk(await of.get(`${MEMORY}/usage/${of.account}`));

  it('takes notes out of both searches, the page, the sums and the limit, for nothing', async () => {
    const { alice } = world;
    const before = await usage(alice);
    const space = await makeSpace(alice);
    const next = vectors(3);
    const [first, second] = [next(), next()];
    const gone = await write(alice, space, 'amber lantern', { embedding: first, key: 'a' });
    await write(alice, space, 'copper lantern', { embedding: second });
    mustOk(
      await write(alice, space, 'amber again', { key: 'a' }).then(() => alice.get(space.path)),
    );
    const byVector = (): Promise<readonly string[]> =>
      found(searchNotes(alice, space, { embedding: second }));
    assert.deepEqual(await byVector(), ['copper lantern']);
    const kept = await write(alice, space, 'silver lantern', { embedding: first });
    assert.equal((await byVector()).length, 2);

    const cost = await costOf(alice, async () => {
      const done = mustOk(await remove(alice, space, gone, kept, gone));
      assert.deepEqual([done['deleted'], done['notesLeft']], [2, 1]);
    });
    assert.equal(cost, 0n);
    assert.deepEqual(await byVector(), ['copper lantern'], 'also where it was kept ready');
    assert.deepEqual(await found(searchNotes(alice, space, { text: 'amber' })), []);
    assert.deepEqual(await found(searchNotes(alice, space, { text: 'lantern' })), [
      'copper lantern',
    ]);
    const page = mustOk(await alice.get(space.path));
    assert.equal((page['notes'] as unknown[]).length, 1);
    const after = await usage(alice);
    assert.equal(Number(after['notes']) - Number(before['notes']), 1);
    mustOk(await writeNote(alice, space, 'amber again', { key: 'a' }));
    const repeated = mustOk(await remove(alice, space, gone, kept));
    assert.equal(repeated['deleted'], 0);
  });

  it('lets a writer delete its own notes, the owner all, and any other account none', async () => {
    const { alice, bob } = world;
    const space = await makeSpace(alice, 'shared');
    const stranger = await world.agent();
    mustOk(await grantTo(alice, space, bob.account, { canWrite: true }));
    const [hers, his] = [await write(alice, space, 'hers'), await write(bob, space, 'his')];
    mustRefuse(await remove(bob, space, his, hers), 400, 'not-granted');
    mustRefuse(await remove(stranger, space, his), 400, 'not-granted');
    const written = (await usage(bob))['quota'] as Record<string, number>;
    assert.equal(mustOk(await remove(alice, space, his))['deleted'], 1);
    const now = (await usage(bob))['quota'] as Record<string, number>;
    assert.equal(Number(written['notesWritten']) - Number(now['notesWritten']), 1);
    const again = await write(bob, space, 'his again');
    assert.equal(mustOk(await remove(bob, space, again))['deleted'], 1);
    const elsewhere = await makeSpace(alice);
    assert.equal(mustOk(await remove(alice, elsewhere, hers))['deleted'], 0, 'of this space alone');
    mustRefuse(await remove(alice, space), 400, 'bad-request');
  });
});
