import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { awaitContent } from '../../db/files/contents.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { MEMORY } from '../memory/space.ts';
import { filePath, putFile, sha256Of, storedObjects } from './file.ts';

hubsOnBothDatabases('files.delete', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    for (const each of [world.alice, world.bob]) await world.fund(each, '10000000');
  });

  it('deletes a file, and its bytes once no other file has them', async () => {
    const { alice, bob } = world;
    for (const key of ['one', 'two']) mustOk(await putFile(alice, key, 'shared bytes'));
    const remove = (key: string, by = alice) => by.post(`${filePath(alice, key)}/delete`, {});
    const sweep = async (): Promise<number> => {
      world.hub.clock.advance(2 * 3_600);
      await world.hub.runJob('fileSweep');
      return (await storedObjects(world)).length;
    };
    mustRefuse(await remove('one', bob), 401, 'wrong-owner');
    const first = mustOk(await remove('one'));
    assert.deepEqual([first['key'], first['bytes']], ['one', 12]);
    mustRefuse(await remove('one'), 404, 'not-found');
    mustRefuse(await alice.get(filePath(alice, 'one')), 404, 'not-found');
    assert.equal(await sweep(), 1, 'the other file has the bytes');
    mustOk(await alice.get(filePath(alice, 'two')));
    mustOk(await remove('two'));
    assert.equal(await sweep(), 0);
    const usage = mustOk(await alice.get(`${MEMORY}/usage/${alice.account}`));
    assert.deepEqual([usage['files'], usage['fileBytes']], [0, 0]);
  });

  it('sweeps more contents than one batch takes without waiting for its timer', async () => {
    const { store } = world.hub.running.hub;
    const runs: (number | void)[] = [];
    const at = world.hub.clock.now();
    await store.write(async (tx) => {
      for (let n = 0; n < 450; n += 1) {
        await awaitContent(
          tx,
          { object: `${sha256Of(`${n}`)}.${randomUUID()}`, sha256: sha256Of(`${n}`), bytes: 1 },
          at,
        );
      }
    });
    world.hub.clock.advance(2 * 3_600);
    const { driver } = world.hub.running;
    do runs.push(await driver.runOnce('fileSweep'));
    while (runs.at(-1) !== undefined);
    assert.equal(runs.length, 3, 'two full batches and the rest');
    const left = await store.read((db) =>
      db.knex('file_contents').where('object', 'like', 'left-%'),
    );
    assert.deepEqual(left, []);
  });
});
