import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, money, publish, read, RULE, type Body } from './_work.ts';
import type { Agent, Answer } from '../harness/agents.ts';

describe('tasks.solution', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '50000000');
  });
  after(() => world.close());

  const offer = (agent: Agent, id: string, result: unknown, over: Body = {}): Promise<Answer> =>
    act(agent, id, 'solution', { agentId: agent.account, result, ...over });

  it('accepts and pays the first that passes, in the same call', async () => {
    const [bob, carol] = [await world.agent(), await world.agent()];
    const task = await publish(world.alice, {
      mode: 'open',
      acceptance: RULE,
      disputeWindowSeconds: 0,
    });
    const missed = mustOk(await offer(bob, task.id, 'no'));
    assert.deepEqual(
      [missed['outcome'], missed['state'], missed['attemptsLeft']],
      ['refused', 'open', 2],
    );
    assert.equal(mustOk(await offer(carol, task.id, 'done'))['state'], 'paid');
    mustRefuse(await offer(bob, task.id, 'done'), 400, 'wrong-state');
    assert.deepEqual(await money(carol), ['970000', '0', '970000']);
    assert.deepEqual(await money(bob), ['0', '0', '0']);
  });

  it('has one winner among many in flight', async () => {
    const agents = await Promise.all([world.agent(), world.agent(), world.agent()]);
    const task = await publish(world.alice, {
      mode: 'open',
      acceptance: RULE,
      disputeWindowSeconds: 0,
    });
    const answers = await Promise.all(agents.map((agent) => offer(agent, task.id, 'done')));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const balances = await Promise.all(agents.map(money));
    assert.equal(balances.filter(([balance]) => balance === '970000').length, 1);
  });

  it('waits beside others for the requester, one per account', async () => {
    const [bob, carol] = [await world.agent(), await world.agent()];
    const task = await publish(world.alice, { mode: 'open' });
    assert.equal(mustOk(await offer(bob, task.id, 1))['outcome'], 'waiting');
    assert.equal(mustOk(await offer(carol, task.id, 2))['outcome'], 'waiting');
    mustRefuse(await offer(bob, task.id, 3), 400, 'solutions-pending');
    assert.equal((await read(world, task.id))['attempts'], 2);
  });

  it('carries on an announced attempt', async () => {
    const bob = await world.agent();
    const task = await publish(world.alice, { mode: 'open' });
    mustOk(await act(bob, task.id, 'start'));
    mustOk(await offer(bob, task.id, 1));
    assert.equal((await read(world, task.id))['attempts'], 1);
  });

  it('answers a repeat with the first result', async () => {
    const bob = await world.agent();
    const task = await publish(world.alice, { mode: 'open' });
    const first = mustOk(await offer(bob, task.id, 1, { idempotencyKey: 'k' }));
    const again = mustOk(await offer(bob, task.id, 1, { idempotencyKey: 'k' }));
    assert.deepEqual(again, { ...first, repeated: true });
    mustRefuse(await offer(bob, task.id, 2, { idempotencyKey: 'k' }), 400, 'idempotency-mismatch');
  });

  it('refuses in order of precedence', async () => {
    const { alice } = world;
    const bob = await world.agent();
    const thread = await publish(alice, { tags: ['thread'], rewardAmount: undefined });
    mustRefuse(await offer(bob, thread.id, 1), 400, 'thread-only');
    const exclusive = await publish(alice);
    mustRefuse(await offer(alice, exclusive.id, 1), 400, 'wrong-mode');
    const open = await publish(alice, { mode: 'open', acceptance: RULE, maxAttempts: 1 });
    mustRefuse(await offer(alice, open.id, 1), 400, 'self-dealing');
    mustOk(await offer(bob, open.id, 'no'));
    mustRefuse(await offer(bob, open.id, 'done'), 400, 'attempts-used');
    mustRefuse(await offer(bob, open.id, 1, { agentId: alice.account }), 401, 'wrong-owner');
  });

  it('comes too late after the deadline, while an earlier one still waits', async () => {
    const { alice, hub } = world;
    const [bob, carol] = [await world.agent(), await world.agent()];
    const deadline = new Date(hub.clock.now() + 600_000).toISOString();
    const { id } = await publish(alice, { mode: 'open', deadline });
    const { solutionId } = mustOk(await offer(bob, id, 1));
    hub.clock.advance(600);
    mustRefuse(await offer(carol, id, 1), 400, 'deadline');
    mustRefuse(await act(carol, id, 'start'), 400, 'deadline');
    const { state, next } = mustOk(await carol.get(`/api/v1/tasks/${id}`));
    const actions = (next as readonly Body[]).map(({ action }) => action);
    assert.deepEqual([state, actions], ['open', ['tasks.comment']]);
    const accepted = await act(alice, id, 'accept', { requester: alice.account, solutionId });
    assert.equal(mustOk(accepted)['state'], 'paid');
  });
});
