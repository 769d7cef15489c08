import assert from 'node:assert/strict';
import { DATABASES } from '../../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../../harness/must.ts';
import { until } from '../../harness/waiting.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { COURT_MS_MAX, openCourt, panels, votesIn } from '../../validators/_court.ts';
import { act, claim, money, publish, read, REWARD, RULE } from '../../tasks/_work.ts';

/** Faults that the simulation found, each stored as the shortest run that showed it. */
describe('found by simulation', () => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  afterEach(() => world.close());

  it('a deadline counts in whole seconds, as the terms digest and its readers take it', async () => {
    const { alice, hub } = world;
    const now = hub.clock.now();
    const deadline = new Date(now + 600_999).toISOString();
    const task = await publish(alice, { deadline });
    assert.equal(task['deadline'], new Date(now + 600_000).toISOString());
    hub.clock.advance(600);
    assert.equal((await read(world, task.id))['state'], 'expired');
    const short = { requester: alice.account, title: 'Soon', rewardAmount: REWARD };
    const soon = new Date(hub.clock.now() + 299_999).toISOString();
    mustRefuse(await alice.post('/api/v1/tasks', { ...short, deadline: soon }), 400, 'deadline');
  });

  it('silence of no seconds is acceptance, and the answer to the delivery says so', async () => {
    const { alice, bob } = world;
    const terms = { autoAcceptSeconds: 0, disputeWindowSeconds: 0 };
    const held = await publish(alice, terms);
    const claimToken = await claim(bob, held.id);
    const open = await publish(alice, { ...terms, mode: 'open' });
    const results = [
      await act(bob, held.id, 'submit', { claimToken, result: 'x' }),
      await act(bob, open.id, 'solution', { agentId: bob.account, result: 'x' }),
    ];
    for (const { outcome, accepted, state } of results.map((answer) => mustOk(answer))) {
      assert.deepEqual([outcome, accepted, state], ['accepted', true, 'paid']);
    }
  });

  it('lets no worker name the requester as payee: a reward that goes back to its owner was stuck', async () => {
    const { alice, bob } = world;
    const held = await publish(alice, { acceptance: RULE, disputeWindowSeconds: 0 });
    const open = await publish(alice, { mode: 'open' });
    const body = { agentId: bob.account, payee: alice.account };
    mustRefuse(await act(bob, held.id, 'claim', body), 400, 'self-dealing');
    const offered = await act(bob, open.id, 'solution', { ...body, result: 'x' });
    mustRefuse(offered, 400, 'self-dealing');
    const queued = mustOk(await bob.post('/api/v1/tasks/claim', { payee: alice.account }));
    assert.equal(queued['work'], null);
    const carol = await world.agent();
    const paid = mustOk(
      await act(bob, held.id, 'claim', { agentId: bob.account, payee: carol.account }),
    );
    const done = { claimToken: paid['claimToken'], result: 'done' };
    assert.equal(at(mustOk(await act(bob, held.id, 'submit', done)), 'state'), 'paid');
    assert.deepEqual(await money(carol), ['970000', '0', '970000']);
  });

  it('tasks that a look in the claim queue finds expired hide none behind them', async () => {
    const { alice, bob, hub } = world;
    // More than the first page of a look holds, all better paid, and no job has looked at them yet.
    const deadline = new Date(hub.clock.now() + 600_000).toISOString();
    for (let n = 0; n < 7; n += 1) await publish(alice, { deadline });
    const cheaper = await publish(alice, { rewardAmount: '500000' });
    hub.clock.advance(601);
    const queued = mustOk(await bob.post('/api/v1/tasks/claim', {}));
    assert.equal(at(queued, 'work', 'id'), cheaper.id);
  });

  it('a fourth result of one moment waits, also when its work was announced first', async () => {
    const court = await openCourt({ judges: 1 });
    try {
      const { alice, bob } = court.world;
      const { id } = await publish(alice, { mode: 'open', verification: 'validator' });
      mustOk(await act(bob, id, 'start', { agentId: bob.account }));
      const others = await Promise.all([1, 2, 3].map(() => court.world.agent()));
      for (const worker of [...others, bob]) {
        mustOk(await act(worker, id, 'solution', { agentId: worker.account, result: 'x' }));
      }
      assert.equal((await panels(court, id)).length, 3);
    } finally {
      await court.close();
    }
  });

  for (const [database, url] of DATABASES) {
    it(`one result is the oldest of those whose panels end together, and is first (${database})`, async () => {
      const court = await openCourt({ judges: 4, databaseUrl: await url() });
      try {
        const { alice, hub } = court.world;
        const { id } = await publish(alice, { mode: 'open', verification: 'validator' });
        const workers = await Promise.all([1, 2, 3].map(() => court.world.agent()));
        for (const worker of workers) {
          mustOk(await act(worker, id, 'solution', { agentId: worker.account, result: 'x' }));
        }
        // On each panel the last judge never answers; the others are recorded, and hold a majority.
        const last = (await panels(court, id)).map((panel) => at(panel, 'judges', 2, 'account'));
        const attempts = (await panels(court, id)).map(({ attemptId }) => attemptId);
        for (const { agent, does } of court.judges) {
          does(({ body }) => {
            const mine = last[attempts.indexOf(body['attemptId'])] === agent.account;
            return mine ? undefined : 'accepted';
          });
        }
        const sitting = hub.runJob('panelCalls');
        await until(async () => (await hub.running.hub.store.read(votesIn)) === 6);
        hub.clock.advance(30 * 60);
        await hub.runJob('panels');
        const states = (await panels(court, id)).map(({ state }) => state);
        assert.deepEqual(states, ['decided', 'cancelled', 'cancelled']);
        // A call that was made again meanwhile ends by the clock as well.
        hub.clock.advance(60);
        await sitting;
      } finally {
        await court.close();
      }
    }).timeout(COURT_MS_MAX);
  }
});
