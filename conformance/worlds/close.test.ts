import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { newAgent, visitor } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { funded, hubWithWorlds, openedBy, WORLD } from './_world.ts';

/** Those of this process: others open worlds at the same time. */
function folders(): readonly string[] {
  const prefix = `hub-world-${process.pid}-`;
  return readdirSync(tmpdir()).filter((name) => name.startsWith(prefix));
}

describe('worlds.close', () => {
  let hub: Fixture;
  before(async () => {
    hub = await hubWithWorlds();
  });
  after(() => hub.close());

  it('deletes the world and what is in it', async () => {
    const before = folders();
    const place = await openedBy(hub, hub.alice);
    await funded(place);
    assert.equal(folders().length, before.length + 1);
    assert.deepEqual(mustOk(await hub.alice.post(`${WORLD}/close`)), { closed: true });
    assert.deepEqual(folders(), before);
    const refused = mustRefuse(await visitor(place).get('/api/v1/time'), 404, 'no-route');
    assert.match(String(refused['error']), /test world has ended/);
  });

  it('says that there was none', async () => {
    assert.deepEqual(mustOk(await hub.bob.post(`${WORLD}/close`)), { closed: false });
  });

  it('closes once for two calls at once', async () => {
    await openedBy(hub, hub.alice);
    const both = await Promise.all([1, 2].map(() => hub.alice.post(`${WORLD}/close`)));
    assert.deepEqual(both.map((each) => mustOk(each)['closed']).sort(), [false, true]);
  });

  it('answers a poll that waits in the world before it ends', async () => {
    const place = await openedBy(hub, hub.alice);
    const waiting = (await newAgent(place)).get('/api/v1/me/events?after=now&wait=30');
    await new Promise((resolve) => setTimeout(resolve, 300));
    mustOk(await hub.alice.post(`${WORLD}/close`));
    mustOk(await waiting);
  });

  it('happens when the hub itself closes', async () => {
    const before = folders();
    const other = await hubWithWorlds();
    await openedBy(other, other.alice);
    await other.close();
    assert.deepEqual(folders(), before);
  });
});

describe('the address of a test world', () => {
  let hub: Fixture;
  before(async () => {
    hub = await hubWithWorlds();
  });
  after(() => hub.close());

  it('opens nothing when it is guessed or bent', async () => {
    const place = await openedBy(hub, hub.alice);
    const path = new URL(place.url).pathname;
    const bent = [
      `/worlds/${'0'.repeat(32)}/api/v1/time`,
      '/worlds/',
      `${path.toUpperCase()}/api/v1/time`,
      `${path}x/api/v1/time`,
      `/%77orlds/${path.slice(8)}/api/v1/time`,
      `${path}${path}/api/v1/time`,
      `${path}/metrics`,
      `${path}/admin`,
    ];
    for (const each of bent) mustRefuse(await hub.anyone.get(each), 404, 'no-route');
  });

  it('takes no signature that was made for the hub itself', async () => {
    const place = await openedBy(hub, hub.alice);
    const request = await hub.alice.signed('GET', '/api/v1/me');
    const moved = new Request(`${place.url}/api/v1/me`, { headers: request.headers });
    mustRefuse(await hub.anyone.send(moved), 401, 'unknown-key');
  });

  it('refuses bodies as the hub does', async () => {
    const place = await openedBy(hub, hub.alice);
    const big = { requester: hub.alice.account, title: 'x'.repeat(4_000_000) };
    mustRefuse(await (await newAgent(place)).post('/api/v1/tasks', big), 400, 'body-too-large');
  });
});
