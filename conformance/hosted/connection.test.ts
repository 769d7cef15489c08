import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startMcpSdk1 } from '../../clients/examples/agents/mcpSdk1.ts';
import { startMcpSdk2 } from '../../clients/examples/agents/mcpSdk2.ts';
import { closeSites, type Site } from '../../clients/examples/agents/site.ts';
import { connectAgent } from '../../clients/connect/connector.ts';
import { generateKey, signer } from '../../clients/typescript/sign.ts';
import { newSigning } from '../doors/mcp/_clients.ts';
import { agentWith, joinAccount, type Agent } from '../harness/agents.ts';
import { DATABASES, sharedPostgres } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import { call, receiptOf, spendable } from '../router/_fixture.ts';
import * as place from './_world.ts';
import { callsOf, CONVERT, FEE, publish, tryPublish, type Body } from './_world.ts';

/** An agent that only goes out: its server's address is opened to no hub. */
interface Connected {
  readonly holder: Agent;
  readonly server: Site;
  stop(): Promise<void>;
}

async function connected(world: Fixture, server: Site): Promise<Connected> {
  const key = await generateKey();
  const holder = agentWith(world.hub, key);
  await world.fund(holder, `${FEE}`);
  const stopping = new AbortController();
  const serving = connectAgent({
    hub: world.hub.url,
    signer: signer(key),
    endpoint: `${server.url}/mcp`,
    signal: stopping.signal,
    now: () => world.hub.clock.now(),
  });
  const path = `/api/v1/hosted/${holder.keyId}/connection`;
  mustOk(await holder.post(path, { wait: 0 }));
  const stop = async (): Promise<void> => {
    stopping.abort();
    await serving;
  };
  return { holder, server, stop };
}

const SERVERS = [
  ['SDK v1 with sessions and event streams', () => startMcpSdk1({ sessions: true, json: false })],
  ['SDK v2, stateless', () => startMcpSdk2({ modernOnly: true })],
] as const;

for (const [database, url] of DATABASES) {
  describe(`hosted.connection (${database})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await place.openHostedFixture(await url(), []);
    });
    after(async () => {
      await world.close();
      await closeSites();
    });
    const isLive = async (id: unknown): Promise<boolean> => {
      const list = mustOk(await world.anyone.get('/api/v1/agents?limit=100'));
      return (list['agents'] as readonly Body[]).some((each) => each['id'] === id);
    };

    for (const [name, start] of SERVERS) {
      it(`lists and pays an agent that cannot be dialled (${name})`, async () => {
        const server = await start();
        const { holder, stop } = await connected(world, server);
        const endpoint = `${server.url}/mcp`;
        mustRefuse(await tryPublish(holder, { endpoint }), 400, 'endpoint-refused');
        const listed = await publish(holder, { endpoint, via: 'connect', name });
        assert.deepEqual([listed['via'], at(listed, 'dial', 'toolsSeen')], ['connect', 3]);
        const signing = await newSigning(world);
        await world.fund(signing.agent, '10000');
        const client = new Client({ name: 't', version: '1' });
        const address = new URL(String(listed['listedEndpoint']));
        await client.connect(new StreamableHTTPClientTransport(address, { fetch: signing.fetch }));
        const served = await client.callTool({ name: 'convert', arguments: CONVERT });
        assert.equal(at(served, '_meta', 'hub/receipt', 'cost'), '2000');
        assert.match(JSON.stringify(served.content), /12\.5/);
        await client.close();
        assert.equal(await spendable(holder), 2_000n);
        const many = await Promise.all(
          Array.from({ length: 12 }, () =>
            world.anyone.post(`/api/v1/hosted/${holder.keyId}/call`, { tool: 'list-currencies' }),
          ),
        );
        assert.deepEqual(
          many.map((each) => mustOk(each)['outcome']),
          many.map(() => 'served'),
        );
        const { totals } = await callsOf(holder);
        assert.deepEqual([at(totals, 'served'), at(totals, 'earned')], [13, '2000']);
        await stop();
        const left = await world.hub.running.hub.store.read((db) => db.knex('hosted_letters'));
        assert.deepEqual(left, [], 'nothing of a call stays behind');
      });
    }

    it('is off the live list within 30 s of its loss, says why, and is back with a poll', async () => {
      const { holder, server, stop } = await connected(world, await startMcpSdk1());
      const { id } = await publish(holder, { endpoint: `${server.url}/mcp`, via: 'connect' });
      assert.equal(await isLive(id), true);
      // Gone without a word: no poll comes any more.
      await stop();
      mustOk(await holder.post(`/api/v1/hosted/${holder.keyId}/connection`, { wait: 0 }));
      assert.equal(await isLive(id), true);
      world.hub.clock.advance(26);
      await world.hub.runJob('hostedLost');
      assert.equal(await isLive(id), false);
      const { live, why } = await callsOf(holder);
      assert.equal(live, false);
      assert.match(String(why), /connection was lost/);
      const caller = await world.agent();
      await world.fund(caller, '5000');
      const body = { agentId: id, operation: 'convert', arguments: CONVERT, maxPrice: '2000' };
      const receipt = receiptOf(await call(caller, body));
      assert.deepEqual([receipt['outcome'], receipt['cost']], ['failed', '0']);
      assert.equal(await spendable(caller), 5_000n);
      mustOk(await holder.post(`/api/v1/hosted/${holder.keyId}/connection`, { wait: 0 }));
      assert.equal(await isLive(id), true);
    });

    it('ends when the agent says so', async () => {
      const { holder, server, stop } = await connected(world, await startMcpSdk1());
      const { id } = await publish(holder, { endpoint: `${server.url}/mcp`, via: 'connect' });
      await stop();
      assert.equal(await isLive(id), false);
      assert.match(String((await callsOf(holder))['why']), /closed/);
    });

    it('names why no call can come, until the listing is called through it', async () => {
      const { holder, server, stop } = await connected(world, await startMcpSdk1());
      const path = `/api/v1/hosted/${holder.keyId}/connection`;
      const note = async (): Promise<unknown> =>
        mustOk(await holder.post(path, { wait: 0 }))['note'];
      assert.match(String(await note()), /has no listing.*`via: connect`/);
      const endpoint = `${server.url}/mcp`;
      const { id } = await publish(holder, { endpoint, via: 'connect' });
      assert.equal(await note(), undefined);
      mustOk(await holder.post(`/api/v1/hosted/${holder.keyId}/delete`, { owner: holder.account }));
      assert.match(String(await note()), /has no listing/, `${String(id)} was taken down`);
      await stop();
    });

    it('names the endpoint of a listing that is called there', async () => {
      const dialled = await startMcpSdk1();
      const other = await place.openHostedFixture(await url(), [new URL(dialled.url).host]);
      const { holder, stop } = await connected(other, dialled);
      await other.fund(holder, `${FEE}`);
      const endpoint = `${dialled.url}/mcp`;
      await publish(holder, { endpoint });
      const path = `/api/v1/hosted/${holder.keyId}/connection`;
      const { note, calls } = mustOk(await holder.post(path, { wait: 0 }));
      assert.deepEqual(calls, []);
      assert.ok(String(note).includes(`is called at ${endpoint}, so no call comes here`));
      await publish(holder, { endpoint, via: 'connect' });
      assert.equal(mustOk(await holder.post(path, { wait: 0 }))['note'], undefined);
      await stop();
      await other.close();
    });

    it('is no listing without a connection, and costs nothing', async () => {
      const holder = await world.agent();
      await world.fund(holder, `${FEE}`);
      const body = { endpoint: 'http://127.0.0.1:9/mcp', via: 'connect' };
      mustRefuse(await tryPublish(holder, body), 400, 'endpoint-not-dialable');
      assert.equal(await spendable(holder), FEE);
    });

    it('is of a key that nothing takes from its account, and nothing to a revoked API key', async () => {
      const { holder, server, stop } = await connected(world, await startMcpSdk1());
      const { id } = await publish(holder, { endpoint: `${server.url}/mcp`, via: 'connect' });
      const { key, id: minted } = mustOk(
        await holder.post(`/api/v1/wallet/${holder.account}/api-keys`, {}),
      );
      const path = `/api/v1/hosted/${holder.keyId}/connection`;
      const withKey = async (to: string, body: Body): Promise<void> => {
        const request = new Request(new URL(to, world.hub.url), {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${String(key)}` },
          body: JSON.stringify(body),
        });
        mustRefuse(await world.anyone.send(request), 401, 'unsigned');
      };
      const other = await world.agent();
      mustOk(await other.get('/api/v1/me'));
      for (const isRevoked of [false, true]) {
        if (isRevoked) {
          const revoke = `/api/v1/wallet/${holder.account}/api-keys/${String(minted)}/revoke`;
          mustOk(await holder.post(revoke));
        }
        await withKey(path, { close: true });
        const offer = { endpoint: `${server.url}/mcp`, tools: [{ name: 'x', description: 'X.' }] };
        await withKey('/api/v1/hosted', { owner: holder.account, keyId: holder.keyId, ...offer });
        // Another account that wants the key, with the signatures of both.
        mustRefuse(await joinAccount(other, holder), 400, 'key-bound');
        assert.equal(await isLive(id), true);
      }
      await stop();
      assert.equal(await isLive(id), false);
    });

    it('is for the holder’s own key, and its letters are answered by it alone', async () => {
      const { holder, server, stop } = await connected(world, await startMcpSdk1());
      await publish(holder, { endpoint: `${server.url}/mcp`, via: 'connect' });
      await stop();
      const path = `/api/v1/hosted/${holder.keyId}/connection`;
      const thief = await world.agent();
      mustRefuse(await thief.post(path, { wait: 0 }), 400, 'key-not-bound');
      mustOk(await holder.post(path, { wait: 0 }));
      const asked = world.anyone.post(`/api/v1/hosted/${holder.keyId}/call`, {
        tool: 'list-currencies',
      });
      let letter = '';
      await until(async () => {
        const { calls } = mustOk(await holder.post(path, { wait: 0 }));
        letter = String(at(calls, 0, 'id') ?? '');
        return letter !== '';
      });
      const forged = { id: letter, status: 200, headers: {}, body: '{"stolen":true}' };
      const own = `/api/v1/hosted/${thief.keyId}/connection`;
      mustOk(await thief.post(own, { wait: 0, answers: [forged] }));
      mustOk(await holder.post(path, { wait: 0, answers: [{ id: letter, failed: 'no' }] }));
      const answer = mustOk(await asked);
      assert.equal(answer['outcome'], 'failed');
      assert.ok(!JSON.stringify(answer).includes('stolen'));
    });
  });
}

describe('hosted.connection of two processes on one PostgreSQL', function suite() {
  this.timeout(place.SUITE_MS_MAX);
  it('forwards calls at one to the agent that polls at the other', async () => {
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    const one = await openFixture({ databaseUrl });
    const base = { HUB_BASE_URL: one.hub.url };
    const two = await openFixture({ databaseUrl, clock: one.hub.clock, env: base });
    const { holder, server, stop } = await connected(one, await startMcpSdk2());
    const listed = await publish(holder, { endpoint: `${server.url}/mcp`, via: 'connect' });
    const port = two.hub.running.hub.settings.port;
    const caller = await two.agent();
    const path = `http://127.0.0.1:${port}/api/v1/hosted/${holder.keyId}/call`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const answer = await fetch(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ tool: 'list-currencies' }),
        });
        return ((await answer.json()) as Body)['outcome'];
      }),
    );
    assert.deepEqual(
      answers,
      Array.from({ length: 8 }, () => 'served'),
    );
    assert.match(String(listed['listedEndpoint']), new RegExp(`^${one.hub.url}/`));
    assert.ok(caller.keyId !== holder.keyId);
    await stop();
    await two.close();
    await one.close();
    await closeSites();
  });
});
