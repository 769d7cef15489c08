import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { MEMORY } from '../memory/space.ts';
import { filePath, putFile, storedObjects } from './file.ts';

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
});
