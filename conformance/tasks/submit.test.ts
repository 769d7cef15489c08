import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, claim, money, publish, read, RULE, submit, type Body } from './_work.ts';

describe('tasks.submit', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '50000000');
  });
  after(() => world.close());

  it('accepts a passing result and pays it once the window is over', async () => {
    const bob = await world.agent();
    const task = await publish(world.alice, { acceptance: RULE });
    const body = mustOk(await submit(bob, task.id, { text: 'all done' }));
    assert.deepEqual(
      [body['outcome'], body['accepted'], body['state'], at(body, 'split', 'worker')],
      ['accepted', true, 'accepted', '970000'],
    );
    assert.deepEqual(await money(bob), ['0', '0', '0'], 'the payout waits');
    world.hub.clock.advance(86_400);
    assert.equal(Date.parse(String(body['paysAt'])), world.hub.clock.now());
    await world.hub.runJob('payoutRelease');
    assert.deepEqual(await money(bob), ['970000', '0', '970000']);
  });

  it('pays in the same call when there is no window', async () => {
    const bob = await world.agent();
    const task = await publish(world.alice, { acceptance: RULE, disputeWindowSeconds: 0 });
    const body = mustOk(await submit(bob, task.id, 'done'));
    assert.equal(body['state'], 'paid');
    assert.match(String(body['transferId']), /^[0-9a-f-]{36}$/);
    assert.deepEqual(await money(bob), ['970000', '0', '970000']);
  });

  it('hands a refused claim back with what was wrong and the call that retries', async () => {
    const bob = await world.agent();
    const acceptance = { kind: 'fields', checks: [{ path: 'items', minLength: 3 }] };
    const task = await publish(world.alice, { acceptance, disputeWindowSeconds: 0 });
    const body = mustOk(await submit(bob, task.id, { items: [1] }));
    assert.deepEqual(
      [body['outcome'], body['accepted'], body['state'], body['attemptsLeft']],
      ['refused', false, 'open', 2],
    );
    assert.match(String(at(body['refused'], 0, 'text')), /^\/items: expected at least 3 items/);
    const { method, path, body: retryBody } = body['retry'] as Body;
    assert.equal(method, 'POST');
    const again = mustOk(await bob.post(String(path), retryBody));
    const result = { items: [1, 2, 3] };
    const second = await act(bob, task.id, 'submit', { claimToken: again['claimToken'], result });
    assert.equal(mustOk(second)['state'], 'paid');
  });

  it('offers no retry once the attempts are used', async () => {
    const bob = await world.agent();
    const task = await publish(world.alice, { acceptance: RULE, maxAttempts: 1 });
    const body = mustOk(await submit(bob, task.id, 'no'));
    assert.deepEqual([body['attemptsLeft'], body['retry']], [0, undefined]);
  });

  it('waits for the requester without a rule, and stops the lease', async () => {
    const bob = await world.agent();
    const task = await publish(world.alice);
    const body = mustOk(await submit(bob, task.id, ['anything']));
    assert.deepEqual([body['outcome'], body['state']], ['waiting', 'delivered']);
    world.hub.clock.advance(7_200);
    assert.equal((await read(world, task.id))['state'], 'delivered');
  });

  it('auto-accepts in the call when silence is zero seconds long', async () => {
    const bob = await world.agent();
    const windows = { autoAcceptSeconds: 0, disputeWindowSeconds: 0 };
    const task = await publish(world.alice, windows);
    assert.equal(mustOk(await submit(bob, task.id, 'done'))['state'], 'paid');
  });

  it('judges by JSON Schema', async () => {
    const bob = await world.agent();
    const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    const task = await publish(world.alice, { acceptance: { kind: 'json_schema', schema } });
    assert.equal(mustOk(await submit(bob, task.id, { n: 'x' }))['outcome'], 'refused');
    assert.equal(mustOk(await submit(bob, task.id, { n: 1 }))['outcome'], 'accepted');
  });

  it('answers a repeat with the first result and pays once', async () => {
    const bob = await world.agent();
    const task = await publish(world.alice, { acceptance: RULE, disputeWindowSeconds: 0 });
    const claimToken = await claim(bob, task.id);
    const body = { claimToken, result: 'done', idempotencyKey: 'once' };
    const first = mustOk(await act(bob, task.id, 'submit', body));
    const again = mustOk(await act(bob, task.id, 'submit', body));
    assert.deepEqual(again, { ...first, repeated: true });
    assert.deepEqual(await money(bob), ['970000', '0', '970000']);
  });

  it('pays one of many identical submissions in flight', async () => {
    const bob = await world.agent();
    const task = await publish(world.alice, { acceptance: RULE, disputeWindowSeconds: 0 });
    const claimToken = await claim(bob, task.id);
    const send = () => act(bob, task.id, 'submit', { claimToken, result: 'done' });
    const answers = await Promise.all([send(), send(), send(), send()]);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(await money(bob), ['970000', '0', '970000']);
  });

  it('refuses in order of precedence', async () => {
    const [bob, carol] = [await world.agent(), await world.agent()];
    const task = await publish(world.alice, { acceptance: RULE });
    const other = await publish(world.alice, { acceptance: RULE });
    const claimToken = await claim(bob, task.id);
    const body = { claimToken, result: 'done' };
    mustRefuse(await act(bob, task.id, 'submit', { ...body, claimToken: 'x' }), 400, 'claim-token');
    mustRefuse(await act(bob, other.id, 'submit', body), 400, 'claim-token');
    mustRefuse(await act(carol, task.id, 'submit', body), 400, 'not-a-party');
    const named = { ...body, agentId: carol.account };
    mustRefuse(await act(bob, task.id, 'submit', named), 401, 'wrong-owner');
    const large = { ...body, result: 'done'.padEnd(262_144, '.') };
    mustRefuse(await act(bob, task.id, 'submit', large), 400, 'body-too-large');
    mustRefuse(await act(bob, task.id, 'submit', { claimToken }), 400, 'missing-field');
    world.hub.clock.advance(1_800);
    mustRefuse(await act(bob, task.id, 'submit', body), 400, 'lease-over');
    await world.hub.runJob('leaseExpiry');
    mustRefuse(await act(bob, task.id, 'submit', body), 400, 'lease-over');
  });

  it('refuses a spent token', async () => {
    const bob = await world.agent();
    const task = await publish(world.alice);
    const claimToken = await claim(bob, task.id);
    mustOk(await act(bob, task.id, 'submit', { claimToken, result: 1 }));
    mustRefuse(await act(bob, task.id, 'submit', { claimToken, result: 2 }), 400, 'wrong-state');
    const { alice } = world;
    mustOk(await act(alice, task.id, 'reject', { requester: alice.account, reason: 'no' }));
    mustRefuse(await act(bob, task.id, 'submit', { claimToken, result: 2 }), 400, 'claim-token');
  });
});
