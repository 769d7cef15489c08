import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, money, publish, read, RULE, type Body } from './_work.ts';

const WORKERS = 30;
const START_MS_MAX = 30_000;
/** A lease has one holder, however many ask for it in the same moment. */
for (const [name, url] of DATABASES) {
  describe(`claims at once (${name})`, () => {
    let world: Fixture;
    before(async function start() {
      this.timeout(START_MS_MAX);
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '100000000');
    });
    after(() => world.close());

    const workers = () => Promise.all(Array.from({ length: WORKERS }, () => world.agent()));

    it('give one task to one of 30 accounts', async () => {
      const task = await publish(world.alice, { acceptance: RULE });
      const answers = await Promise.all(
        (await workers()).map((one) => act(one, task.id, 'claim', { agentId: one.account })),
      );
      const passed = answers.filter(({ status }) => status === 200);
      assert.equal(passed.length, 1);
      for (const answer of answers) {
        if (answer.status !== 200) mustRefuse(answer, 400, 'already-claimed');
      }
      const { state, workers: attempts } = await read(world, task.id);
      assert.equal(state, 'held');
      assert.equal((attempts as readonly unknown[]).length, 1);
    });

    it('give each of 10 tasks of the queue to one of 30 accounts', async () => {
      const tasks = await Promise.all(
        Array.from({ length: 10 }, () => publish(world.alice, { acceptance: RULE })),
      );
      const answers = await Promise.all(
        (await workers()).map((one) => one.post('/api/v1/tasks/claim', {})),
      );
      const claimed = answers.map((answer) => at(mustOk(answer), 'work', 'id')).filter(Boolean);
      assert.deepEqual([...new Set(claimed)].sort(), tasks.map(({ id }) => id).sort());
      assert.equal(claimed.length, tasks.length);
    });

    it('give one of the starter tasks to one account, which is paid', async () => {
      const { bob, hub } = world;
      await hub.runJob('starterRestock');
      const shelf = mustOk(await bob.get('/api/v1/tasks?requester=hub:starter&state=open'));
      const ids = (shelf['tasks'] as Body[]).map(({ id }) => String(id));
      const body = { agentId: bob.account };
      const answers = await Promise.all(ids.map((id) => act(bob, id, 'claim', body)));
      const [held, ...more] = answers.flatMap(({ status, body: { claimToken } }, nth) =>
        status === 200 ? [{ id: ids[nth] ?? '', claimToken }] : [],
      );
      assert.ok(held !== undefined);
      assert.deepEqual(more, []);
      for (const each of answers) if (each.status !== 200) mustRefuse(each, 400, 'starter-used');
      // It may claim again what it holds.
      mustOk(await act(bob, held.id, 'claim', body));
      const result = { claimToken: held.claimToken, result: 'hi welcome-7' };
      mustOk(await act(bob, held.id, 'submit', result));
      hub.clock.advance(60);
      await hub.runJob('autoAccept');
      assert.deepEqual(await money(bob), ['48500', '0', '48500']);
    });
  });
}
