import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { keyEvents, limitedKey, limitsOf, payBy, setPolicy } from './_policies.ts';
import { walletPath } from './_signed.ts';

describe('wallet.setPolicy with `lifted`', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '900000000');
  });
  after(() => world.close());

  it('lifts the limits of a key, whose use stays counted for its next policy', async () => {
    const { alice, bob } = world;
    const key = await limitedKey(world, alice, { perDay: '1000' });
    mustOk(await payBy(key, bob, '700'));
    mustRefuse(await payBy(key, bob, '700'), 400, 'policy-limit');
    const path = `${walletPath(alice)}/keys/${key.keyId}/policy`;
    mustRefuse(await key.post(path, { lifted: true }), 401, 'policy-forbids');
    mustRefuse(await bob.post(path, { lifted: true }), 401, 'wrong-owner');
    assert.deepEqual(mustOk(await alice.post(path, { lifted: true })), {
      owner: alice.account,
      keyId: key.keyId,
    });
    mustOk(await payBy(key, bob, '700'));
    assert.equal(mustOk(await key.get('/api/v1/me'))['spending'], undefined);
    mustOk(await alice.post(path, { lifted: true }));
    mustOk(await setPolicy(alice, key, { perDay: '1500' }));
    assert.equal((await limitsOf(key))['day']?.left, '100');
    const removed = (await keyEvents(alice)).filter((kind) => kind === 'policy.removed');
    assert.equal(removed.length, 1, 'a second removal changed nothing');
  });

  it('refuses a key that does not act for the account', async () => {
    const { alice, bob } = world;
    const path = `${walletPath(alice)}/keys/${bob.keyId}/policy`;
    mustRefuse(await alice.post(path, { lifted: true }), 404, 'not-found');
    const both = await alice.post(path, { lifted: true, perDay: '1' });
    assert.equal(mustRefuse(both, 400, 'bad-request')['field'], 'body.lifted');
    mustRefuse(await alice.post(path, { lifted: false }), 400, 'bad-request');
  });
});
