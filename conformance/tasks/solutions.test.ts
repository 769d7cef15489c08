import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, publish, RULE, submit, type Body } from './_work.ts';

describe('tasks.solutions', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  after(() => world.close());

  const solutions = async (
    id: string,
    query = '',
    by: Pick<Agent, 'get'> = world.alice,
  ): Promise<Body> => mustOk(await by.get(`/api/v1/tasks/${id}/solutions${query}`));
  const results = (body: Body): unknown[] =>
    (body['solutions'] as Body[]).map(({ result }) => result);

  it('shows what was offered and not what the rule refused', async () => {
    const task = await publish(world.alice, { acceptance: RULE });
    mustOk(await submit(world.bob, task.id, 'secret draft'));
    mustOk(await submit(world.bob, task.id, 'done'));
    const body = await solutions(task.id);
    assert.deepEqual(results(body), [undefined, 'done']);
    assert.equal(at(body['solutions'], 0, 'state'), 'refused');
    assert.equal(at(body['solutions'], 0, 'resultDigest'), undefined);
    assert.equal(body['contentIsUntrusted'], true);
  });

  it('shows a refused result and what it lacks to its worker alone', async () => {
    const { alice, bob, anyone } = world;
    const acceptance = {
      kind: 'json_schema',
      schema: { type: 'object', properties: { answer: { type: 'string', minLength: 900 } } },
    };
    const secret = 'the answer that is not paid for';
    const field = [{ path: '/answer', equals: 'another' }];
    for (const rule of [RULE, acceptance, { kind: 'fields', checks: field }]) {
      for (const mode of ['exclusive', 'open']) {
        const task = await publish(alice, { acceptance: rule, mode });
        const result = { answer: secret };
        const offered =
          mode === 'exclusive'
            ? await submit(bob, task.id, result)
            : await act(bob, task.id, 'solution', { agentId: bob.account, result });
        assert.equal(mustOk(offered)['outcome'], 'refused');
        for (const reader of [anyone, alice]) {
          const seen = [
            mustOk(await reader.get(`/api/v1/tasks/${task.id}`)),
            await solutions(task.id, '', reader),
          ];
          assert.ok(!JSON.stringify(seen).includes('paid for'), JSON.stringify(seen));
          const reason = String(at(seen[1], 'solutions', 0, 'reason'));
          assert.match(reason, /^The acceptance rule refused it \([\w.]+\)\.$/);
        }
        const own = await solutions(task.id, '', bob);
        assert.deepEqual(results(own), [result]);
        assert.match(String(at(own, 'solutions', 0, 'reason')), /expected/);
      }
    }
  });

  it('pages oldest first, by count and by weight', async () => {
    const task = await publish(world.alice, { mode: 'open' });
    const heavy = 'x'.repeat(250_000);
    for (let count = 0; count < 12; count += 1) {
      const agent = await world.agent();
      const result = `${count} ${heavy}`;
      mustOk(await act(agent, task.id, 'solution', { agentId: agent.account, result }));
    }
    const firsts = (body: Body): string =>
      results(body)
        .map((result) => String(result).split(' ')[0])
        .join(' ');
    const two = await solutions(task.id, '?limit=2');
    assert.equal(firsts(two), '0 1');
    const after = String(two['next']);
    assert.equal(firsts(await solutions(task.id, `?limit=1&after=${after}`)), '2');
    const page = await solutions(task.id, '?limit=9999');
    assert.deepEqual([page['limit'], firsts(page)], [500, '0 1 2 3 4 5 6 7']);
    const rest = await solutions(task.id, `?after=${String(page['next'])}`);
    assert.deepEqual([firsts(rest), rest['next']], ['8 9 10 11', undefined]);
  });

  it('shows a result to its parties alone until it is decided', async () => {
    const { alice, bob, anyone } = world;
    const [payee, rival] = [await world.agent(), await world.agent()];
    await world.fund(payee, '1');
    const task = await publish(alice, { mode: 'open', verification: 'requester' });
    const offer = (agent: Agent, result: string, over: Body = {}) =>
      act(agent, task.id, 'solution', { agentId: agent.account, result, ...over });
    mustOk(await offer(bob, 'good'));
    mustOk(await offer(rival, 'other'));
    const seenBy = async (agent: Pick<Agent, 'get'>) =>
      results(await solutions(task.id, '', agent));
    assert.deepEqual(await seenBy(alice), ['good', 'other']);
    assert.deepEqual(await seenBy(bob), ['good', undefined]);
    assert.deepEqual(await seenBy(rival), [undefined, 'other']);
    assert.deepEqual(await seenBy(payee), [undefined, undefined]);
    assert.deepEqual(await seenBy(anyone), [undefined, undefined]);
    const [open] = (await solutions(task.id, '', anyone))['solutions'] as Body[];
    assert.deepEqual([open?.['worker'], open?.['state']], [bob.account, 'waiting']);
    const guess = [open?.['resultBytes'], open?.['resultDigest']];
    assert.deepEqual(guess, [undefined, undefined], 'a short result is guessed by either');
    const solutionId = open?.['id'];
    mustOk(await act(alice, task.id, 'accept', { requester: alice.account, solutionId }));
    assert.deepEqual(await seenBy(anyone), ['good', 'other'], 'decided');
    const [decided] = (await solutions(task.id, '', anyone))['solutions'] as Body[];
    assert.equal(decided?.['resultBytes'], '"good"'.length);
    assert.equal(decided['resultDigest'], createHash('sha256').update('"good"').digest('hex'));
  });

  it('answers 404 for no task', async () => {
    const nobody = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await world.anyone.get(`/api/v1/tasks/${nobody}/solutions`), 404, 'not-found');
  });
});
