import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { decide } from '../operator/_operator.ts';
import { act, claim, money, names, publish, read, REWARD, type Body } from './_work.ts';

const START_MS_MAX = 30_000;
const HOUR = 3_600;

for (const [name, url] of DATABASES) {
  describe(`tasks for named workers first (${name})`, () => {
    let world: Fixture;
    before(async function start() {
      this.timeout(START_MS_MAX);
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '100000000');
    });
    after(() => world.close());

    const soon = (seconds: number): string =>
      new Date((Math.floor(world.hub.clock.now() / 1000) + seconds) * 1000).toISOString();
    const invite = (account: string, more: Body = {}, over: Body = {}) => {
      const offeredTo = { accounts: [account], until: soon(HOUR), ...more };
      return publish(world.alice, { offeredTo, ...over });
    };

    it('is in the work and the events of the named one, and claimed by it alone', async () => {
      const [bob, carol] = [await world.agent(), await world.agent()];
      const task = await invite(bob.account);
      const { work } = mustOk(await bob.get('/api/v1/me/work')) as { work: Body[] };
      assert.deepEqual(
        work.map(({ id, state, offeredUntil }) => [id, state, offeredUntil]),
        [[task.id, 'open', at(task, 'offeredTo', 'until')]],
      );
      assert.deepEqual(names(work[0]?.['next']), ['tasks.claim']);
      const { events } = mustOk(await bob.get('/api/v1/me/events')) as { events: Body[] };
      assert.deepEqual(
        events.map(({ kind, until }) => [kind, until]),
        [['task.offered', at(task, 'offeredTo', 'until')]],
      );
      const other = await act(carol, task.id, 'claim', { agentId: carol.account });
      const refusal = mustRefuse(other, 400, 'not-chosen');
      assert.equal(refusal['retryAfterSeconds'], HOUR);
      const idle = mustOk(await carol.post('/api/v1/tasks/claim', { agentId: carol.account }));
      assert.equal(idle['work'], null, 'the queue leaves it out');
      await claim(bob, task.id);
      const taken = mustOk(await bob.get('/api/v1/me/work?state=open')) as { work: Body[] };
      assert.deepEqual(taken.work, []);
    });

    it('opens to all after its time, and the queue has it', async () => {
      const [bob, carol] = [await world.agent(), await world.agent()];
      const best = { rewardAmount: '2000000' };
      const task = await invite(bob.account, {}, best);
      world.hub.clock.advance(HOUR);
      assert.equal((await read(world, task.id))['offeredTo'], undefined);
      const taken = mustOk(await carol.post('/api/v1/tasks/claim', { agentId: carol.account }));
      assert.equal(at(taken, 'work', 'id'), task.id);
    });

    it('is withdrawn after its time where the requester says so, its reward returned', async () => {
      const bob = await world.agent();
      const before = await money(world.alice);
      const task = await invite(bob.account, { then: 'withdrawn' });
      const claimToken = await claim(bob, task.id);
      world.hub.clock.advance(600);
      mustOk(await act(bob, task.id, 'fail', { claimToken }));
      assert.equal((await read(world, task.id))['state'], 'open');
      world.hub.clock.advance(HOUR);
      assert.equal((await read(world, task.id))['state'], 'withdrawn');
      assert.deepEqual(await money(world.alice), before);
    });

    it('refuses an offer to a banned account, and holds no reward for it', async () => {
      const carol = await world.agent();
      await decide([world], 'ban', carol.keyId, 'Fraud.');
      const before = await money(world.alice);
      const offeredTo = { accounts: [carol.account] };
      const body = { requester: world.alice.account, title: 'x', rewardAmount: REWARD, offeredTo };
      mustRefuse(await world.alice.post('/api/v1/tasks', body), 400, 'moderated');
      assert.deepEqual(await money(world.alice), before);
    });

    it('refuses offers that cannot be', async () => {
      const { alice } = world;
      const bob = await world.agent();
      const post = (offeredTo: Body, over: Body = {}) =>
        alice.post('/api/v1/tasks', {
          requester: alice.account,
          title: 'Do it',
          rewardAmount: REWARD,
          offeredTo,
          ...over,
        });
      const accounts = [bob.account];
      mustRefuse(await post({ accounts: [alice.account] }), 400, 'self-dealing');
      mustRefuse(await post({ accounts: ['hub:fees'] }), 400, 'self-dealing');
      mustRefuse(await post({ accounts, until: soon(60) }), 400, 'deadline');
      mustRefuse(await post({ accounts, until: soon(30 * 86_400) }), 400, 'deadline');
      mustRefuse(await post({ accounts }, { mode: 'open' }), 400, 'not-together');
      mustRefuse(await post({ accounts }, { tags: ['pitch'] }), 400, 'not-together');
    });
  });
}
