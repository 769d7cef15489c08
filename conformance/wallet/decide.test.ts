import assert from 'node:assert/strict';
import type { Agent, Answer } from '../harness/agents.ts';
import { fakeClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { NOTHING } from '../kinds/hints/_walk.ts';
import { keyEvents, limitedKey, limitsOf, payBy, setPolicy } from './_policies.ts';
import { walletPath } from './_signed.ts';

const POLICY = { approveAbove: '100', perDay: '1000' };

describe('wallet.decide', () => {
  let world: Fixture;
  let owner: Agent;
  const clock = fakeClock();
  before(async () => {
    world = await openFixture({ clock });
    owner = await world.agent();
    await world.fund(owner, '900000000');
  });
  after(() => world.close());

  const decide = (decision: 'approved' | 'rejected', id: unknown, by = owner): Promise<Answer> =>
    by.post(`${walletPath(owner)}/approvals/${String(id)}`, { decision });
  const asking = async (key: Agent, amount: string, idempotencyKey: string): Promise<unknown> => {
    const refused = await payBy(key, world.bob, amount, { idempotencyKey });
    return mustRefuse(refused, 400, 'approval-needed')['approvalId'];
  };

  it('permits the very call once, in the transaction that takes its money', async () => {
    const { bob } = world;
    const account = owner;
    const key = await limitedKey(world, account, POLICY);
    mustOk(await payBy(key, bob, '100'));
    const same = { idempotencyKey: 'approved once' };
    const id = await asking(key, '500', same.idempotencyKey);
    assert.equal(await asking(key, '500', same.idempotencyKey), id, 'the same call waits once');
    assert.equal((await limitsOf(key))['day']?.used, '100', 'nothing is held for it');
    const approved = mustOk(await decide('approved', id));
    assert.deepEqual([approved['state'], approved['amount']], ['approved', '500']);
    assert.deepEqual(mustOk(await decide('approved', id)), approved);
    mustRefuse(await payBy(key, bob, '501', same), 400, 'approval-needed');
    const paid = mustOk(await payBy(key, bob, '500', same));
    const again = mustOk(await payBy(key, bob, '500', same));
    assert.deepEqual([again['transferId'], again['repeated']], [paid['transferId'], true]);
    assert.equal((await limitsOf(key))['day']?.used, '600');
    mustRefuse(await decide('approved', id), 400, 'decided');
    mustRefuse(await decide('rejected', id), 400, 'decided');
    const kinds = await keyEvents(account);
    assert.deepEqual(
      kinds.filter((kind) => kind.startsWith('approval.')),
      ['approval.pending', 'approval.approved', 'approval.pending'],
    );
  });

  it('permits a call without an idempotency key once as well', async () => {
    const key = await limitedKey(world, owner, { approveAbove: '10' });
    const task = {
      requester: owner.account,
      title: 'Write a line',
      rewardAmount: '200000',
    };
    const publish = (): Promise<Answer> => key.post('/api/v1/tasks', task);
    const { approvalId } = mustRefuse(await publish(), 400, 'approval-needed');
    mustOk(await decide('approved', approvalId));
    mustOk(await publish());
    const next = mustRefuse(await publish(), 400, 'approval-needed');
    assert.notEqual(next['approvalId'], approvalId);
  });

  it('is raced by a rejection, and one of them counts', async () => {
    const key = await limitedKey(world, owner, POLICY);
    for (let time = 0; time < 5; time += 1) {
      const name = `raced ${time}`;
      const id = await asking(key, '150', name);
      const [yes, no] = await Promise.all([decide('approved', id), decide('rejected', id)]);
      const paid = await payBy(key, world.bob, '150', { idempotencyKey: name });
      // A rejection takes an approval back that was not used, so it wins whenever it passed.
      if (no.status === 200) mustRefuse(paid, 401, 'policy-forbids');
      else mustOk(paid);
      assert.ok(yes.status === 200 || no.status === 200);
    }
  });

  it('does not outlive the key, the limits or a day', async () => {
    const { bob } = world;
    const key = await limitedKey(world, owner, POLICY);
    const id = await asking(key, '600', 'above a new limit');
    mustOk(await decide('approved', id));
    mustOk(await setPolicy(owner, key, { ...POLICY, perDay: '599' }));
    const same = { idempotencyKey: 'above a new limit' };
    mustRefuse(await payBy(key, bob, '600', same), 400, 'policy-limit');
    mustOk(await setPolicy(owner, key, POLICY));
    mustOk(await payBy(key, bob, '600', same));
    const late = await asking(key, '300', 'too late');
    mustOk(await decide('approved', late));
    clock.advance(86_401);
    mustRefuse(
      await payBy(key, bob, '300', { idempotencyKey: 'too late' }),
      400,
      'approval-needed',
    );
    mustRefuse(await decide('approved', late), 404, 'not-found');
    const last = await asking(key, '300', 'of a revoked key');
    mustOk(await owner.post(`${walletPath(owner)}/keys/${key.keyId}/revoke`));
    mustRefuse(await decide('approved', last), 400, 'decided');
    const revoked = await payBy(key, bob, '300', { idempotencyKey: 'of a revoked key' });
    mustRefuse(revoked, 401, 'key-revoked');
  });

  it('is refused to the key itself, to other limited keys and to other accounts', async () => {
    const key = await limitedKey(world, owner, POLICY);
    const other = await limitedKey(world, owner, {});
    const id = await asking(key, '200', 'approved by itself');
    mustRefuse(await decide('approved', id, key), 401, 'policy-forbids');
    mustRefuse(await decide('approved', id, other), 401, 'policy-forbids');
    mustRefuse(await decide('approved', id, world.bob), 401, 'wrong-owner');
    mustRefuse(await decide('approved', NOTHING), 404, 'not-found');
  });
});
