import assert from 'node:assert/strict';
import type { Agent, Answer } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';
import { dial, wireBytes } from '../harness/wire.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { seated, until } from '../harness/waiting.ts';
import { TASK_LINE_TOPIC } from '../../workflows/topics.ts';

/**
 * Long polls: four an account and 64 an address (choices pipeline.limits), the oldest answered
 * early, none of them in the way of others.
 */
const POLLS_MAX = 4;
const ADDRESS_POLLS_MAX = 64;
const CLAIM = '/api/v1/tasks/claim?wait=30';
const CLOSE_MS_MAX = 5_000;

describe('long polls', () => {
  let world: Fixture;
  let open: { readonly poll: Promise<Answer>; done: boolean }[];
  beforeEach(async () => {
    world = await openFixture();
    open = [];
  });
  afterEach(async () => {
    bell().releaseAll();
    await Promise.all(open.map((each) => each.poll));
    await world.close();
  });

  async function sitDown(agent: Agent): Promise<void> {
    const poll = agent.post(CLAIM, {});
    const entry = { poll, done: false };
    void poll.then(() => {
      entry.done = true;
    });
    open.push(entry);
    // The poll waits, and the one that made room for it was answered.
    await until(() => bell().waiting(TASK_LINE_TOPIC) === waiting().length);
  }
  const bell = () => world.hub.running.hub.notifier;
  const waiting = (): number[] => open.flatMap(({ done }, index) => (done ? [] : [index]));

  /** Who should be answered is in the end, and who should wait still does. */
  async function leaves(expected: readonly number[]): Promise<void> {
    await until(() => waiting().length <= expected.length);
    assert.deepEqual(waiting(), expected);
  }

  it('keep four of an account and answer the oldest early, empty-handed', async () => {
    for (let times = 0; times < POLLS_MAX; times += 1) await sitDown(world.alice);
    await leaves([0, 1, 2, 3]);
    await sitDown(world.alice);
    await leaves([1, 2, 3, 4]);
    await sitDown(world.alice);
    await leaves([2, 3, 4, 5]);
    const oldest = mustOk(await (open[0]?.poll ?? Promise.reject(new Error('no poll'))));
    assert.equal(oldest['work'], null);
  });

  it('are counted by account: another’s polls are not answered for mine', async () => {
    for (let times = 0; times < POLLS_MAX; times += 1) await sitDown(world.alice);
    await sitDown(world.bob);
    await leaves([0, 1, 2, 3, 4]);
  });

  it(`keep ${ADDRESS_POLLS_MAX} of an address, however many accounts it has`, async () => {
    const agents = await Promise.all(
      Array.from({ length: ADDRESS_POLLS_MAX / POLLS_MAX }, () => world.agent()),
    );
    const sits = agents.flatMap((agent) => Array.from({ length: POLLS_MAX }, () => sitDown(agent)));
    await Promise.all(sits);
    assert.equal(waiting().length, ADDRESS_POLLS_MAX);
    await sitDown(await world.agent());
    await until(() => waiting().length === ADDRESS_POLLS_MAX);
    assert.ok(waiting().includes(ADDRESS_POLLS_MAX), 'the newest keeps its place');
  });

  it('hold no other request up', async () => {
    await sitDown(world.alice);
    mustOk(await world.bob.get('/api/v1/me'));
    mustOk(await world.alice.get('/api/v1/me'));
    await leaves([0]);
  });

  it('give their place back when the caller leaves', async () => {
    const { host } = new URL(world.hub.url);
    for (let times = 0; times < POLLS_MAX; times += 1) {
      const request = await world.alice.signed('POST', CLAIM, {});
      const body = await request.clone().text();
      const socket = await dial(world.hub.url);
      const headers = [['Host', host], ...request.headers] as const;
      socket.write(wireBytes({ method: 'POST', target: CLAIM, headers, body }));
      await seated(world.hub, 1);
      socket.destroy();
      await seated(world.hub, 0);
    }
    for (let times = 0; times < POLLS_MAX; times += 1) await sitDown(world.alice);
    await leaves([0, 1, 2, 3]);
  });
});

describe('a hub that closes', () => {
  it('answers its long polls, and waits for no connection that says nothing', async () => {
    const world = await openFixture();
    const poll = world.alice.post(CLAIM, {});
    await seated(world.hub, 1);
    const before = performance.now();
    const closed = world.close();
    assert.equal((await poll).status, 200);
    await closed;
    assert.ok(performance.now() - before < CLOSE_MS_MAX);
  });
});
