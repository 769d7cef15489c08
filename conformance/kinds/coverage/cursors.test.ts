import assert from 'node:assert/strict';
import type { Fixture } from '../../harness/fixture.ts';
import { deref, operations, type Json } from '../../harness/contract.ts';
import { hubsOnBothDatabases } from '../../harness/hubsOnBothDatabases.ts';
import { mustOk, mustRefuse } from '../../harness/must.ts';
import { FILES, putFile } from '../../files/file.ts';

const ID = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
/** Two cursors of each form that some list has. */
const PAIRS = [
  [ID, ID.replace('0', '1')],
  ['1', '2'],
  ['A'.repeat(32), 'B'.repeat(32)],
] as const;

const lists = operations.filter(({ method, raw }) => {
  const given = (raw['parameters'] ?? []) as readonly Json[];
  return (
    method === 'GET' &&
    given.some(
      (each) => deref<Json>(each)['name'] === 'after' && deref<Json>(each)['deprecated'] === true,
    )
  );
});

hubsOnBothDatabases('a cursor', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
  });

  for (const { operationId, path } of lists) {
    it(`${operationId} refuses a cursor of a wrong form, and two names for it that differ`, async () => {
      const { account, keyId } = world.alice;
      const id = path.includes('/agents/') ? '0123456789abcdef' : ID;
      const filled = path.replace('{owner}', account).replace('{keyId}', keyId).replace('{id}', id);
      const get = (query: string) =>
        world.alice.get(`${filled}?${query}${operationId === 'discovery.search' ? '&q=pdf' : ''}`);
      const refused = mustRefuse(await get('cursor=!'), 400, 'bad-request');
      assert.equal(refused['field'], 'query.cursor');
      assert.match(String(refused['hint']), /nextCursor/);
      mustRefuse(await get('after=!'), 400, 'bad-request');
      const fields = [];
      for (const [one, other] of PAIRS) {
        const { body } = await get(`cursor=${one}&after=${other}`);
        fields.push((body as Json)['error']);
      }
      assert.ok(
        fields.some((error) => /the two differ/.test(String(error))),
        fields.join(' '),
      );
    });
  }

  it('goes on under its old names as under the new ones', async () => {
    const { alice } = world;
    await world.fund(alice, '10000000');
    for (const key of ['a', 'b', 'c']) mustOk(await putFile(alice, key, key));
    const page = async (query: string): Promise<Json> =>
      mustOk(await alice.get(`${FILES}/${alice.account}?limit=1${query}`));
    const first = await page('');
    assert.deepEqual([first['nextCursor'], first['next']], ['a', 'a']);
    const second = await page('&cursor=a');
    assert.equal(second['nextCursor'], 'b');
    assert.deepEqual(await page('&after=a'), second);
    assert.deepEqual(await page('&after=a&cursor=a'), second);
    const last = await page('&cursor=b');
    assert.deepEqual(
      [last['hasMore'], last['nextCursor'], last['next']],
      [false, undefined, undefined],
    );
  });
});
