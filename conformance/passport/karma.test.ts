import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { joinAccount, type Agent } from '../harness/agents.ts';
import {
  accountOf,
  DAY,
  deliver,
  deposit,
  earn,
  giveBack,
  held,
  reasonsOf,
  standingOf,
  SUITE_MS_MAX,
} from '../services/_lend.ts';
import { act, publish, type Body } from '../tasks/_work.ts';

for (const [name, url] of DATABASES) {
  describe(`passport.karma (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '900000000');
    });
    after(() => world.close());

    const rich = async (): Promise<Agent> => {
      const agent = await world.agent();
      await world.fund(agent, '10000000');
      return agent;
    };
    const lapse = async (worker: Agent): Promise<void> => {
      await held(world.alice, worker);
      world.hub.clock.advance(1_800);
      await world.hub.runJob('leaseExpiry');
    };

    it('is whole for a key that only ever signed, and unknown for one that never did', async () => {
      const bob = await world.agent();
      mustOk(await bob.get('/api/v1/me'));
      assert.deepEqual(await standingOf(world, bob), {
        keyId: bob.keyId,
        owner: bob.account,
        total: 0,
        tier: 'new',
        nextTier: { tier: 'known', at: 10 },
        fromTestNetworks: 0,
        count: 0,
        limit: 50,
        hasMore: false,
        entries: [],
      });
      const { keyId } = await generateKey();
      mustRefuse(await world.anyone.get(`/api/v1/passport/${keyId}/karma`), 404, 'not-found');
      mustRefuse(await world.anyone.get('/api/v1/passport/nobody/karma'), 400, 'bad-account');
    });

    it('is the same under every key of the account', async () => {
      const [bob, second] = [await world.agent(), await world.agent()];
      await earn(world.alice, bob);
      mustOk(await joinAccount(bob, second));
      const read = mustOk(await world.anyone.get(`/api/v1/passport/${second.keyId}/karma`));
      assert.deepEqual({ ...read, keyId: bob.keyId }, await standingOf(world, bob));
      assert.equal(read['total'], 1);
    });

    it('gives the worker of a paid task 1 for test money, once for a counterparty', async () => {
      const [bob, carol] = [await world.agent(), await rich()];
      const first = await held(world.alice, bob);
      const { transferId } = mustOk(await deliver(bob, first));
      assert.ok(transferId !== undefined, 'paid in the call');
      const { entries } = await standingOf(world, bob);
      const [entry] = entries as Body[];
      assert.deepEqual(
        { ...entry, id: '' },
        {
          id: '',
          at: new Date(world.hub.clock.now()).toISOString(),
          delta: 1,
          fullDelta: 1,
          reason: 'task.paid.worker',
          ref: { kind: 'task', id: first.taskId },
          counterparty: world.alice.account,
          networkKind: 'test',
        },
      );
      await earn(world.alice, bob);
      await earn(carol, bob);
      assert.deepEqual(await reasonsOf(world, bob), [
        ['task.paid.worker', 1, 1, undefined],
        ['task.paid.worker', 0, 1, 'counterparty'],
        ['task.paid.worker', 1, 1, undefined],
      ]);
      const { total, fromTestNetworks } = await standingOf(world, bob);
      assert.deepEqual([total, fromTestNetworks], [2, 2]);
      assert.deepEqual(await reasonsOf(world, carol), [], 'a test requester gains nothing');
      assert.deepEqual(mustOk(await bob.get('/api/v1/me'))['karma'], { total: 2, tier: 'new' });
    });

    it('gives 3 and 1 for real money, then 60% and 30% of it, and nothing', async () => {
      const [bob, carol] = [await world.agent(), await world.agent()];
      await deposit(world, accountOf(carol), 5_000_000n);
      for (let count = 0; count < 4; count += 1) await earn(carol, bob, { network: 'base' });
      const lowered = 'counterparty';
      assert.deepEqual(await reasonsOf(world, bob), [
        ['task.paid.worker', 0, 3, lowered],
        ['task.paid.worker', 0, 3, lowered],
        ['task.paid.worker', 1, 3, lowered],
        ['task.paid.worker', 3, 3, undefined],
      ]);
      assert.deepEqual((await reasonsOf(world, carol)).at(-1), [
        'task.paid.requester',
        1,
        1,
        undefined,
      ]);
      const { total, fromTestNetworks } = await standingOf(world, bob);
      assert.deepEqual([total, fromTestNetworks], [4, 0]);
      world.hub.clock.advance(90 * DAY);
      await earn(carol, bob, { network: 'base' });
      assert.deepEqual((await reasonsOf(world, bob))[0], ['task.paid.worker', 3, 3, undefined]);
    });

    it('costs a lapse 5, and a restricted account holds one task', async () => {
      const bob = await world.agent();
      await lapse(bob);
      assert.deepEqual(await reasonsOf(world, bob), [['claim.lapsed', -5, -5, undefined]]);
      const { total, tier, nextTier } = await standingOf(world, bob);
      assert.deepEqual([total, tier, nextTier], [-5, 'restricted', { tier: 'new', at: 0 }]);
      const only = await held(world.alice, bob);
      const more = await publish(world.alice);
      const second = await act(bob, more.id, 'claim', { agentId: bob.account });
      const why = mustRefuse(second, 400, 'claim-limit')['error'];
      assert.match(String(why), /You hold 1 tasks and may hold 1/);
      mustOk(await giveBack(bob, only));
      assert.equal((await reasonsOf(world, bob)).length, 1, 'giving back costs nothing');
    });

    it('widens the claim limit by one for each ten', async () => {
      const bob = await world.agent();
      for (let count = 0; count < 10; count += 1) await earn(await rich(), bob);
      assert.deepEqual((await standingOf(world, bob))['tier'], 'known');
      for (let count = 0; count < 4; count += 1) await held(world.alice, bob);
      const fifth = await publish(world.alice);
      const answer = await act(bob, fifth.id, 'claim', { agentId: bob.account });
      mustRefuse(answer, 400, 'claim-limit');
    });

    it('costs a requester 2 for each result that it ignored', async () => {
      const [requester, bob, carol] = [await rich(), await world.agent(), await world.agent()];
      const { id } = await publish(requester, { mode: 'open', verification: 'requester' });
      for (const worker of [bob, carol]) {
        mustOk(await act(worker, id, 'solution', { agentId: worker.account, result: 'mine' }));
      }
      world.hub.clock.advance(10 * DAY);
      await world.hub.runJob('deadlineExpiry');
      await world.hub.runJob('deadlineExpiry');
      assert.deepEqual(await reasonsOf(world, requester), [
        ['delivery.ignored', -2, -2, undefined],
        ['delivery.ignored', -2, -2, undefined],
      ]);
    });

    it('pages from the newest, and the entries add up to the total', async () => {
      const bob = await world.agent();
      await lapse(bob);
      for (let count = 0; count < 3; count += 1) await earn(await rich(), bob);
      const all = (await standingOf(world, bob))['entries'] as Body[];
      const pages: Body[] = [];
      let query = '?limit=2';
      for (let count = 0; count < 2; count += 1) {
        const page = await standingOf(world, bob, query);
        pages.push(...(page['entries'] as Body[]));
        query = `?limit=2&after=${String(page['next'])}`;
        assert.deepEqual(
          [page['total'], page['count'], page['limit'], page['next'] === undefined],
          [-2, 2, 2, count === 1],
        );
      }
      assert.deepEqual(pages, all);
      assert.equal(
        all.reduce((sum, entry) => sum + Number(entry['delta']), 0),
        -2,
      );
      assert.equal((await standingOf(world, bob, '?limit=900'))['limit'], 200);
    });

    it('is written once, when several processes apply the decision', async () => {
      const bob = await world.agent();
      const { taskId } = await held(world.alice, bob);
      world.hub.clock.advance(1_800);
      await Promise.all([
        world.hub.runJob('leaseExpiry'),
        world.anyone.get(`/api/v1/tasks/${taskId}`),
        world.anyone.get(`/api/v1/tasks/${taskId}`),
        act(bob, taskId, 'claim', { agentId: bob.account }),
      ]);
      assert.deepEqual(await reasonsOf(world, bob), [['claim.lapsed', -5, -5, undefined]]);
    });
  });
}
