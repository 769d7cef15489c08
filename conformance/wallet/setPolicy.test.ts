import assert from 'node:assert/strict';
import { fakeClock } from '../harness/clock.ts';
import { joinAccount, type Agent } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { NOTHING } from '../kinds/hints/_walk.ts';
import { joinedKey, keyEvents, limitedKey, limitsOf, payBy, setPolicy } from './_policies.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';

describe('wallet.setPolicy', () => {
  let world: Fixture;
  const clock = fakeClock(Date.parse('2026-11-26T09:10:00.000Z'));
  let owner: Agent;
  before(async () => {
    world = await openFixture({ clock });
    owner = await world.agent();
    await world.fund(owner, '900000000');
  });
  after(() => world.close());

  describe('as an operation of the owner', () => {
    const other = '3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt';
    onlyTheOwner(
      () => world,
      'POST',
      `/keys/${other}/policy`,
      () => ({ perDay: '1' }),
    );
  });

  it('limits a call, an hour, a day and a month, and says what is left and until when', async () => {
    const { bob } = world;
    const policy = { perCall: '500', perHour: '800', perDay: '1000', perMonth: '1100' };
    const key = await limitedKey(world, owner, policy);
    const refused = mustRefuse(await payBy(key, bob, '501'), 400, 'policy-limit');
    assert.deepEqual([refused['window'], refused['left']], ['call', '500']);
    mustOk(await payBy(key, bob, '500'));
    const hour = mustRefuse(await payBy(key, bob, '301'), 400, 'policy-limit');
    assert.deepEqual(
      ['window', 'limit', 'left', 'resetsAt'].map((name) => hour[name]),
      ['hour', '800', '300', '2026-11-26T10:00:00.000Z'],
    );
    mustOk(await payBy(key, bob, '300'));
    clock.advance(50 * 60);
    const day = mustRefuse(await payBy(key, bob, '201'), 400, 'policy-limit');
    assert.deepEqual([day['window'], day['left']], ['day', '200']);
    assert.equal(day['resetsAt'], '2026-11-27T00:00:00.000Z');
    mustOk(await payBy(key, bob, '200'));
    clock.advance(86_400);
    const month = mustRefuse(await payBy(key, bob, '101'), 400, 'policy-limit');
    assert.deepEqual([month['window'], month['left']], ['month', '100']);
    assert.equal(month['resetsAt'], '2026-12-01T00:00:00.000Z');
    const limits = await limitsOf(key);
    assert.deepEqual(limits['month']?.used, '1000');
    assert.deepEqual(limits['day']?.used, '0');
  });

  it('counts a repeated call once, and a refused one never', async () => {
    const { bob } = world;
    const key = await limitedKey(world, owner, { perDay: '1000' });
    const same = { idempotencyKey: 'the same call' };
    mustOk(await payBy(key, bob, '600', same));
    for (let time = 0; time < 3; time += 1) {
      assert.equal(mustOk(await payBy(key, bob, '600', same))['repeated'], true);
      mustRefuse(await payBy(key, bob, '600'), 400, 'policy-limit');
    }
    assert.equal((await limitsOf(key))['day']?.used, '600');
    mustOk(await payBy(key, bob, '400'));
  });

  it('opens a window at its first millisecond, and not one before', async () => {
    const { bob } = world;
    const key = await limitedKey(world, owner, { perHour: '10' });
    mustOk(await payBy(key, bob, '10'));
    const { resetsAt } = mustRefuse(await payBy(key, bob, '1'), 400, 'policy-limit');
    const ends = Date.parse(String(resetsAt));
    clock.jump(ends - 1 - clock.now());
    mustRefuse(await payBy(key, bob, '1'), 400, 'policy-limit');
    clock.jump(1);
    mustOk(await payBy(key, bob, '10'));
    mustRefuse(await payBy(key, bob, '1'), 400, 'policy-limit');
  });

  it('allows the named operations, networks and counterparties alone', async () => {
    const { alice, bob } = world;
    const key = await limitedKey(world, owner, {
      operations: ['wallet.pay'],
      counterparties: [bob.account],
      networks: ['sandbox'],
    });
    mustOk(await payBy(key, bob, '5'));
    mustRefuse(await payBy(key, alice, '5'), 401, 'policy-forbids');
    const task = { requester: owner.account, title: 'Anything' };
    mustRefuse(await key.post('/api/v1/tasks', task), 401, 'policy-forbids');
    mustOk(await key.get(`${walletPath(owner)}/statement`));
    mustOk(await setPolicy(owner, key, { counterparties: [bob.account] }));
    const rewarded = { ...task, rewardAmount: '100000' };
    const held = mustRefuse(await key.post('/api/v1/tasks', rewarded), 401, 'policy-forbids');
    assert.match(String(held['error']), /names its counterparties/);
    mustOk(await setPolicy(owner, key, { networks: ['base'] }));
    mustRefuse(await payBy(key, bob, '5'), 401, 'policy-forbids');
  });

  it('allows the named models and tools alone', async () => {
    const key = await limitedKey(world, owner, { models: ['hub/echo'], tools: ['convert'] });
    const chat = (model: string) =>
      key.post('/api/v1/models/chat', {
        caller: owner.account,
        model,
        max_tokens: 5,
        messages: [{ role: 'user', content: 'Say it again.' }],
      });
    mustOk(await chat('hub/echo'));
    mustRefuse(await chat('hub/other'), 401, 'policy-forbids');
    const call = { caller: owner.account, operation: 'delete_all' };
    mustRefuse(await key.post('/api/v1/call', call), 401, 'policy-forbids');
  });

  it('treats an expired key as a revoked one', async () => {
    const { bob } = world;
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    const key = await limitedKey(world, owner, { expiresAt });
    mustOk(await payBy(key, bob, '5'));
    clock.advance(60);
    mustRefuse(await payBy(key, bob, '5'), 401, 'key-revoked');
    mustRefuse(await key.get('/api/v1/me'), 401, 'key-revoked');
    mustOk(await setPolicy(owner, key, { perDay: '100' }));
    mustOk(await payBy(key, bob, '5'));
  });

  it('refuses every way of a limited key to lift its own limits', async () => {
    const { bob } = world;
    const key = await limitedKey(world, owner, { perDay: '1' });
    const other = await joinedKey(world, owner);
    const fresh = await world.agent();
    const wallet = walletPath(owner);
    const ways: readonly (readonly [string, unknown])[] = [
      [`${wallet}/keys/${key.keyId}/policy`, { perDay: '1000' }],
      [`${wallet}/keys/${other.keyId}/policy`, { perDay: '1' }],
      [`${wallet}/keys/${key.keyId}/policy`, { lifted: true }],
      [`${wallet}/keys/${other.keyId}/revoke`, {}],
      [`${wallet}/keys`, { publicKey: fresh.keyId }],
      [`${wallet}/api-keys`, {}],
      [`${wallet}/payout-address`, { address: `0x${'ab'.repeat(20)}` }],
      [`${wallet}/withdraw`, { address: `0x${'ab'.repeat(20)}`, amount: '1' }],
      [`${wallet}/erase`, { confirm: 'erase' }],
      ['/api/v1/services/credit', { borrower: owner.account, taskId: NOTHING }],
    ];
    for (const [path, body] of ways) {
      mustRefuse(await key.post(path, body), 401, 'policy-forbids');
    }
    mustRefuse(await key.get(`${wallet}/export`), 401, 'policy-forbids');
    mustRefuse(await payBy(key, bob, '2'), 400, 'policy-limit');
    assert.ok((await keyEvents(owner)).includes('policy.refused'));
  });

  it('notes one refusal an hour, however often a key is refused', async () => {
    const account = await world.agent();
    const key = await limitedKey(world, account, { perCall: '0' });
    await world.fund(account, '10');
    for (let time = 0; time < 5; time += 1) {
      mustRefuse(await payBy(key, world.bob, '5'), 400, 'policy-limit');
    }
    assert.deepEqual(await keyEvents(account), ['policy.set', 'policy.refused']);
    clock.advance(3600);
    mustRefuse(await payBy(key, world.bob, '5'), 400, 'policy-limit');
    assert.deepEqual(await keyEvents(account), ['policy.set', 'policy.refused', 'policy.refused']);
  });

  it('limits a key before it joins, and never the account that it had before', async () => {
    const { bob } = world;
    const key = await world.agent();
    mustOk(await setPolicy(owner, key, { perDay: '10' }));
    const listed = mustOk(await owner.get(`${walletPath(owner)}/keys`));
    assert.equal(JSON.stringify(listed).includes(key.keyId), false, 'it has not joined');
    mustOk(await joinAccount(owner, key));
    const joined = { ...key, account: owner.account };
    mustRefuse(await payBy(joined, bob, '11'), 400, 'policy-limit');
    const stranger = await world.agent();
    await world.fund(stranger, '100');
    mustRefuse(await setPolicy(owner, stranger, { perDay: '0' }), 400, 'key-bound');
    mustOk(await payBy(stranger, bob, '100'));
  });

  it('keeps what was used when a policy is replaced, and shows it to the owner', async () => {
    const { bob } = world;
    const key = await limitedKey(world, owner, { perDay: '1000' });
    mustOk(await payBy(key, bob, '900'));
    mustOk(await setPolicy(owner, key, { perDay: '950' }));
    const refused = mustRefuse(await payBy(key, bob, '51'), 400, 'policy-limit');
    assert.equal(refused['left'], '50');
    const { keys } = mustOk(await owner.get(`${walletPath(owner)}/keys`));
    const own = (keys as readonly Record<string, unknown>[]).find(
      ({ publicKey }) => publicKey === key.keyId,
    );
    assert.equal(at(own, 'spending', 'limits', 0, 'used'), '900');
    assert.equal(at(own, 'spending', 'setBy'), owner.keyId);
  });

  it('refuses a policy of its own key, an unknown operation and one for owners', async () => {
    const key = await joinedKey(world, owner);
    mustRefuse(await setPolicy(owner, owner, { perDay: '1' }), 400, 'wrong-state');
    for (const operations of [['wallet.pya'], ['wallet.setPolicy']]) {
      mustRefuse(await setPolicy(owner, key, { operations }), 400, 'bad-request');
    }
    mustRefuse(await setPolicy(owner, key, { networks: ['moon'] }), 400, 'network-unknown');
  });

  it('leaves one key without limits when two keys limit each other at once', async () => {
    const account = await world.agent();
    const other = await joinedKey(world, account);
    const both = await Promise.all([
      setPolicy(account, other, { perDay: '1' }),
      setPolicy(other, account, { perDay: '1' }),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
  });
});
