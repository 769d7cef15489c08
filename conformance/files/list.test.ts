import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { FILES, filePath, putFile, sha256Of } from './file.ts';

hubsOnBothDatabases('files.list', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    for (const each of [world.alice, world.bob]) await world.fund(each, '10000000');
  });

  it('lists the keys of the owner in order, by prefix and in pages, without bytes', async () => {
    const { alice, bob } = world;
    const keys = ['a/1', 'a/2', 'a_', 'b'];
    for (const key of keys) mustOk(await putFile(alice, key, key));
    mustOk(await putFile(bob, 'c', 'c'));
    const list = async (query: string): Promise<readonly unknown[]> => {
      const body = mustOk(await alice.get(`${FILES}/${alice.account}${query}`));
      return (body['files'] as Record<string, unknown>[]).map(({ key }) => key);
    };
    assert.deepEqual(await list(''), keys);
    assert.deepEqual(await list(`?prefix=${encodeURIComponent('a/')}`), ['a/1', 'a/2']);
    const page = mustOk(await alice.get(`${FILES}/${alice.account}?limit=3`));
    assert.deepEqual([page['count'], page['hasMore'], page['next']], [3, true, 'a_']);
    assert.deepEqual(await list('?limit=3&after=a_'), ['b']);
    const [first] = page['files'] as Record<string, unknown>[];
    assert.deepEqual([first?.['bytes'], first?.['sha256']], [3, sha256Of('a/1')]);
    mustRefuse(await bob.get(`${FILES}/${alice.account}`), 401, 'wrong-owner');
    assert.ok(filePath(alice, 'a/1').endsWith('a%2F1'));
  });
});
