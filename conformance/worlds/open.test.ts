import assert from 'node:assert/strict';
import { agentWith, visitor } from '../harness/agents.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import type { Fixture } from '../harness/fixture.ts';
import { openFixture } from '../harness/fixture.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { funded, hubWithWorlds, openedBy, WORLD } from './_world.ts';

describe('worlds.open', () => {
  let hub: Fixture;
  before(async () => {
    hub = await hubWithWorlds();
  });
  after(() => hub.close());

  it('opens a hub with a faucet, whose money is unknown to the hub itself', async () => {
    const key = await generateKey();
    const owner = agentWith(hub.hub, key);
    const place = await openedBy(hub, owner);
    const [there, other] = [agentWith(place, key), await funded(place)];
    const { account } = there;
    const payment = { to: account, amount: '250000', idempotencyKey: 'p' };
    mustOk(await other.post(`/api/v1/wallet/${other.account}/pay`, payment));
    const wallet = `/api/v1/wallet/${account}`;
    assert.equal(mustOk(await there.get(wallet))['balance'], '250000');
    assert.equal(mustOk(await owner.get(wallet))['balance'], '0');
    const books = mustOk(await visitor(place).get('/api/v1/economy/conservation'));
    assert.equal(books['balanced'], true);
    mustOk(await owner.post(`${WORLD}/close`));
  });

  it('returns the world that is open', async () => {
    const [one, same] = [await hub.alice.post(WORLD), await hub.alice.post(WORLD)];
    assert.deepEqual(mustOk(one), mustOk(same));
    const { url, now, openedAt, endsAt, aheadSeconds } = mustOk(one);
    assert.ok(String(url).startsWith(`${hub.hub.running.hub.settings.baseUrl}/worlds/`));
    assert.deepEqual(
      [now, openedAt, endsAt, aheadSeconds],
      ['2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00.000Z', 0],
    );
    mustOk(await hub.alice.post(`${WORLD}/close`));
  });

  it('opens one world for two calls at once', async () => {
    const both = await Promise.all([hub.alice.post(WORLD), hub.alice.post(WORLD)]);
    assert.deepEqual(mustOk(both[0]), mustOk(both[1]));
    mustOk(await hub.alice.post(`${WORLD}/close`));
  });

  it('has few worlds for one address, however many keys it has', async () => {
    const [first, second, third] = [hub.alice, hub.bob, await hub.agent()];
    await Promise.all([openedBy(hub, first), openedBy(hub, second)]);
    const refused = mustRefuse(await third.post(WORLD), 400, 'ceiling-reached');
    assert.match(String(refused['hint']), /me\/world\/close/);
    mustOk(await second.post(`${WORLD}/close`));
    await openedBy(hub, third);
    for (const each of [first, third]) mustOk(await each.post(`${WORLD}/close`));
  });

  it('has as many worlds as the operator says', async () => {
    const small = await hubWithWorlds(1);
    try {
      await openedBy(small, small.alice);
      const refused = mustRefuse(await small.bob.post(WORLD), 400, 'ceiling-reached');
      assert.equal(refused['error'], 'All test worlds of this hub are in use.');
    } finally {
      await small.close();
    }
  });

  it('opens none where the operator wants none, and none inside of a world', async () => {
    const plain = await openFixture();
    try {
      mustRefuse(await plain.alice.post(WORLD), 400, 'worlds-off');
    } finally {
      await plain.close();
    }
    const inside = await funded(await openedBy(hub, hub.alice));
    mustRefuse(await inside.post(WORLD), 400, 'worlds-off');
    mustOk(await hub.alice.post(`${WORLD}/close`));
  });

  it('serves both doors of the world below its address', async () => {
    const place = await openedBy(hub, hub.alice);
    const card = mustOk(await visitor(place).get('/.well-known/agent-card.json'));
    assert.ok(String(at(card, 'supportedInterfaces', 0, 'url')).startsWith(place.url));
    const asked = await visitor(place).post('/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'time-now', arguments: {} },
    });
    assert.match(asked.text, /2026-11-20T10:00/);
    mustOk(await hub.alice.post(`${WORLD}/close`));
  });

  it('counts against the address, in the world as well', async () => {
    const env = { HUB_TEST_WORLDS: '1', HUB_RATE_LIMITS: 'true' };
    const limited = await openFixture({ env });
    try {
      const place = await openedBy(limited, limited.alice);
      const answers = [];
      for (let n = 0; n < 30; n += 1) answers.push((await limited.alice.post(WORLD)).status);
      assert.deepEqual([...new Set(answers)], [200, 429]);
      assert.equal(answers.indexOf(429), 29);
      const anon = (await visitor(place).get('/api/v1/time')).headers;
      const same = (await limited.anyone.get('/api/v1/time')).headers;
      const left = (headers: Headers): number => Number(headers.get('x-ratelimit-remaining'));
      assert.equal(left(same), left(anon) - 1, 'one bucket for the hub and its worlds');
    } finally {
      await limited.close();
    }
  });

  it('is known to the process that opened it, and the hint of another says so', async () => {
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    const env = { HUB_TEST_WORLDS: '1' };
    const [here, there] = [
      await openFixture({ databaseUrl, env }),
      await openFixture({ databaseUrl, env }),
    ];
    try {
      const key = await generateKey();
      const place = await openedBy(here, agentWith(here.hub, key));
      mustRefuse(await agentWith(there.hub, key).get(WORLD), 404, 'not-found');
      const elsewhere = `${there.hub.url}${new URL(place.url).pathname}`;
      const refused = mustRefuse(
        await visitor({ ...there.hub, url: elsewhere }).get('/api/v1/time'),
        404,
        'no-route',
      );
      assert.match(String(refused['error']), /another process/);
    } finally {
      await here.close();
      await there.close();
    }
  });

  it('signs with a key of its own, which speaks for the world alone', async () => {
    const place = await openedBy(hub, hub.alice);
    const keysAt = async (where: typeof place): Promise<unknown> =>
      at(mustOk(await visitor(where).get('/keys')), 'keys', 0, 'publicKeyHex');
    assert.notEqual(await keysAt(place), await keysAt(hub.hub));
    mustOk(await hub.alice.post(`${WORLD}/close`));
  });
});
