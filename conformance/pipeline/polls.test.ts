import assert from 'node:assert/strict';
import type { Agent, Answer } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';
import { dial, wireBytes } from '../harness/wire.ts';
import { openWorld, type World } from '../harness/worlds.ts';

/**
 * Long polls: four an account and 64 an address (choices 10.2), the oldest answered early, none of
 * them in anybody's way.
 */
const POLLS_MAX = 4;
const ADDRESS_POLLS_MAX = 64;
const CLAIM = '/api/v1/tasks/claim?wait=30';
/** Time for a request on this machine to reach the hub and sit down. */
const SETTLE_MS = 150;
const CLOSE_MS_MAX = 5_000;

const soon = (ms = SETTLE_MS): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('long polls', () => {
  let world: World;
  let open: { readonly poll: Promise<Answer>; done: boolean }[];
  beforeEach(async () => {
    world = await openWorld();
    open = [];
  });
  afterEach(async () => {
    world.hub.running.hub.bell.releaseAll();
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
    await soon();
  }
  const waiting = (): number[] => open.flatMap(({ done }, index) => (done ? [] : [index]));

  it('keep four of an account and answer the oldest early, empty-handed', async () => {
    for (let times = 0; times < POLLS_MAX; times += 1) await sitDown(world.alice);
    assert.deepEqual(waiting(), [0, 1, 2, 3]);
    await sitDown(world.alice);
    assert.deepEqual(waiting(), [1, 2, 3, 4]);
    await sitDown(world.alice);
    assert.deepEqual(waiting(), [2, 3, 4, 5]);
    const oldest = mustOk(await (open[0]?.poll ?? Promise.reject(new Error('no poll'))));
    assert.equal(oldest['work'], null);
  });

  it('are counted by account: another’s polls are not answered for mine', async () => {
    for (let times = 0; times < POLLS_MAX; times += 1) await sitDown(world.alice);
    await sitDown(world.bob);
    assert.deepEqual(waiting(), [0, 1, 2, 3, 4]);
  });

  it(`keep ${ADDRESS_POLLS_MAX} of an address, however many accounts it has`, async () => {
    const agents = await Promise.all(
      Array.from({ length: ADDRESS_POLLS_MAX / POLLS_MAX }, () => world.agent()),
    );
    const sits = agents.flatMap((agent) => Array.from({ length: POLLS_MAX }, () => sitDown(agent)));
    await Promise.all(sits);
    await soon(1_000);
    assert.equal(waiting().length, ADDRESS_POLLS_MAX);
    await sitDown(await world.agent());
    assert.equal(waiting().length, ADDRESS_POLLS_MAX);
    assert.ok(waiting().includes(ADDRESS_POLLS_MAX), 'the newest keeps its place');
  });

  it('hold nobody else up', async () => {
    await sitDown(world.alice);
    mustOk(await world.bob.get('/api/v1/me'));
    mustOk(await world.alice.get('/api/v1/me'));
    assert.deepEqual(waiting(), [0]);
  });

  it('give their place back when the caller leaves', async () => {
    const { host } = new URL(world.hub.url);
    for (let times = 0; times < POLLS_MAX; times += 1) {
      const request = await world.alice.signed('POST', CLAIM, {});
      const body = await request.clone().text();
      const socket = await dial(world.hub.url);
      const headers = [['Host', host], ...request.headers] as const;
      socket.write(wireBytes({ method: 'POST', target: CLAIM, headers, body }));
      await soon();
      socket.destroy();
    }
    await soon();
    for (let times = 0; times < POLLS_MAX; times += 1) await sitDown(world.alice);
    assert.deepEqual(waiting(), [0, 1, 2, 3]);
  });
});

describe('a hub that closes', () => {
  it('answers its long polls, and waits for no connection that says nothing', async () => {
    const world = await openWorld();
    const poll = world.alice.post(CLAIM, {});
    await soon();
    const before = performance.now();
    const closed = world.close();
    assert.equal((await poll).status, 200);
    await closed;
    assert.ok(performance.now() - before < CLOSE_MS_MAX);
  });
});
