import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { found, grantTo, makeSpace, searchNotes, SPACES, writeNote } from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

hubsOnBothDatabases('memory.renameSpace', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    for (const each of [world.alice, world.bob]) await world.fund(each, '10000000');
  });

  it('gives a space another name, and keeps its id, notes and grants', async () => {
    const { alice, bob } = world;
    const space = await makeSpace(alice, 'shared');
    mustOk(await writeNote(alice, space, 'the lighthouse keeper'));
    mustOk(await grantTo(alice, space, bob.account));
    const rename = (name: string, by = alice) =>
      by.post(`${space.path}/rename`, { owner: by.account, name });
    const renamed = mustOk(await rename('harbour'));
    assert.deepEqual([renamed['id'], renamed['name'], renamed['notes']], [space.id, 'harbour', 1]);
    assert.equal(mustOk(await rename('harbour'))['name'], 'harbour', 'its own name is free for it');
    assert.deepEqual(await found(searchNotes(bob, space, { text: 'lighthouse' })), [
      'the lighthouse keeper',
    ]);

    const other = { owner: alice.account, name: 'pier' };
    const { id } = mustOk(await alice.post(SPACES, other));
    const refused = mustRefuse(await rename('pier'), 400, 'name-taken');
    assert.ok(String(refused['error']).includes(String(id)));
    mustRefuse(await rename('mine', bob), 400, 'not-granted');
    mustRefuse(await rename('a/b'), 400, 'bad-request');
    const nowhere = `${SPACES}/01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90/rename`;
    mustRefuse(await alice.post(nowhere, { owner: alice.account, name: 'x' }), 404, 'not-found');
  });
});
