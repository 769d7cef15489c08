import assert from 'node:assert/strict';
import { openFixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';

describe('wallet.apiKeys', () => {
  it('lists the keys of the account, newest first, never a key itself', async () => {
    const world = await openFixture();
    const { alice } = world;
    const path = `/api/v1/wallet/${alice.account}/api-keys`;
    assert.deepEqual(mustOk(await alice.get(path))['keys'], []);
    const first = mustOk(await alice.post(path, { label: 'first' }));
    const second = mustOk(await alice.post(path));
    const listed = mustOk(await alice.get(path));
    assert.deepEqual(listed['count'], 2);
    const { id, hint, createdAt } = second;
    assert.deepEqual(listed['keys'], [
      { id, hint, createdAt, revoked: false },
      {
        id: first['id'],
        hint: first['hint'],
        label: 'first',
        createdAt: first['createdAt'],
        revoked: false,
      },
    ]);
    assert.ok(!JSON.stringify(listed).includes(String(first['key'])));
    mustRefuse(await world.bob.get(path), 401, 'wrong-owner');
    mustRefuse(await world.anyone.get(path), 401, 'unsigned');
    await world.close();
  });
});
