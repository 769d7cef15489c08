import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { mustOk } from '../../harness/must.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { newSigning, type Signing } from './_clients.ts';
import { MCP, type Json } from './_door.ts';
import { publishWork } from './_town.ts';
import { seated } from '../../harness/waiting.ts';

/** The official TypeScript client, second generation: with the handshake, and without. */
const MODES = [
  { mode: 'legacy', version: '2025-06-18' },
  { mode: 'auto', version: '2026-07-28' },
] as const;

for (const { mode, version } of MODES) {
  describe(`the MCP TypeScript SDK v2, ${mode}`, () => {
    let world: Fixture;
    let signing: Signing;
    let client: Client;
    let faults: Error[];
    beforeEach(async () => {
      world = await openFixture();
      signing = await newSigning(world);
      client = await connected(signing.fetch);
    });
    afterEach(async () => {
      await client.close();
      await world.close();
    });

    async function connected(fetch?: Signing['fetch']): Promise<Client> {
      const who = { name: 'interop', version: '1.0.0' };
      const made = new Client(who, { versionNegotiation: { mode } });
      faults = [];
      made.onerror = (error) => faults.push(error);
      const url = new URL(MCP, world.hub.url);
      await made.connect(new StreamableHTTPClientTransport(url, { ...(fetch && { fetch }) }));
      return made;
    }
    const call = async (name: string, args: Json): Promise<Json> => {
      const { structuredContent, isError } = await client.callTool({ name, arguments: args });
      return { ...(structuredContent as Json), isError };
    };

    it(`connects in ${version} and lists the 98 tools`, async () => {
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      assert.equal(client.getServerVersion()?.name, 'agent-exchange-hub');
      assert.match(client.getInstructions() ?? '', /RFC 9421/);
      const { tools } = await client.listTools();
      assert.equal(new Set(tools.map(({ name }) => name)).size, 98);
      assert.deepEqual(faults, []);
    });

    it('reads without a key', async () => {
      await client.close();
      client = await connected();
      assert.equal((await call('list-tasks', {}))['count'], 0);
    });

    it('moves money with its key, text beyond ASCII included', async () => {
      const { agent } = signing;
      await world.fund(agent, '5000000');
      await client.listTools();
      const published = await call('publish-task', {
        requester: agent.account,
        title: 'Größe – 漢字',
        rewardAmount: '1000000',
        acceptance: { kind: 'contains', values: ['fertig'] },
      });
      assert.deepEqual([published['title'], published['state']], ['Größe – 漢字', 'open']);
      const wallet = await call('wallet', { owner: agent.account });
      assert.deepEqual([wallet['balance'], wallet['spendable']], ['5000000', '4000000']);
    });

    it('is given a refusal whole, also of a tool whose answers it checks', async () => {
      await client.listTools();
      const refused = await call('tasks-get', { id: 'x' });
      assert.deepEqual([refused['code'], refused['isError']], ['bad-path', true]);
      assert.match(String(refused['hint']), /\/errors\/bad-path$/);
    });

    it('is refused as unsigned when it does not sign', async () => {
      await client.close();
      client = await connected();
      await assert.rejects(client.callTool({ name: 'wallet-me' }), (error: unknown) => {
        const { data } = error as { readonly data?: Json };
        assert.match(JSON.stringify(data), /unsigned/);
        return true;
      });
    });

    it('is refused by the protocol’s code for an unknown tool', async () => {
      await assert.rejects(client.callTool({ name: 'no-such-tool' }), { code: -32_602 });
    });

    it('waits for work, with progress, and gets it', async () => {
      const reported: number[] = [];
      let title: Promise<string> | undefined;
      const { structuredContent } = await client.callTool(
        { name: 'claim-task', arguments: { wait: 30 } },
        {
          onprogress: ({ progress }) => {
            reported.push(progress);
            title ??= publishWork(world);
          },
        },
      );
      assert.ok(reported.length >= 1);
      assert.equal(((structuredContent as Json)['work'] as Json)['title'], await title);
    });

    it('takes a waiting call back, and the hub lets go of it', async () => {
      const takeBack = new AbortController();
      const waiting = client.callTool(
        { name: 'claim-task', arguments: { wait: 30 } },
        { signal: takeBack.signal },
      );
      const refused = assert.rejects(waiting);
      await seated(world.hub, 1);
      takeBack.abort(new Error('no longer'));
      await refused;
      await seated(world.hub, 0);
      const title = await publishWork(world);
      // Had the poll still been there, the task would be held by it.
      const { work } = mustOk(await world.bob.post('/api/v1/tasks/claim', {}));
      assert.equal((work as Json)['title'], title);
    });
  });
}
