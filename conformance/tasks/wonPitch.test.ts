import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { choose, claimBy, offer, PITCHED, PRICE } from './_pitching.ts';
import { act, claim, names, publish, type Body } from './_work.ts';

hubsOnBothDatabases('a pitch that was chosen', (open) => {
  let world: Fixture;
  let bob: Agent;
  let carol: Agent;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '50000000');
  });
  beforeEach(async () => {
    [bob, carol] = [await world.agent(), await world.agent()];
  });

  const work = async (agent: Agent, query = ''): Promise<Body[]> =>
    mustOk(await agent.get(`/api/v1/me/work${query}`))['work'] as Body[];
  const won = async (agent: Agent): Promise<unknown> =>
    mustOk(await agent.get('/api/v1/me'))['wonPitches'];
  const happened = async (agent: Agent, kind: string): Promise<Body[]> =>
    (mustOk(await agent.get('/api/v1/me/events'))['events'] as Body[]).filter(
      (event) => event['kind'] === kind,
    );
  const untilOf = (seconds: number): string =>
    new Date(world.hub.clock.now() + seconds * 1_000).toISOString();

  it('is in the lists of its author until it is claimed, with what letting it go costs', async () => {
    const { alice } = world;
    const task = await publish(alice, PITCHED);
    const pitchId = await offer(bob, task.id);
    await offer(carol, task.id);
    assert.deepEqual([await work(bob), await won(bob)], [[], undefined]);
    mustOk(await choose(alice, task.id, pitchId));
    const reservedUntil = untilOf(3_600);
    for (const query of ['', '?role=worker', '?state=open', '?role=worker&state=open']) {
      const [item, ...more] = await work(bob, query);
      assert.deepEqual(more, []);
      assert.deepEqual(
        [item?.['id'], item?.['role'], item?.['state'], item?.['taskId'], item?.['reservedUntil']],
        [pitchId, 'worker', 'open', task.id, reservedUntil],
      );
      assert.deepEqual(names(item?.['next']), ['tasks.claim']);
      assert.match(String(at(item, 'next', 0, 'note')), /karma falls by 2/);
    }
    const [kept] = (await won(bob)) as Body[];
    assert.deepEqual(
      [kept?.['pitchId'], kept?.['taskId'], kept?.['reservedUntil'], at(kept, 'reward', 'amount')],
      [pitchId, task.id, reservedUntil, PRICE],
    );
    assert.deepEqual(names(kept?.['next']), ['tasks.claim']);
    assert.deepEqual([await work(carol), await won(carol)], [[], undefined]);
    await claim(bob, task.id);
    const states = (await work(bob)).map(({ state }) => state);
    assert.deepEqual([states, await won(bob)], [['claimed'], undefined]);
  });

  it('notifies its author of the moment, and the others that they were passed', async () => {
    const { alice } = world;
    const task = await publish(alice, PITCHED);
    const pitchId = await offer(bob, task.id);
    await offer(carol, task.id);
    const dan = await world.agent();
    mustOk(await choose(alice, task.id, await offer(dan, task.id)));
    assert.equal((await happened(carol, 'pitch.passed')).length, 1);
    world.hub.clock.advance(3_600);
    mustRefuse(await claimBy(dan, task.id), 400, 'pitch-required');
    await world.hub.runJob('leaseExpiry');
    assert.equal((await happened(dan, 'pitch.lapsed')).length, 1);
    mustOk(await choose(alice, task.id, pitchId));
    const [chosen] = await happened(bob, 'pitch.chosen');
    assert.deepEqual([chosen?.['taskId'], chosen?.['until']], [task.id, untilOf(3_600)]);
    assert.equal(chosen?.['commentId'], undefined);
    const [passed] = await happened(carol, 'pitch.passed');
    assert.deepEqual([passed?.['taskId'], passed?.['actor']], [task.id, undefined]);
    assert.equal((await happened(carol, 'pitch.passed')).length, 2);
    assert.equal((await happened(bob, 'pitch.passed')).length, 1, 'when the other won');
    assert.equal((await happened(dan, 'pitch.passed')).length, 0, 'it had lapsed before');
    assert.equal((await happened(alice, 'pitch.passed')).length, 0);
  });

  it('is gone from the lists once its hour is over, though no job ran', async () => {
    const { alice } = world;
    const task = await publish(alice, PITCHED);
    mustOk(await choose(alice, task.id, await offer(bob, task.id)));
    world.hub.clock.advance(3_600);
    assert.equal(await won(bob), undefined);
    assert.deepEqual(await work(bob), []);
    assert.equal(at(mustOk(await bob.get('/api/v1/me')), 'karma', 'total'), -2);
  });

  it('stays while its author may claim again, and then costs nothing', async () => {
    const { alice } = world;
    const task = await publish(alice, PITCHED);
    mustOk(await choose(alice, task.id, await offer(bob, task.id)));
    const claimToken = await claim(bob, task.id);
    mustOk(await act(bob, task.id, 'submit', { claimToken, result: 'no' }));
    const [item] = await work(bob, '?state=open');
    assert.deepEqual([item?.['taskId'], item?.['reservedUntil']], [task.id, undefined]);
    assert.equal(at(item, 'next', 0, 'note'), undefined);
    await claim(bob, task.id);
  });

  it('threatens no karma where the deadline comes before the hour is over', async () => {
    const { alice } = world;
    const task = await publish(alice, { ...PITCHED, deadline: untilOf(600) });
    mustOk(await choose(alice, task.id, await offer(bob, task.id)));
    const [item] = await work(bob);
    assert.equal(item?.['reservedUntil'], untilOf(600));
    assert.equal(at(item, 'next', 0, 'note'), undefined);
    world.hub.clock.advance(600);
    assert.deepEqual([await work(bob), await won(bob)], [[], undefined]);
    assert.equal(at(mustOk(await bob.get('/api/v1/me')), 'karma', 'total'), 0);
  });
});
