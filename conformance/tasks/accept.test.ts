import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, money, publish, RULE, submit, type Body } from './_work.ts';

describe('tasks.accept', () => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  afterEach(() => world.close());

  const accept = (id: string, over: Body = {}) =>
    act(world.alice, id, 'accept', { requester: world.alice.account, ...over });

  it('accepts and pays in one step', async () => {
    const { alice, bob } = world;
    const task = await publish(alice);
    mustOk(await submit(bob, task.id, 'x'));
    const body = mustOk(await accept(task.id));
    assert.deepEqual(
      [body['state'], body['paymentState'], at(body, 'split', 'worker')],
      ['paid', 'none', '970000'],
    );
    assert.deepEqual(await money(bob), ['970000', '0', '970000']);
    assert.deepEqual(await money(alice), ['9000000', '0', '9000000']);
  });

  it('waives the rest of the dispute window', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, { acceptance: RULE });
    mustOk(await submit(bob, task.id, 'done'));
    assert.equal(mustOk(await accept(task.id))['state'], 'paid');
    assert.deepEqual(await money(bob), ['970000', '0', '970000']);
  });

  it('names one of several, and supersedes the rest', async () => {
    const { alice, bob } = world;
    const carol = await world.agent();
    const task = await publish(alice, { mode: 'open' });
    const ids: string[] = [];
    for (const agent of [bob, carol]) {
      const solved = await act(agent, task.id, 'solution', { agentId: agent.account, result: 1 });
      ids.push(String(mustOk(solved)['solutionId']));
    }
    const refusal = mustRefuse(await accept(task.id), 400, 'solutions-pending');
    assert.deepEqual(refusal['allowed'], ids);
    const body = mustOk(await accept(task.id, { solutionId: ids[1] }));
    const states = (body['attempts'] as Body[]).map(({ id, state }) => [id, state]);
    assert.deepEqual(new Map(states as [unknown, unknown][]).get(ids[0]), 'superseded');
    assert.deepEqual(await money(carol), ['970000', '0', '970000']);
    mustRefuse(await accept(task.id, { solutionId: ids[0] }), 400, 'decided');
  });

  it('pays an early acceptance without a panel its full share', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, { verification: 'validator' });
    mustOk(await submit(bob, task.id, 'x'));
    assert.equal(at(mustOk(await accept(task.id)), 'split', 'worker'), '970000');
  });

  it('ends unpaid work accepted', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, { rewardAmount: undefined });
    mustOk(await submit(bob, task.id, 'x'));
    const body = mustOk(await accept(task.id));
    assert.deepEqual([body['state'], body['transferId']], ['accepted', undefined]);
    mustRefuse(await accept(task.id), 400, 'wrong-state');
  });

  it('pays once however often it is retried', async () => {
    const { alice, bob } = world;
    const task = await publish(alice);
    mustOk(await submit(bob, task.id, 'x'));
    const first = mustOk(await accept(task.id, { idempotencyKey: 'k' }));
    const again = mustOk(await accept(task.id, { idempotencyKey: 'k' }));
    assert.deepEqual(again, { ...first, repeated: true });
    assert.deepEqual(await money(bob), ['970000', '0', '970000']);
    mustRefuse(await accept(task.id), 400, 'wrong-state');
  });

  it('pays the account that payee named', async () => {
    const { alice, bob } = world;
    const carol = await world.agent();
    const task = await publish(alice);
    const as = { agentId: bob.account, payee: carol.account };
    const { claimToken } = mustOk(await act(bob, task.id, 'claim', as));
    mustOk(await act(bob, task.id, 'submit', { claimToken, result: 1 }));
    mustOk(await accept(task.id));
    assert.deepEqual([(await money(bob))[0], (await money(carol))[0]], ['0', '970000']);
  });

  it('refuses other accounts and unknown tasks', async () => {
    const { alice, bob } = world;
    const task = await publish(alice);
    mustRefuse(await act(bob, task.id, 'accept', { requester: bob.account }), 400, 'not-a-party');
    mustRefuse(await act(bob, task.id, 'accept', { requester: alice.account }), 401, 'wrong-owner');
    mustRefuse(await accept(task.id), 400, 'wrong-state');
    const solutionId = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await accept(task.id, { solutionId }), 404, 'not-found');
  });
});
