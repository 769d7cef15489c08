import assert from 'node:assert/strict';
import { newAgent, type Agent, type Answer } from '../harness/agents.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { startHub } from '../harness/hub.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { seated, until } from '../harness/waiting.ts';
import { dial, wireBytes } from '../harness/wire.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { onEachDatabase } from '../validators/_court.ts';
import { claim, events, publish, RULE, type Body } from './_work.ts';

const CLAIM = '/api/v1/tasks/claim?wait=30';
const START_MS_MAX = 60_000;

const poll = (agent: Agent, body: Body = {}): Promise<Answer> => agent.post(CLAIM, body);
const workOf = (answer: Answer): unknown => {
  const { work } = mustOk(answer);
  return work === null ? null : at(mustOk(answer), 'work', 'id');
};

onEachDatabase('polls that wait in line for work', (url) => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture({ databaseUrl: await url() });
    await world.fund(world.alice, '100000000');
  });
  afterEach(() => world.close());

  const crowd = (count: number): Promise<Agent[]> =>
    Promise.all(Array.from({ length: count }, () => world.agent()));
  /** Polls that sat down one after another. */
  async function inLine(agents: readonly Agent[], body: Body = {}): Promise<Promise<Answer>[]> {
    const polls: Promise<Answer>[] = [];
    for (const agent of agents) {
      polls.push(poll(agent, body));
      await seated(world.hub, polls.length);
    }
    return polls;
  }
  const task = (over: Body = {}) => publish(world.alice, { acceptance: RULE, ...over });
  const goHome = (): void => world.hub.running.hub.notifier.releaseAll();

  it('are served in the order of arrival', async () => {
    const polls = await inLine(await crowd(5));
    const ids: string[] = [];
    for (let n = 0; n < polls.length; n += 1) ids.push((await task()).id);
    assert.deepEqual((await Promise.all(polls)).map(workOf), ids);
    assert.deepEqual(await events(world, ids[0] ?? ''), ['task.published', 'task.claimed']);
  });

  it('are woken as many as there are tasks', async () => {
    const polls = await inLine(await crowd(8));
    const tasks = await Promise.all([task(), task(), task()]);
    await seated(world.hub, 5);
    goHome();
    const got = (await Promise.all(polls)).map(workOf);
    assert.deepEqual(got.slice(3), [null, null, null, null, null]);
    assert.deepEqual([...got.slice(0, 3)].sort(), tasks.map(({ id }) => id).sort());
  });

  it('are passed by where a task is not what they asked for', async () => {
    const [picky, skilled, plain] = await crowd(3);
    assert.ok(picky && skilled && plain);
    const own = poll(world.alice);
    await seated(world.hub, 1);
    const polls = [poll(picky, { minReward: '2000000' })];
    await seated(world.hub, 2);
    polls.push(poll(skilled, { skills: ['cooking'] }));
    await seated(world.hub, 3);
    polls.push(poll(plain));
    await seated(world.hub, 4);
    const { id } = await task({ requiredSkills: ['singing'] });
    await seated(world.hub, 3);
    goHome();
    assert.deepEqual((await Promise.all(polls)).map(workOf), [null, null, id]);
    assert.equal(workOf(await own), null);
  });

  it('hold no more than they may, and hand on what they may not have', async () => {
    const [busy, next] = await crowd(2);
    assert.ok(busy && next);
    const polls = await inLine([busy, next], { tags: ['queued'] });
    for (const each of await Promise.all([task(), task(), task()])) await claim(busy, each.id);
    const { id } = await task({ tags: ['queued'] });
    const [refused, given] = await Promise.all(polls);
    assert.ok(refused && given);
    mustRefuse(refused, 400, 'claim-limit');
    assert.equal(workOf(given), id);
  });

  it('leave their place to the next when their client hangs up', async () => {
    const [gone, next] = await crowd(2);
    assert.ok(gone && next);
    const request = await gone.signed('POST', CLAIM, {});
    const { host } = new URL(world.hub.url);
    const text = await request.clone().text();
    const headers = [['Host', host], ...request.headers] as const;
    const socket = await dial(world.hub.url);
    socket.write(wireBytes({ method: 'POST', target: CLAIM, headers, body: text }));
    await seated(world.hub, 1);
    const waiting = poll(next);
    await seated(world.hub, 2);
    socket.destroy();
    await seated(world.hub, 1);
    const { id } = await task();
    assert.equal(workOf(await waiting), id);
    const { claims } = mustOk(await gone.get('/api/v1/me'));
    assert.equal(at(claims, 'length'), 0);
  });

  it('are offered nothing by a publication that is refused, and keep their place', async () => {
    const poor = await world.agent();
    const polls = await inLine(await crowd(2));
    const body = {
      requester: poor.account,
      title: 'Do it',
      rewardAmount: '1000',
      acceptance: RULE,
    };
    mustRefuse(await poor.post('/api/v1/tasks', body), 400, 'insufficient-funds');
    await seated(world.hub, 2);
    const ids = [(await task()).id, (await task()).id];
    assert.deepEqual((await Promise.all(polls)).map(workOf), ids);
  });

  it('never give a task to its publisher, or to an account linked to it', async () => {
    const linked = await world.agent();
    const polls = [poll(world.alice), poll(linked, { payee: world.alice.account })];
    await seated(world.hub, 2);
    const { id } = await task();
    await until(async () => (await events(world, id)).length === 1);
    await seated(world.hub, 2);
    const other = poll(world.bob);
    assert.equal(workOf(await other), id);
    goHome();
    assert.deepEqual((await Promise.all(polls)).map(workOf), [null, null]);
  });

  it('find their claim again by its key', async () => {
    const [worker] = await crowd(1);
    assert.ok(worker);
    const [waiting] = await inLine([worker], { idempotencyKey: 'k' });
    const { id } = await task();
    const first = mustOk((await waiting) ?? assert.fail());
    await task({ rewardAmount: '2000000' });
    const again = mustOk(await worker.post('/api/v1/tasks/claim', { idempotencyKey: 'k' }));
    assert.deepEqual([at(first, 'work', 'id'), at(again, 'work', 'id')], [id, id]);
    assert.equal(again['claimToken'], first['claimToken']);
    assert.deepEqual([first['repeated'], again['repeated']], [false, true]);
  });
});

describe('polls that wait on two hubs of one database', function suite() {
  this.timeout(START_MS_MAX);

  it('are never given one task twice', async () => {
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    const world = await openFixture({ databaseUrl });
    const other = await startHub({ databaseUrl, clock: world.hub.clock });
    try {
      await world.fund(world.alice, '100000000');
      const agents = await Promise.all(
        [world.hub, other].flatMap((hub) => Array.from({ length: 12 }, () => newAgent(hub))),
      );
      const polls = agents.map((agent) => poll(agent));
      await Promise.all([seated(world.hub, 12), seated(other, 12)]);
      const tasks = await Promise.all(
        Array.from({ length: 18 }, () => publish(world.alice, { acceptance: RULE })),
      );
      await until(() => {
        const [here, there] = [world.hub, other].map(({ running }) =>
          running.hub.notifier.waiting('tasks.line'),
        );
        return (here ?? 0) + (there ?? 0) === 6;
      });
      for (const { running } of [world.hub, other]) running.hub.notifier.releaseAll();
      const got = (await Promise.all(polls)).map(workOf).filter((id) => id !== null);
      assert.deepEqual([...got].sort(), tasks.map(({ id }) => id).sort());
      await assertBooksBalance(world.hub.running.hub.store);
    } finally {
      await other.close();
      await world.close();
    }
  });
});
