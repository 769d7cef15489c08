import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, publish, read, RULE } from './_work.ts';

const WORKERS = 30;
const START_MS_MAX = 30_000;
/** A lease has one holder, however many ask for it in the same moment. */
for (const [name, url] of DATABASES) {
  describe(`30 claims at once (${name})`, () => {
    let world: Fixture;
    before(async function start() {
      this.timeout(START_MS_MAX);
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '100000000');
    });
    after(() => world.close());

    const workers = () => Promise.all(Array.from({ length: WORKERS }, () => world.agent()));

    it('of one task by id give one holder', async () => {
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

    it('from the queue give each of 10 tasks one holder', async () => {
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
  });
}
