import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { costOf } from '../memory/space.ts';
import { filePath, putFile } from './file.ts';

hubsOnBothDatabases('files.rename', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    for (const each of [world.alice, world.bob]) await world.fund(each, '10000000');
  });

  it('puts a file under another key that is free, for nothing', async () => {
    const { alice, bob } = world;
    mustOk(await putFile(alice, 'draft', 'the text'));
    mustOk(await putFile(alice, 'other', 'another'));
    const rename = (key: string, to: string, by = alice) =>
      by.post(`${filePath(alice, key)}/rename`, { to });
    mustRefuse(await rename('draft', 'other'), 400, 'name-taken');
    const cost = await costOf(alice, async () => {
      assert.equal(mustOk(await rename('draft', 'final/1'))['key'], 'final/1');
      assert.equal(mustOk(await rename('final/1', 'final/1'))['key'], 'final/1');
    });
    assert.equal(cost, 0n);
    const read = mustOk(await alice.get(filePath(alice, 'final/1')));
    assert.equal(Buffer.from(String(read['contentBase64']), 'base64').toString(), 'the text');
    mustRefuse(await rename('draft', 'x'), 404, 'not-found');
    mustRefuse(await rename('other', '../x'), 400, 'bad-request');
    mustRefuse(await rename('other', 'x', bob), 401, 'wrong-owner');
  });
});
