import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { grantTo, makeSpace, SPACES } from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

type Body = Record<string, unknown>;

hubsOnBothDatabases('memory.spaces', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    for (const each of [world.alice, world.bob]) await world.fund(each, '10000000');
  });

  it('lists the spaces of the signer and those it was let into, in pages', async () => {
    const { alice, bob } = world;
    const own = [await makeSpace(alice), await makeSpace(alice, 'shared')];
    const shared = await makeSpace(bob, 'shared');
    await makeSpace(bob);
    mustOk(await grantTo(bob, shared, alice.account));
    const ids: unknown[] = [];
    for (let place = ''; ;) {
      const page = mustOk(await alice.get(`${SPACES}?limit=2${place}`));
      ids.push(...(page['spaces'] as Body[]).map(({ id }) => id));
      if (page['next'] === undefined) break;
      place = `&after=${String(page['next'])}`;
    }
    assert.deepEqual(ids, [...own, shared].map(({ id }) => id).sort());
    mustOk(await grantTo(bob, shared, alice.account, { revoke: true }));
    const left = mustOk(await alice.get(SPACES))['spaces'] as Body[];
    assert.deepEqual([...new Set(left.map(({ owner }) => owner))], [alice.account]);
    const answer = await world.anyone.get(SPACES);
    mustRefuse(answer, 401, 'unsigned');
  });

  it('is named by the refusal of a name that is taken', async () => {
    const { alice } = world;
    const body = { owner: alice.account, name: 'once', idempotencyKey: 'space-once' };
    const made = mustOk(await alice.post(SPACES, body));
    assert.deepEqual(mustOk(await alice.post(SPACES, body)), { ...made, repeated: true });
    const refused = mustRefuse(
      await alice.post(SPACES, { owner: alice.account, name: 'once' }),
      400,
      'name-taken',
    );
    assert.ok(String(refused['error']).includes(String(made['id'])));
  });
});
