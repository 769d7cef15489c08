import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, claim, money, publish, read, submit, type Body } from './_work.ts';

describe('tasks.reject', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  after(() => world.close());

  const reject = (id: string, over: Body = {}) =>
    act(world.alice, id, 'reject', { requester: world.alice.account, reason: 'wrong', ...over });

  it('reopens the task with its reward held, and gives the worker the reason', async () => {
    const { alice, bob } = world;
    const [, held] = await money(alice);
    const task = await publish(alice);
    mustOk(await submit(bob, task.id, 'x'));
    const body = mustOk(await reject(task.id));
    assert.deepEqual([body['state'], body['paymentState']], ['open', 'escrowed']);
    assert.equal(at((await read(world, task.id))['workers'], 0, 'reason'), 'wrong');
    assert.equal(BigInt(String((await money(alice))[1])) - BigInt(String(held)), 1_000_000n);
    await claim(await world.agent(), task.id);
  });

  it('refuses every undecided solution, or the one it names', async () => {
    const { alice } = world;
    const task = await publish(alice, { mode: 'open' });
    const ids: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      const agent = await world.agent();
      const solved = await act(agent, task.id, 'solution', { agentId: agent.account, result: 1 });
      ids.push(mustOk(solved)['solutionId']);
    }
    const one = mustOk(await reject(task.id, { solutionId: ids[0] }));
    assert.deepEqual(
      (one['attempts'] as Body[]).map(({ id }) => id),
      [ids[0]],
    );
    const rest = mustOk(await reject(task.id));
    assert.deepEqual(
      new Set((rest['attempts'] as Body[]).map(({ id }) => id)),
      new Set(ids.slice(1)),
    );
    mustRefuse(await reject(task.id, { solutionId: ids[0] }), 400, 'decided');
    mustRefuse(await reject(task.id), 400, 'wrong-state');
  });

  it('may not overrule a panel, but follows its silence', async () => {
    const task = await publish(world.alice, { verification: 'validator' });
    mustOk(await submit(await world.agent(), task.id, 'x'));
    mustRefuse(await reject(task.id), 400, 'wrong-state');
    world.hub.clock.advance(6 * 3_600);
    assert.equal(mustOk(await reject(task.id))['state'], 'open');
  });

  it('refuses other accounts and a missing reason', async () => {
    const { alice, bob } = world;
    const task = await publish(alice);
    const as = { requester: bob.account, reason: 'x' };
    mustRefuse(await act(bob, task.id, 'reject', as), 400, 'not-a-party');
    mustRefuse(await reject(task.id, { reason: undefined }), 400, 'missing-field');
    mustRefuse(await reject(task.id), 400, 'wrong-state');
  });
});
