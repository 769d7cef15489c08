import assert from 'node:assert/strict';
import { generateKey, signer, signRequest } from '../../clients/typescript/sign.ts';
import { agentWith, exchange, joinAccount, plain } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { limitedKey, payBy, setPolicy } from './_policies.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';

describe('wallet.approvals', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '900000000');
  });
  after(() => world.close());
  onlyTheOwner(() => world, 'GET', '/approvals');

  it('shows the call as it was sent, and to no other account', async () => {
    const { alice, bob } = world;
    const key = await limitedKey(world, alice, { approveAbove: '100' });
    const more = { idempotencyKey: 'shown', memo: 'for the maps' };
    const { approvalId } = mustRefuse(await payBy(key, bob, '500', more), 400, 'approval-needed');
    const list = mustOk(await alice.get(`${walletPath(alice)}/approvals`));
    assert.equal(at(list, 'approvals', 0, 'id'), approvalId);
    assert.equal(at(list, 'approvals', 0, 'operation'), 'wallet.pay');
    assert.deepEqual(at(list, 'approvals', 0, 'request', 'body'), {
      to: bob.account,
      amount: '500',
      ...more,
    });
    assert.equal(mustOk(await bob.get(`${walletPath(bob)}/approvals`))['count'], 0);
  });

  it('stores at most 20 open calls of a key, and none that its owner could not read', async () => {
    const { alice, bob } = world;
    const owner = await world.agent();
    await world.fund(owner, '1000000');
    const key = await limitedKey(world, owner, { approveAbove: '1' });
    for (let count = 0; count < 20; count += 1) {
      mustRefuse(await payBy(key, bob, '500'), 400, 'approval-needed');
    }
    mustRefuse(await payBy(key, bob, '500'), 401, 'policy-forbids');
    const list = mustOk(await owner.get(`${walletPath(owner)}/approvals`));
    assert.equal(list['count'], 20);
    const wide = await limitedKey(world, alice, { approveAbove: '1' });
    const task = {
      requester: alice.account,
      title: 'A long one',
      rewardAmount: '200000',
      description: 'x'.repeat(16_384),
    };
    const refused = mustRefuse(await wide.post('/api/v1/tasks', task), 401, 'policy-forbids');
    assert.match(String(refused['error']), /at most 16384 bytes/);
  });

  it('stores nothing for a call that is only tried', async () => {
    const { bob } = world;
    const owner = await world.agent();
    await world.fund(owner, '1000000');
    const pair = await generateKey();
    const key = agentWith(world.hub, pair);
    mustOk(await joinAccount(owner, key));
    mustOk(await setPolicy(owner, key, { approveAbove: '1' }));
    const body = { to: bob.account, amount: '500', idempotencyKey: 'tried' };
    const bare = plain(world.hub, 'POST', `${walletPath(owner)}/pay`, body);
    bare.headers.set('prefer', 'dry-run');
    const tried = await signRequest(bare, signer(pair), world.hub.clock.now());
    mustRefuse(await exchange(tried), 400, 'approval-needed');
    assert.equal(mustOk(await owner.get(`${walletPath(owner)}/approvals`))['count'], 0);
  });
});
