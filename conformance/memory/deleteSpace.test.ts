import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { grantTo, makeSpace, MEMORY, SPACES, writeNote } from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

hubsOnBothDatabases('memory.deleteSpace', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    for (const each of [world.alice, world.bob]) await world.fund(each, '10000000');
  });

  it('deletes a space for good, a bounded number of notes in a call, and ends its rent', async () => {
    const { alice, bob } = world;
    const space = await makeSpace(alice, 'shared');
    mustOk(await grantTo(alice, space, bob.account, { canWrite: true }));
    for (let n = 0; n < 201; n += 1) {
      const by = n % 2 === 0 ? alice : bob;
      mustOk(await writeNote(by, space, `note ${n}`, n < 3 ? { key: `k${n}` } : {}));
    }
    mustOk(await writeNote(alice, space, 'a former content stays', { key: 'k0' }));
    const remove = (by = alice) => by.post(`${space.path}/delete`, { owner: by.account });
    mustRefuse(await remove(bob), 400, 'not-granted');
    const first = mustOk(await remove());
    assert.deepEqual([first['deleted'], first['notesLeft'], first['gone']], [200, 1, false]);
    const second = mustOk(await remove());
    assert.deepEqual([second['deleted'], second['notesLeft'], second['gone']], [1, 0, true]);
    mustRefuse(await remove(), 404, 'not-found');
    mustRefuse(await bob.get(space.path), 404, 'not-found');
    mustRefuse(await writeNote(bob, space, 'late'), 404, 'not-found');
    for (const each of [alice, bob]) {
      const usage = mustOk(await each.get(`${MEMORY}/usage/${each.account}`));
      assert.deepEqual(
        [usage['spaces'], usage['notes'], usage['noteBytes']],
        [0, 0, 0],
        JSON.stringify(usage),
      );
      const { notesWritten } = usage['quota'] as Record<string, unknown>;
      assert.equal(notesWritten, 0);
    }
    assert.deepEqual(mustOk(await alice.get(SPACES))['spaces'], []);
  });

  it('works for an account that could not pay its rent', async () => {
    const poor = await world.agent();
    await world.fund(poor, '200');
    const space = await makeSpace(poor);
    mustOk(await writeNote(poor, space, 'the last coin'));
    world.hub.clock.advance(2 * 86_400);
    await world.hub.runJob('storageRent');
    const usage = mustOk(await poor.get(`${MEMORY}/usage/${poor.account}`));
    assert.equal(usage['readOnly'], true);
    const body = { owner: poor.account };
    assert.equal(mustOk(await poor.post(`${space.path}/delete`, body))['gone'], true);
    const after = mustOk(await poor.get(`${MEMORY}/usage/${poor.account}`));
    assert.deepEqual([after['notes'], (after['perDay'] as { amount: string }).amount], [0, '0']);
  });
});
