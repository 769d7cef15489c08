import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { keyEvents, limitedKey, payBy } from './_policies.ts';
import { walletPath } from './_signed.ts';

describe('wallet.decide against a call', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '900000000');
  });
  after(() => world.close());

  it('refuses the very call from then on, and takes an unused approval back', async () => {
    const { alice, bob } = world;
    const key = await limitedKey(world, alice, { approveAbove: '100' });
    const decide = (decision: 'approved' | 'rejected', id: unknown) =>
      alice.post(`${walletPath(alice)}/approvals/${String(id)}`, { decision });
    const same = { idempotencyKey: 'rejected' };
    const { approvalId } = mustRefuse(await payBy(key, bob, '500', same), 400, 'approval-needed');
    mustOk(await decide('approved', approvalId));
    const rejected = mustOk(await decide('rejected', approvalId));
    assert.deepEqual([rejected['state'], rejected['decidedBy']], ['rejected', alice.keyId]);
    assert.deepEqual(mustOk(await decide('rejected', approvalId)), rejected);
    mustRefuse(await decide('approved', approvalId), 400, 'decided');
    const refused = mustRefuse(await payBy(key, bob, '500', same), 401, 'policy-forbids');
    assert.match(String(refused['error']), /owner rejected/);
    mustOk(await payBy(key, bob, '100'));
    assert.ok((await keyEvents(alice)).includes('approval.rejected'));
  });
});
