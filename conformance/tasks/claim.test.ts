import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { joinAccount } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, claim, money, names, publish, read, RULE } from './_work.ts';

describe('tasks.claim', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  after(() => world.close());

  it('needs no balance and locks the task for one', async () => {
    const { alice, bob } = world;
    const task = await publish(alice);
    assert.deepEqual(await money(bob), ['0', '0', '0']);
    const first = mustOk(await act(bob, task.id, 'claim', { agentId: bob.account }));
    assert.match(String(first['claimToken']), /^[\w-]{43}$/);
    assert.deepEqual(names(at(first, 'work', 'next')), [
      'tasks.submit',
      'tasks.fail',
      'tasks.claim',
      'tasks.comment',
    ]);
    const carol = await world.agent();
    const late = await act(carol, task.id, 'claim', { agentId: carol.account });
    const refusal = mustRefuse(late, 400, 'already-claimed');
    assert.ok((refusal['next'] as unknown[]).length > 0, 'a refusal says what is legal');
    mustOk(await act(bob, task.id, 'fail', { claimToken: first['claimToken'] }));
  });

  it('gives the holder the same token again and renews the lease to two hours at most', async () => {
    const { alice, bob, hub } = world;
    const task = await publish(alice);
    const token = await claim(bob, task.id);
    const started = hub.clock.now();
    const ends: number[] = [];
    for (const seconds of [900, 1_700, 1_700, 1_700, 1_190]) {
      hub.clock.advance(seconds);
      const again = mustOk(await act(bob, task.id, 'claim', { agentId: bob.account }));
      assert.deepEqual([again['claimToken'], again['repeated']], [token, true]);
      ends.push((Date.parse(String(at(again, 'deliver', 'leaseEndsAt'))) - started) / 1000);
    }
    assert.deepEqual(ends, [2_700, 4_400, 6_100, 7_200, 7_200]);
    hub.clock.advance(10);
    assert.equal((await read(world, task.id))['state'], 'open', 'two hours are over');
  });

  it('makes one who let a lease lapse wait an hour for that task', async () => {
    const { alice, bob, hub } = world;
    const task = await publish(alice);
    await claim(bob, task.id);
    hub.clock.advance(1_800 + 3_599);
    const early = await act(bob, task.id, 'claim', { agentId: bob.account });
    assert.equal(mustRefuse(early, 400, 'claim-cooldown')['retryAfterSeconds'], 1);
    hub.clock.advance(1);
    await claim(bob, task.id);
  });

  it('never lets a lease outlive the deadline', async () => {
    const { alice, hub } = world;
    const bob = await world.agent();
    const second = Math.floor(hub.clock.now() / 1000);
    const deadline = new Date((second + 600) * 1000).toISOString();
    const task = await publish(alice, { deadline });
    const claimed = mustOk(await act(bob, task.id, 'claim', { agentId: bob.account }));
    assert.equal(at(claimed, 'deliver', 'leaseEndsAt'), deadline);
    hub.clock.advance(600);
    assert.equal((await read(world, task.id))['state'], 'expired');
  });

  it('gives each worker its own attempts', async () => {
    const { alice } = world;
    const [carol, dave] = [await world.agent(), await world.agent()];
    const task = await publish(alice, { acceptance: RULE, maxAttempts: 1 });
    const claimToken = await claim(carol, task.id);
    mustOk(await act(carol, task.id, 'submit', { claimToken, result: 'no' }));
    const again = await act(carol, task.id, 'claim', { agentId: carol.account });
    mustRefuse(again, 400, 'attempts-used');
    await claim(dave, task.id);
  });

  it('closes a task to whom it was given back by ten times', async () => {
    const carol = await world.agent();
    const task = await publish(world.alice);
    for (let count = 0; count < 10; count += 1) {
      const claimToken = await claim(carol, task.id);
      mustOk(await act(carol, task.id, 'fail', { claimToken }));
    }
    const again = await act(carol, task.id, 'claim', { agentId: carol.account });
    mustRefuse(again, 400, 'attempts-used');
  });

  it('refuses in order of precedence', async () => {
    const { alice } = world;
    const carol = await world.agent();
    const as = { agentId: carol.account };
    const thread = await publish(alice, {
      tags: ['thread'],
      rewardAmount: undefined,
      mode: 'open',
    });
    mustRefuse(await act(carol, thread.id, 'claim', as), 400, 'thread-only');
    const open = await publish(alice, { mode: 'open' });
    mustRefuse(await act(alice, open.id, 'claim', { agentId: alice.account }), 400, 'wrong-mode');
    const own = await publish(alice);
    mustRefuse(await act(alice, own.id, 'claim', { agentId: alice.account }), 400, 'self-dealing');
    const pitch = await publish(alice, { tags: ['pitch'], requiredSkills: ['a'] });
    mustRefuse(await act(carol, pitch.id, 'claim', { ...as, skills: [] }), 400, 'pitch-required');
    const skilled = await publish(alice, { requiredSkills: ['a'] });
    mustRefuse(await act(carol, skilled.id, 'claim', { ...as, skills: [] }), 400, 'skill-mismatch');
    mustRefuse(await act(carol, own.id, 'claim', { agentId: alice.account }), 401, 'wrong-owner');
    const payee = { ...as, payee: `key:${'1'.repeat(44)}` };
    mustRefuse(await act(carol, own.id, 'claim', payee), 400, 'bad-account');
  });

  it('never pays an account without a signing key, because its key was bound elsewhere', async () => {
    const { alice } = world;
    const [carol, second] = [await world.agent(), await world.agent()];
    await world.fund(alice, '2000000');
    mustOk(await joinAccount(carol, second));
    const payee = { agentId: carol.account, payee: second.account };
    const task = await publish(alice);
    const open = await publish(alice, { mode: 'open' });
    const calls = [
      () => act(carol, task.id, 'claim', payee),
      () => carol.post('/api/v1/tasks/claim', { payee: second.account }),
      () => act(carol, open.id, 'solution', { ...payee, result: 'done' }),
    ];
    for (const call of calls) {
      const refused = mustRefuse(await call(), 400, 'bad-account');
      assert.equal(refused['field'], 'body.payee');
    }
    mustOk(await act(carol, task.id, 'claim', { agentId: carol.account }));
  });
});
