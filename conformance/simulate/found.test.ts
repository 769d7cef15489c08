import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openWorld, type World } from '../harness/worlds.ts';
import { act, claim, money, publish, read, REWARD, RULE } from '../tasks/_work.ts';

/** What the simulation found in the hub, each kept as the shortest story that showed it. */
describe('found by simulation', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
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

  it('nobody names the requester as payee: a reward that goes back to its owner was stuck', async () => {
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
});
