import assert from 'node:assert/strict';
import { generateKey, signer, signRequest } from '../../clients/typescript/sign.ts';
import { startA2aSdk03, startA2aSdk1 } from '../../clients/examples/agents/a2aSdk.ts';
import { startMcpOld, startMcpSdk1 } from '../../clients/examples/agents/mcpSdk1.ts';
import { startMcpSdk2 } from '../../clients/examples/agents/mcpSdk2.ts';
import { startPriced } from '../../clients/examples/agents/priced.ts';
import { closeSites, startSite, type Site } from '../../clients/examples/agents/site.ts';
import { exchange, plain } from '../harness/agents.ts';
import { at, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { listingCode } from '../../domain/registry/code.ts';
import { startAgent, type ScriptedAgent } from './_agent.ts';
import * as place from './_fixture.ts';
import { call, tryCall, list, receiptOf, spendable } from './_fixture.ts';

const PRICE = '400';
/** The limit of one attempt, with the start of everything around it. */
const SLOW_MS_MAX = 60_000;

describe('router.call, whatever the agent does', function suite() {
  this.timeout(SLOW_MS_MAX);
  let world: Fixture;
  let agent: ScriptedAgent;
  let agentId: string;
  let gone: Site;
  const sdk: Record<string, Site> = {};
  const odd: Readonly<Record<string, (reply: ScriptedReply) => void>> = {
    html: ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<h1>Welcome</h1>');
    },
    huge: ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('x'.repeat(3 * 1_048_576));
    },
    cut: ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '999' });
      response.write('{"jsonrpc":');
      response.destroy();
    },
    deep: ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const nest = 20_000;
      const inner = `${'['.repeat(nest)}${']'.repeat(nest)}`;
      response.end(`{"jsonrpc":"2.0","id":"call","result":{"structuredContent":${inner}}}`);
    },
    liar: (reply) => reply.send(200, { jsonrpc: '2.0', id: 'another', result: { content: [1] } }),
    paidInside: (reply) =>
      reply.result({ content: [{ type: 'text', text: '{"x402Version":1,"accepts":[]}' }] }),
    locked: (reply) => reply.send(401, { error: 'key' }),
    noPrice: (reply) => reply.send(402, { x402Version: 1, accepts: [] }),
    broken: (reply) => reply.send(500, { error: 'sorry' }),
    inward: ({ response }) => {
      response.writeHead(307, { location: 'http://169.254.169.254/latest' });
      response.end();
    },
    rpcError: (reply) => reply.error(-32_602, 'Wrong\u0007 arguments'),
  };
  type ScriptedReply = Parameters<Parameters<ScriptedAgent['tools']['set']>[1]>[1];

  before(async () => {
    agent = await startAgent({});
    for (const [tool, answer] of Object.entries(odd)) {
      agent.tools.set(tool, (_, reply) => answer(reply));
    }
    gone = await startSite(() => undefined);
    sdk['mcp1'] = await startMcpSdk1();
    sdk['mcp1-sessions'] = await startMcpSdk1({ sessions: true, json: false });
    sdk['mcp-old'] = await startMcpOld();
    sdk['mcp2'] = await startMcpSdk2();
    sdk['mcp2-modern'] = await startMcpSdk2({ modernOnly: true });
    sdk['a2a1'] = await startA2aSdk1();
    sdk['a2a03'] = await startA2aSdk03();
    sdk['priced'] = await startPriced({ amount: '2500' });
    const pairs = [agent.site, gone, ...Object.values(sdk)].map(({ pair }) => pair);
    world = await place.openRouterFixture('sqlite::memory:', pairs);
    await world.fund(world.alice, '900000');
    const holder = await world.agent();
    agentId = await list(world, agent, [...Object.keys(odd), 'hang'], { holder, price: PRICE });
  });
  after(async () => {
    await world.close();
    await closeSites();
  });

  const ends: readonly (readonly [string, string, RegExp])[] = [
    ['html', 'failed', /no JSON-RPC reply/],
    ['huge', 'failed', /./],
    ['cut', 'unknown', /had been sent.*nothing was charged/],
    ['deep', 'failed', /deeper/],
    ['liar', 'failed', /no JSON-RPC reply/],
    ['locked', 'failed', /needs a key/],
    ['noPrice', 'priced', /named no price/],
    ['broken', 'failed', /500/],
    ['inward', 'failed', /not go|not public|refused/],
    ['rpcError', 'failed', /-32602: Wrong arguments/],
  ];
  for (const [tool, outcome, why] of ends) {
    it(`${tool} ends as ${outcome} and costs nothing`, async () => {
      // An earlier case may have closed the address for a while.
      world.hub.clock.advance(3_600);
      const before = await spendable(world.alice);
      const answer = await call(world.alice, { agentId, operation: tool, maxPrice: PRICE });
      const receipt = receiptOf(answer);
      assert.deepEqual(
        [receipt['outcome'], receipt['cost']],
        [outcome, '0'],
        String(receipt['why']),
      );
      assert.match(String(receipt['why']), why);
      assert.ok(!('result' in answer));
      assert.equal(await spendable(world.alice), before);
    });
  }

  it('takes an `accepts` inside a result for data, and is charged', async () => {
    world.hub.clock.advance(3_600);
    const answer = await call(world.alice, { agentId, operation: 'paidInside', maxPrice: PRICE });
    assert.deepEqual(
      [receiptOf(answer)['outcome'], receiptOf(answer)['cost']],
      ['served', PRICE],
      String(receiptOf(answer)['why']),
    );
  });

  it('gives up after 20 s, and the end is unknown', async () => {
    world.hub.clock.advance(3_600);
    agent.tools.set('hang', () => new Promise(() => undefined));
    const answer = await call(world.alice, { agentId, operation: 'hang', maxPrice: PRICE });
    const receipt = receiptOf(answer);
    assert.deepEqual([receipt['outcome'], receipt['cost']], ['unknown', '0']);
    assert.equal(at(answer, 'next', 0, 'action'), 'router.receipts');
  });

  it('says that no server is there, which is no unknown', async () => {
    const id = await list(world, { endpoint: `${gone.url}/mcp` }, ['any']);
    await gone.close();
    const receipt = receiptOf(await call(world.alice, { agentId: id, operation: 'any' }));
    assert.equal(receipt['outcome'], 'failed', String(receipt['why']));
  });

  it('speaks every revision of MCP', async () => {
    for (const [name, path, version, transport] of [
      ['mcp1', '/mcp', '2025-06-18', 'streamable-http'],
      ['mcp1-sessions', '/mcp', '2025-11-25', 'streamable-http'],
      ['mcp-old', '/sse', '2024-11-05', 'sse'],
      ['mcp2', '/mcp', '2026-07-28', 'streamable-http'],
      ['mcp2-modern', '/mcp', '2026-07-28', 'streamable-http'],
    ] as const) {
      const site = sdk[name] ?? assert.fail(name);
      const listing = { protocolVersion: version, transport };
      const id = await list(world, { endpoint: site.url + path }, ['convert'], { listing });
      const args = { amount: 5, from: 'EUR', to: 'USD' };
      const answer = await call(world.alice, {
        agentId: id,
        operation: 'convert',
        arguments: args,
      });
      assert.equal(
        receiptOf(answer)['outcome'],
        'served',
        `${name} ${String(receiptOf(answer)['why'])}`,
      );
      const text = String(at(answer, 'result', 'content', 0, 'text'));
      assert.deepEqual(JSON.parse(text), { name: 'convert', args });
      assert.match(String(receiptOf(answer)['responseHash']), /^[0-9a-f]{64}$/);
    }
  });

  it('speaks A2A 1.0 and 0.3, by skill and by method', async () => {
    for (const [name, version, sent] of [
      ['a2a1', '1.0', 'SendMessage'],
      ['a2a03', '0.3.0', 'message/send'],
    ] as const) {
      const site = sdk[name] ?? assert.fail(name);
      const endpoint = `${site.url}/a2a`;
      const id = listingCode('a2a', site.url);
      const kind = { id, kind: 'a2a' as const, transport: 'JSONRPC', protocolVersion: version };
      await list(world, { endpoint }, ['Translate'], { skill: { id: 'translate' }, listing: kind });
      // By its name, as lists show it, and by the id that alone means something to the agent.
      for (const operation of ['Translate', 'translate']) {
        const body = { agentId: id, operation, arguments: { text: 'Guten Tag' } };
        const answer = await call(world.alice, body);
        assert.equal(receiptOf(answer)['outcome'], 'served', String(receiptOf(answer)['why']));
        assert.match(JSON.stringify(answer['result']), /Guten Tag/);
        assert.match(site.bodies.at(-1) ?? '', new RegExp(`"method":"${sent}"`));
        assert.match(site.bodies.at(-1) ?? '', /"skillId":"translate"/);
      }
      const unknown = { agentId: id, operation: 'tasks/get', arguments: { id: 'none' } };
      const missing = receiptOf(await call(world.alice, unknown));
      assert.equal(missing['outcome'], 'failed');
      assert.match(String(missing['why']), /-32001/);
      const asked = site.bodies.length;
      for (const operation of ['SendStreamingMessage', 'message/stream', 'SubscribeToTask']) {
        const refused = await tryCall(world.alice, { agentId: id, operation, maxPrice: '9' });
        const { field, allowed } = mustRefuse(refused, 400, 'bad-request');
        assert.equal(field, 'body.operation');
        assert.ok((allowed as readonly string[]).includes(sent), operation);
      }
      assert.equal(site.bodies.length, asked, 'nothing was sent as a message');
      await call(world.alice, { agentId: id, operation: 'GetExtendedAgentCard' });
      assert.match(site.bodies.at(-1) ?? '', /"method":"(GetExtended|agent\/getAuthenticatedExt)/);
      // Every agent that speaks A2A has a method, so none has to be named.
      const message = { messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'Servus' }] };
      const unnamed = { operation: 'message/send', arguments: { message }, tryAtMost: 1 };
      const found = await call(world.alice, unnamed);
      assert.notEqual(receiptOf(found)['outcome'], 'none-suitable');
      assert.equal(at(found, 'considered', 0, 'decision'), 'tried');
    }
  });

  it('reports real quotes as prices, in every form they come in', async () => {
    const site = sdk['priced'] ?? assert.fail('priced');
    const holder = await world.agent();
    const tools = ['as-result', 'as-text', 'as-error', 'as-402'];
    const id = await list(world, { endpoint: `${site.url}/mcp` }, tools, { holder });
    for (const operation of tools) {
      const answer = await call(world.alice, { agentId: id, operation, maxPrice: '9000' });
      const receipt = receiptOf(answer);
      assert.deepEqual([receipt['outcome'], receipt['quotedPrice']], ['priced', '2500'], operation);
      assert.match(String(receipt['why']), /money on base/, 'test money pays no real quote');
      assert.equal(at(receipt, 'refused', 0, 'price', 'network'), 'base');
    }
  });

  it('refuses a payment at the door in the x402 shape, and makes no call', async () => {
    const seen = agent.calls.length;
    const key = await generateKey();
    world.hub.clock.advance(3_600);
    const body = { caller: key.account, agentId, operation: 'html', maxPrice: PRICE };
    const request = plain(world.hub, 'POST', '/api/v1/call', body);
    request.headers.set('x-payment', 'e30=');
    const signed = await signRequest(request, signer(key), world.hub.clock.now());
    const refused = mustRefuse(await exchange(signed), 402, 'payment-refused');
    assert.deepEqual([refused['x402Version'], refused['accepts']], [1, []]);
    assert.equal(agent.calls.length, seen);
  });
});
