import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { act, claim, events, publish, read, RULE, type Body } from './_work.ts';

const START_MS_MAX = 30_000;
const HOUR = 3_600;
const DAY = 24 * HOUR;

for (const [name, url] of DATABASES) {
  describe(`work of days (${name})`, () => {
    let world: Fixture;
    before(async function start() {
      this.timeout(START_MS_MAX);
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '100000000');
    });
    after(() => world.close());

    const days = (seconds: number): string =>
      new Date(Math.floor(world.hub.clock.now() / 1000 + seconds) * 1000).toISOString();

    it('states before the claim what silence costs', async () => {
      const usual = await read(world, (await publish(world.alice)).id);
      const cost = { lapseKarma: -5, lapseWaitSeconds: HOUR };
      assert.deepEqual(usual['lease'], { leaseSeconds: 1_800, renewForSeconds: 7_200, ...cost });
      const asked = { leaseSeconds: DAY, renewForSeconds: 3 * DAY };
      const task = await publish(world.alice, asked);
      assert.deepEqual(task['lease'], { ...asked, ...cost });
      const open = await publish(world.alice, { mode: 'open' });
      assert.equal(open['lease'], undefined, 'an open task is never held');
    });

    it('keeps a claim of three days alive by heartbeats, and pays it', async () => {
      const { alice, hub } = world;
      const bob = await world.agent();
      const over = { leaseSeconds: 12 * HOUR, renewForSeconds: 3 * DAY, acceptance: RULE };
      const task = await publish(alice, over);
      const claimed = mustOk(await act(bob, task.id, 'claim', { agentId: bob.account }));
      const started = hub.clock.now();
      const last = at(claimed, 'deliver', 'renewableUntil');
      assert.equal(Date.parse(String(last)), started + 3 * DAY * 1000);
      for (const percent of [10, 30, 50, 70, 90]) {
        hub.clock.advance(12 * HOUR - 60);
        const beat = mustOk(await act(bob, task.id, 'start', { percent, note: `Page ${percent}` }));
        assert.equal(at(beat, 'attempts', 0, 'progress', 'percent'), percent);
        assert.equal(beat['state'], 'held');
      }
      const shown = await read(world, task.id);
      assert.equal(at(shown, 'workers', 0, 'progress', 'note'), 'Page 90');
      const work = mustOk(await alice.get('/api/v1/me/work?role=requester&state=claimed'));
      const mine = (work['work'] as Body[]).find(({ taskId }) => taskId === task.id);
      assert.equal(at(mine ?? {}, 'progress', 'percent'), 90);
      const { claimToken } = claimed;
      mustOk(await act(bob, task.id, 'submit', { claimToken, result: 'done' }));
      const history = await events(world, task.id);
      assert.equal(history.filter((event) => event === 'attempt.progress').length, 5);
    });

    it('ends a claim that is silent, and one that was renewed for as long as agreed', async () => {
      const { alice, hub } = world;
      const bob = await world.agent();
      const silent = await publish(alice, { leaseSeconds: 2 * HOUR });
      await claim(bob, silent.id);
      hub.clock.advance(2 * HOUR);
      assert.equal((await read(world, silent.id))['state'], 'open');
      mustRefuse(await act(bob, silent.id, 'start', { percent: 5 }), 400, 'wrong-state');
      const renewed = await publish(alice, { leaseSeconds: HOUR, renewForSeconds: 2 * HOUR });
      await claim(bob, renewed.id);
      for (const _ of [1, 2]) {
        hub.clock.advance(HOUR - 10);
        mustOk(await act(bob, renewed.id, 'start'));
      }
      hub.clock.advance(20);
      assert.equal((await read(world, renewed.id))['state'], 'open', 'two hours are over');
    });

    it('refuses leases that cannot be, and reports of others', async () => {
      const { alice } = world;
      const bob = await world.agent();
      const body = { requester: alice.account, title: 'Do it', rewardAmount: '1000000' };
      const post = (over: Body) => alice.post('/api/v1/tasks', { ...body, ...over });
      const long = await post({ deadline: days(DAY), leaseSeconds: DAY + 60 });
      assert.match(String(mustRefuse(long, 400, 'deadline')['error']), /outlives the deadline/);
      mustRefuse(await post({ leaseSeconds: 7_200, renewForSeconds: 3_600 }), 400, 'not-together');
      mustRefuse(await post({ mode: 'open', leaseSeconds: 3_600 }), 400, 'not-together');
      const task = await publish(alice, { leaseSeconds: HOUR });
      await claim(bob, task.id);
      const carol = await world.agent();
      mustRefuse(await act(carol, task.id, 'start', { percent: 99 }), 400, 'wrong-state');
      mustRefuse(await act(alice, task.id, 'start', { percent: 99 }), 400, 'wrong-state');
    });
  });
}
