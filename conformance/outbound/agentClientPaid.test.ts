import assert from 'node:assert/strict';
import { openAgentClient, type AgentClient } from '../../workflows/kernel/outbound/agentClient.ts';
import type { AgentResponse } from '../../workflows/kernel/outbound/response.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import { startA2aSdk03, startA2aSdk1 } from '../../clients/examples/agents/a2aSdk.ts';
import { startEverything, type Everything } from '../../clients/examples/agents/everything.ts';
import { PAY_TO, startPriced } from '../../clients/examples/agents/priced.ts';
import {
  closeSites,
  sendJson,
  startSite,
  type Serve,
  type Site,
} from '../../clients/examples/agents/site.ts';
import { closeWorld, guard } from './_fixture.ts';

const speakWith = (...pairs: readonly string[]): AgentClient =>
  openAgentClient(guard({ opened: pairs }), systemClock);

describe('speak: agents of others', () => {
  afterEach(async () => {
    await closeWorld();
    await closeSites();
  });

  for (const [protocolVersion, start] of [
    ['1.0', startA2aSdk1],
    ['0.3.0', startA2aSdk03],
  ] as const) {
    it(`sends messages to an A2A agent of the ${protocolVersion} SDK`, async () => {
      const site = await start();
      const door = { endpoint: `${site.url}/a2a`, protocolVersion };
      const agents = speakWith(site.pair);
      const message = { messageId: 'm1', text: 'hello', data: { n: 1 } };
      const response = await agents.sendMessage(door, message);
      assert.ok(response.kind === 'result', JSON.stringify(response));
      assert.match(JSON.stringify(response.result), /hello/);
      for (const method of ['GetTask', 'tasks/get']) {
        const absent = await agents.callMethod(door, method, { id: 'none' });
        assert.ok(absent.kind === 'refused', JSON.stringify(absent));
        assert.equal(absent.rpcCode, -32_001);
      }
    });
  }

  it('reads a price in every form of the field', async () => {
    const site = await startPriced({ amount: '1234' });
    const agents = speakWith(site.pair);
    const door = { endpoint: `${site.url}/mcp` };
    for (const name of ['as-result', 'as-text', 'as-error', 'as-402']) {
      const response = await agents.callTool(door, name, {});
      assert.ok(response.kind === 'quote', `${name} is ${response.kind}`);
      const { amount, network, payTo } = response.quote?.price ?? {};
      assert.deepEqual([String(amount), network, payTo], ['1234', 'base', PAY_TO], name);
    }
    assert.equal((await agents.callTool(door, 'free', {})).kind, 'result');
  });
});

/** Answers of untrusted agents outside the protocol, and the hub's outcome for each. */
describe('speak: answers outside the protocol', () => {
  afterEach(async () => {
    await closeWorld();
    await closeSites();
  });
  const html: Serve = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<h1>hello</h1>');
  };
  const status =
    (code: number, headers: Readonly<Record<string, string>> = {}): Serve =>
    (_, response) =>
      sendJson(response, code, { message: 'no' }, headers);
  const result =
    (value: unknown): Serve =>
    ({ body }, response) => {
      const { id } = JSON.parse(body) as { id: unknown };
      sendJson(response, 200, { jsonrpc: '2.0', id, result: value });
    };
  const raw =
    (type: string, text: string): Serve =>
    (_, response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(text);
    };
  const foreign =
    (body: unknown): Serve =>
    (_, response) =>
      sendJson(response, 200, body);
  const CASES: readonly (readonly [string, Serve, string])[] = [
    ['a page', html, 'failed malformed'],
    ['404', status(404), 'refused'],
    ['405', status(405), 'refused'],
    ['401', status(401), 'key-needed'],
    [
      '401 of OAuth',
      status(401, { 'www-authenticate': 'Bearer resource_metadata="https://a.example/x"' }),
      'key-needed oauth2',
    ],
    ['403 with basic', status(403, { 'www-authenticate': 'Basic realm="a"' }), 'key-needed basic'],
    ['402 without a price', status(402), 'quote'],
    [
      'an error of an API that is no JSON-RPC',
      foreign({ error: { type: 'insufficient_quota' } }),
      'failed malformed',
    ],
    [
      'an error with a message and a code in words',
      foreign({ error: { message: 'no', code: 'quota' } }),
      'failed malformed',
    ],
    [
      'an error with a number, without a version',
      foreign({ error: { message: 'no', code: 402 } }),
      'failed malformed',
    ],
    [
      'an error of JSON-RPC without an id',
      foreign({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'no' } }),
      'refused',
    ],
    ['429', status(429), 'failed server-error'],
    ['500', status(500), 'failed server-error'],
    ['no version', result({}), 'failed malformed'],
    ['null', result(null), 'failed malformed'],
    ['an empty body', raw('application/json', ''), 'failed malformed'],
    ['half of JSON', raw('application/json', '{"jsonrpc":"2.0","id":"ini'), 'failed malformed'],
    ['an empty stream', raw('text/event-stream', ''), 'failed malformed'],
    [
      'a stream of noise',
      raw('text/event-stream', ':\n\ndata: x\n\nid: 7\n\n'),
      'failed malformed',
    ],
    ['binary', raw('application/octet-stream', '\u0000\u0001'), 'failed malformed'],
    ['an empty batch', raw('application/json', '[]'), 'failed malformed'],
    [
      'a batch with the reply',
      ({ body }, response) => {
        const { id } = JSON.parse(body) as { id: unknown };
        const note = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
        const error = { code: -32_603, message: 'broken' };
        sendJson(response, 200, [note, { jsonrpc: '2.0', id, error }]);
      },
      'refused',
    ],
  ];
  const shown = (response: AgentResponse): string =>
    response.kind === 'failed'
      ? `failed ${response.reason}`
      : response.kind === 'key-needed'
        ? ['key-needed', ...response.schemes].join(' ')
        : response.kind;

  for (const [title, serve, expected] of CASES) {
    it(`${title}: ${expected}`, async () => {
      const site = await startSite(serve);
      const agents = speakWith(site.pair);
      const response = await agents.callTool({ endpoint: site.url }, 'any', {});
      assert.equal(shown(response), expected, JSON.stringify(response));
    });
  }

  it('reads a reply behind notifications, in pieces, in lines of every ending', async () => {
    const site: Site = await startSite(async ({ body }, response) => {
      const { id, method } = JSON.parse(body) as { id?: unknown; method: string };
      const inner =
        method === 'initialize'
          ? { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: {} }
          : { content: [{ type: 'text', text: 'größe' }] };
      const reply = JSON.stringify({ jsonrpc: '2.0', id, result: inner });
      const cutAt = reply.indexOf('"result"');
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      const stream = Buffer.from(
        `: hi\r\n\r\nevent: message\rdata: {"method":"x"}\r\rid: 4\ndata: ${reply.slice(0, cutAt)}\n` +
          `data: ${reply.slice(cutAt)}\n\ndata: never read\n\n`,
      );
      for (const byte of stream) {
        response.write(Uint8Array.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const agents = speakWith(site.pair);
    const response = await agents.callTool({ endpoint: site.url }, 'any', {});
    assert.match(JSON.stringify(response.kind === 'result' && response.result), /größe/);
  });
});

describe('speak: the reference server', function everything() {
  this.timeout(60_000);
  let server: Everything;
  before(async () => {
    server = await startEverything();
  });
  after(async () => {
    await server.close();
    await closeWorld();
  });

  it('is opened, listed and called', async () => {
    const agents = speakWith(server.pair);
    const response = await agents.callTool(server, 'echo', { message: 'ünï' });
    assert.match(JSON.stringify(response.kind === 'result' && response.result), /ünï/);
  });
});
