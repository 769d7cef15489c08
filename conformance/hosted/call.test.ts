import assert from 'node:assert/strict';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { DATABASES } from '../harness/databases.ts';
import { startMcpSdk1 } from '../../clients/examples/agents/mcpSdk1.ts';
import { startMcpSdk2 } from '../../clients/examples/agents/mcpSdk2.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { newSigning, type Signing } from '../doors/mcp/_clients.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { settle, until } from '../harness/waiting.ts';
import { echo, startAgent, text, type ScriptedAgent } from '../router/_agent.ts';
import { spendable } from '../router/_fixture.ts';
import * as place from './_world.ts';
import { callsOf, CONVERT, newHolder, publish, type Body } from './_world.ts';

type Called = Awaited<ReturnType<Client['callTool']>>;

for (const [database, url] of DATABASES) {
  describe(`hosted.call and the agent's own MCP address (${database})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let world: Fixture;
    let holder: Agent;
    let address = '';
    let scripted: ScriptedAgent;
    let rude: Agent;
    before(async () => {
      const [one, two] = [await startMcpSdk1({ sessions: true }), await startMcpSdk2()];
      scripted = await startAgent({ job: echo });
      const pairs = [one, two, scripted.site].map(({ pair }) => pair);
      world = await place.openHostedFixture(await url(), pairs);
      holder = await newHolder(world);
      address = String((await publish(holder, { endpoint: `${one.url}/mcp` }))['listedEndpoint']);
      rude = await newHolder(world);
    });
    after(async () => {
      await world.close();
      await closeSites();
    });

    const connect = async (
      fetch?: Signing['fetch'],
      mode: 'legacy' | 'auto' = 'auto',
      to = address,
    ): Promise<Client> => {
      const client = new Client({ name: 't', version: '1' }, { versionNegotiation: { mode } });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(to), { ...(fetch && { fetch }) }),
      );
      return client;
    };
    const textOf = ({ content }: Pick<Called, 'content'>): string => {
      const [piece] = content as readonly Body[];
      return String(piece?.['text']);
    };

    for (const mode of ['legacy', 'auto'] as const) {
      it(`serves a free tool to an ordinary client without ceremony (v2, ${mode})`, async () => {
        const client = await connect(undefined, mode);
        const { tools } = await client.listTools();
        assert.deepEqual(
          tools.map(({ name }) => name),
          ['list-currencies', 'convert'],
        );
        assert.deepEqual(at(tools[1], '_meta', 'hub/price'), {
          priceAtomic: '2000',
          asset: 'USDC',
          network: 'sandbox',
        });
        const served = await client.callTool({ name: 'list-currencies', arguments: {} });
        assert.equal(textOf(served), 'EUR USD JPY');
        await client.close();
      });
    }

    it('serves the client of the first SDK, too', async () => {
      const client = new ClientV1({ name: 't', version: '1' });
      await client.connect(new TransportV1(new URL(address)));
      const served = await client.callTool({ name: 'list-currencies', arguments: {} });
      assert.equal(textOf(served as Called), 'EUR USD JPY');
      await client.close();
    });

    it('answers an unsigned call of a paid tool with its price', async () => {
      const client = await connect();
      const quoted = await client.callTool({ name: 'convert', arguments: CONVERT });
      assert.equal(quoted.isError, true);
      const { x402Version, code, error } = quoted.structuredContent as Body;
      assert.deepEqual([x402Version, code], [1, 'payment-required']);
      assert.match(String(error), /costs 2000 atomic USDC/);
      await client.close();
      const path = `/api/v1/hosted/${holder.keyId}/call`;
      const answer = await world.anyone.post(path, { tool: 'convert', arguments: CONVERT });
      const refusal = mustRefuse(answer, 402, 'payment-required');
      // Nothing settles payments on this network; conformance/x402/hosted.test.ts has a rail.
      assert.deepEqual(refusal['accepts'], []);
      assert.equal(answer.headers.get('payment-required'), null);
    });

    it('is paid by a signed call of an ordinary client, to the unit, with a receipt', async () => {
      const signing = await newSigning(world);
      await world.fund(signing.agent, '10000');
      const before = await spendable(holder);
      for (const mode of ['legacy', 'auto'] as const) {
        const client = await connect(signing.fetch, mode);
        const served = await client.callTool({ name: 'convert', arguments: CONVERT });
        assert.deepEqual(JSON.parse(textOf(served)), { name: 'convert', args: CONVERT });
        const receipt = at(served, '_meta', 'hub/receipt') as Body;
        const { caller, cost, paidTo, outcome } = receipt;
        assert.deepEqual(
          { caller, cost, paidTo, outcome },
          {
            caller: signing.agent.account,
            cost: '2000',
            paidTo: holder.account,
            outcome: 'served',
          },
        );
        const mine = mustOk(await signing.agent.get('/api/v1/call/receipts'));
        assert.equal(at(mine, 'receipts', 0, 'id'), receipt['id']);
        await client.close();
      }
      assert.equal(await spendable(signing.agent), 6_000n);
      assert.equal((await spendable(holder)) - before, 4_000n);
    });

    it('costs nothing above the limit that the caller names, and without money', async () => {
      const signing = await newSigning(world);
      const client = await connect(signing.fetch);
      const short = await client.callTool({ name: 'convert', arguments: CONVERT });
      assert.deepEqual(
        [short.isError, at(short.structuredContent, 'code')],
        [true, 'insufficient-funds'],
      );
      await world.fund(signing.agent, '5000');
      const _meta = { 'hub/max-price': '1999' };
      const dear = await client.callTool({ name: 'convert', arguments: CONVERT, _meta });
      assert.equal(at(dear.structuredContent, 'receipt', 'outcome'), 'priced');
      assert.equal(await spendable(signing.agent), 5_000n);
      await client.close();
    });

    it('refuses a broken signature with 401 and the challenge', async () => {
      const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'convert' } };
      const request = await holder.signed('POST', new URL(address).pathname, body);
      const forged = new Request(request, { body: JSON.stringify({ ...body, id: 8 }) });
      const answer = await holder.send(forged);
      assert.equal(answer.status, 401);
      assert.deepEqual([answer.body['id'], at(answer.body, 'error', 'code')], [8, -32_060]);
    });

    it('shows every call to the holder alone, without content', async () => {
      const page = await callsOf(holder, '?limit=2');
      const { live, totals, count, calls, next } = page;
      assert.deepEqual([live, count], [true, 2]);
      assert.equal(at(totals, 'earned'), '4000');
      assert.ok(Number(at(totals, 'served')) >= 5);
      const [last] = calls as readonly Body[];
      assert.ok(!JSON.stringify(page).includes('12.5'), 'no content');
      assert.equal(typeof last?.['durationMs'], 'number');
      const older = await callsOf(holder, `?limit=200&after=${String(next)}`);
      const all = [...(calls as readonly Body[]), ...(older['calls'] as readonly Body[])];
      const paid = all.find(({ tool }) => tool === 'convert');
      assert.deepEqual([paid?.['price'], paid?.['outcome']], ['2000', 'served']);
      assert.match(String(paid?.['caller']), /^key:/);
      const stranger = await world.agent();
      mustOk(await stranger.get('/api/v1/me'));
      const path = `/api/v1/hosted/${holder.keyId}/calls`;
      mustRefuse(await stranger.get(path), 400, 'key-not-bound');
    });

    describe('a hostile endpoint', () => {
      const path = (): string => `/api/v1/hosted/${rude.keyId}/call`;
      const visit = async (tool: string): Promise<Body> =>
        mustOk(await world.anyone.post(path(), { tool, arguments: { secret: 1 } }));
      before(async () => {
        const tools = ['job', 'html', 'huge', 'away', 'cut', 'asks'];
        for (const name of tools) scripted.tools.set(name, echo);
        const offered = tools.map((name) => ({ name, description: `Does ${name}.` }));
        scripted.offer(offered);
        await publish(rude, { endpoint: scripted.endpoint, tools: offered });
      });

      it('is sent nothing of the caller’s request but tool and arguments', async () => {
        scripted.calls.length = 0;
        const headers = { authorization: 'Bearer mine', cookie: 'a=b', 'x-secret': 'yes' };
        const request = new Request(new URL(path(), world.hub.url), {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ tool: 'job', arguments: { a: 1 } }),
        });
        mustOk(await world.anyone.send(request));
        const [seen] = scripted.calls;
        assert.deepEqual(seen?.args, { a: 1 });
        assert.equal(seen?.headers['hub-hosted'], rude.keyId);
        for (const name of [...Object.keys(headers), 'signature', 'signature-input']) {
          assert.equal(seen?.headers[name], undefined, name);
        }
      });

      it('gets nothing into the answer that acts under the hub’s origin', async () => {
        scripted.tools.set('job', (_, reply) => {
          reply.response.setHeader('set-cookie', 'hub=stolen');
          reply.response.setHeader('location', 'https://evil.example');
          reply.result({
            content: [
              { type: 'text', text: 'fine', _meta: { ui: 1 } },
              { type: 'resource', resource: { uri: 'ui://page', text: '<script>' } },
              { type: 'resource_link', uri: 'javascript:alert(1)', name: 'x' },
              { type: 'weird' },
            ],
            _meta: { 'hub/receipt': { cost: '0' }, 'x402/payment-response': { success: true } },
            other: 1,
          });
        });
        const answer = await world.anyone.post(path(), { tool: 'job' });
        const { result } = mustOk(answer);
        assert.deepEqual(result, { content: [{ type: 'text', text: 'fine' }] });
        assert.equal(answer.headers.get('set-cookie'), null);
        assert.equal(answer.headers.get('location'), null);
      });

      const ways: readonly (readonly [
        string,
        string,
        Parameters<ScriptedAgent['tools']['set']>[1],
      ])[] = [
        [
          'speaks HTML',
          'html',
          (_, { response }) => {
            response.writeHead(200, { 'content-type': 'text/html' });
            response.end('<h1>Hello</h1>');
          },
        ],
        [
          'never ends',
          'huge',
          (_, { response }) => {
            response.writeHead(200, { 'content-type': 'text/event-stream' });
            const more = (): void => {
              while (response.writable && response.write(`: ${'x'.repeat(60_000)}\n\n`));
            };
            response.on('drain', more);
            more();
          },
        ],
        ['is huge', 'huge', (_, reply) => reply.result(text('x'.repeat(2_000_000)))],
        [
          'redirects',
          'away',
          (_, { response }) => {
            response.writeHead(307, { location: 'http://127.0.0.1:1/' });
            response.end();
          },
        ],
        ['cuts the line', 'cut', (_, { response }) => void response.socket?.destroy()],
        [
          'asks for money itself',
          'asks',
          (_, reply) => reply.send(402, { x402Version: 1, accepts: [] }),
        ],
      ];
      for (const [name, tool, behave] of ways) {
        it(`fails its own call alone when it ${name}, and names no host`, async () => {
          scripted.tools.set(tool, behave);
          const { outcome, why, result } = await visit(tool);
          assert.deepEqual([outcome, result], ['failed', undefined]);
          assert.ok(!String(why).includes('127.0.0.1'), String(why));
          assert.equal((await visit('job'))['outcome'], 'served');
        });
      }

      it('holds at most 16 calls that are never answered, and the next are refused', async () => {
        scripted.calls.length = 0;
        scripted.tools.set('cut', () => undefined);
        const gone = new AbortController();
        const open = Array.from({ length: 16 }, () =>
          fetch(new URL(path(), world.hub.url), {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ tool: 'cut' }),
            signal: gone.signal,
          }).catch(() => undefined),
        );
        // As many as one host is called with have arrived, and the others wait in the hub.
        await until(() => scripted.calls.filter(({ name }) => name === 'cut').length >= 6);
        await settle();
        const { outcome, why } = await visit('job');
        assert.equal(outcome, 'refused');
        assert.match(String(why), /16 calls under way|not connected|too many/);
        gone.abort();
        await Promise.all(open);
        // Callers that leave take their calls back, so the places are free at once.
        await until(async () => (await visit('job'))['outcome'] === 'served');
        await scripted.site.close();
      });
    });

    it('refuses a request that was forwarded already', async () => {
      const request = new Request(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'hub-hosted': holder.keyId },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'list-currencies' },
        }),
      });
      const answer = await world.anyone.send(request);
      assert.equal(answer.status, 400);
      assert.match(String(at(answer.body, 'error', 'message')), /cannot stand in front/);
    });

    it('says what it does not have', async () => {
      const path = `/api/v1/hosted/${holder.keyId}/call`;
      mustRefuse(await world.anyone.post(path, { tool: 'nothing' }), 404, 'not-found');
      const stranger = await world.agent();
      const none = `/api/v1/hosted/${stranger.keyId}/call`;
      mustRefuse(await world.anyone.post(none, { tool: 'x' }), 404, 'not-found');
    });
  });
}
