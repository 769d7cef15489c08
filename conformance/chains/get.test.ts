import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { houseAccount } from '../../domain/account.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { accountOf, move, reasonsOf } from '../services/_lend.ts';
import { claim, submit } from '../tasks/_work.ts';
import { AT_ONCE, closeBalanced, publishChain, readChain, STEP, taskOf } from './_chain.ts';

for (const [name, url] of DATABASES) {
  describe(`chains.get (${name})`, function suite() {
    this.timeout(60_000);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '900000000');
    });
    after(() => closeBalanced(world));

    it('shows each step with its task, its worker and its times', async () => {
      const { bob } = world;
      const chain = await publishChain(world.alice, [STEP, STEP, STEP]);
      const first = await taskOf(world, chain, 1);
      await claim(bob, first);
      const [held] = (await readChain(world, chain)).steps;
      assert.deepEqual([held?.['state'], held?.['worker']], ['held', bob.account]);
      mustOk(await submit(bob, first, 'done'));
      const { steps } = await readChain(world, chain);
      const given = (step: object = {}) =>
        ['taskId', 'worker', 'openedAt', 'acceptedAt', 'deadline'].filter((each) => each in step);
      assert.deepEqual(given(steps[0]), ['taskId', 'worker', 'openedAt', 'acceptedAt']);
      assert.deepEqual(given(steps[1]), ['taskId', 'openedAt', 'deadline']);
      assert.deepEqual(given(steps[2]), []);
      assert.deepEqual(steps[2]?.['windows'], { disputeWindowSeconds: 86_400 });
    });

    it('applies what the clock decided before it answers', async () => {
      const chain = await publishChain(world.alice, [STEP]);
      mustOk(await submit(world.bob, await taskOf(world, chain, 1), 'done'));
      assert.equal((await readChain(world, chain))['state'], 'running');
      world.hub.clock.advance(86_400);
      assert.equal((await readChain(world, chain))['state'], 'completed');
    });

    it('earns each worker of a completed chain standing once, on the real network', async () => {
      const [alice, bob, carol] = [await world.agent(), await world.agent(), await world.agent()];
      const from = houseAccount('external:chain:base');
      const to = accountOf(alice);
      await move(world, 'base', { from, to, amount: 9_000_000n, reason: 'deposit' });
      const chain = await publishChain(alice, [AT_ONCE, AT_ONCE, AT_ONCE], { network: 'base' });
      for (const [place, agent] of [bob, carol, bob].entries()) {
        mustOk(await submit(agent, await taskOf(world, chain, place + 1), 'done'));
      }
      const completed = async (agent: typeof bob) =>
        (await reasonsOf(world, agent)).filter((entry) =>
          JSON.stringify(entry).includes('chain.completed'),
        );
      assert.deepEqual(
        (await completed(bob)).map((entry) => (entry as unknown[])[2]),
        [1],
      );
      assert.deepEqual(await completed(carol), [['chain.completed', 0, 1, 'counterparty']]);
    });

    it('refuses an id that is none', async () => {
      const nobody = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
      const body = mustRefuse(await world.anyone.get(`/api/v1/chains/${nobody}`), 404, 'not-found');
      assert.match(String(body['hint']), /GET \/api\/v1\/chains/);
      mustRefuse(await world.anyone.get('/api/v1/chains/x'), 400, 'bad-path');
    });
  });
}
