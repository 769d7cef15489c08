import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { costOf, grantTo, makeSpace, writeNote, type MadeSpace } from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

hubsOnBothDatabases('memory.grant', (open) => {
  let world: Fixture;
  let space: MadeSpace;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '1000000');
    await world.fund(world.bob, '1000000');
    space = await makeSpace(world.alice, 'shared');
  });

  it('lets in for reading, then for writing, and takes it back, for nothing', async () => {
    const { alice, bob } = world;
    const cost = await costOf(alice, async () => {
      const read = mustOk(await grantTo(alice, space, bob.account));
      assert.deepEqual([read['state'], read['canWrite'], read['grants']], ['granted', false, 1]);
      assert.deepEqual(at(mustOk(await bob.get(space.path)), 'access'), { youMay: ['read'] });
      const write = mustOk(await grantTo(alice, space, bob.account, { canWrite: true }));
      assert.deepEqual([write['canWrite'], write['grants']], [true, 1]);
      assert.deepEqual(at(mustOk(await bob.get(space.path)), 'access'), {
        youMay: ['read', 'write'],
      });
      mustOk(await writeNote(bob, space, 'from bob'));
      const gone = mustOk(
        await grantTo(alice, space, bob.account, { revoke: true, canWrite: true }),
      );
      assert.deepEqual([gone['state'], gone['canWrite'], gone['grants']], ['revoked', false, 0]);
      mustRefuse(await bob.get(space.path), 400, 'not-granted');
      mustRefuse(await bob.get(`${space.path}/export`), 400, 'not-granted');
      mustRefuse(await writeNote(bob, space, 'again'), 400, 'not-granted');
      mustOk(await grantTo(alice, space, bob.account, { revoke: true }));
    });
    assert.equal(cost, 0n);
    const contents = mustOk(await alice.get(space.path));
    assert.equal(at(contents, 'notes', 0, 'content'), 'from bob', 'what was written stays');
  });

  it('is shown to the owner alone', async () => {
    const { alice, bob } = world;
    mustOk(await grantTo(alice, space, bob.account));
    const grants = at(mustOk(await alice.get(space.path)), 'access', 'grants');
    assert.deepEqual(at(grants, 0, 'grantee'), bob.account);
    assert.equal(at(mustOk(await bob.get(space.path)), 'access', 'grants'), undefined);
  });

  it('refuses grants by others, on private spaces, to oneself, to the house, and to no account', async () => {
    const { alice, bob } = world;
    const other = await world.agent();
    mustOk(await grantTo(alice, space, bob.account, { canWrite: true }));
    mustRefuse(await grantTo(bob, space, other.account), 400, 'not-granted');
    mustRefuse(await grantTo(bob, space, bob.account, { revoke: true }), 400, 'not-granted');
    mustRefuse(await grantTo(alice, await makeSpace(alice), bob.account), 400, 'wrong-mode');
    mustRefuse(await grantTo(alice, space, alice.account), 400, 'self-dealing');
    for (const grantee of ['hub:fees', 'external:faucet', 'key:nobody', '']) {
      mustRefuse(await grantTo(alice, space, grantee), 400, 'bad-account');
    }
    const nowhere = { id: '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90', path: '' };
    mustRefuse(await grantTo(alice, nowhere, bob.account), 404, 'not-found');
    const forged = { owner: bob.account, spaceId: space.id, grantee: other.account };
    mustRefuse(await alice.post('/api/v1/memory/grants', forged), 401, 'wrong-owner');
  });

  it('refuses the 201st and takes a change of the 200th', async () => {
    const { alice } = world;
    const full = await makeSpace(alice, 'shared');
    let last = '';
    for (let n = 0; n < 200; n += 1) {
      last = (await generateKey()).account;
      mustOk(await grantTo(alice, full, last));
    }
    mustRefuse(await grantTo(alice, full, (await generateKey()).account), 400, 'ceiling-reached');
    assert.equal(mustOk(await grantTo(alice, full, last, { canWrite: true }))['grants'], 200);
  });
});
