import assert from 'node:assert/strict';
import { overWire } from '../../harness/wire.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { MCP, mustFault, mustResult, request, send, toolCall, type Sending } from './_door.ts';

/** Streamable HTTP, revision 2025-06-18 "Transports": what is let in, and what each refusal is. */
const MESSAGE_BYTES_MAX = 4_194_304;
const PING = request(1, 'ping');

describe('the MCP door over HTTP', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const ping = (sending: Sending) => send(world, PING, sending);

  it('answers a request with one JSON object', async () => {
    const answer = await ping({});
    assert.deepEqual(answer.last, { jsonrpc: '2.0', id: 1, result: {} });
    assert.equal(answer.headers.get('content-type'), 'application/json');
    assert.equal(answer.headers.get('mcp-session-id'), null);
  });

  it('accepts notifications and responses with an empty 202', async () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'never' } },
      { jsonrpc: '2.0', method: 'notifications/nobody-knows', params: { x: 1 } },
      { jsonrpc: '2.0', id: 7, result: {} },
      { jsonrpc: '2.0', id: 7, error: { code: -1, message: 'no' } },
    ]) {
      const answer = await send(world, message);
      assert.deepEqual([answer.status, answer.text], [202, ''], JSON.stringify(message));
    }
  });

  it('offers no stream by GET and no session to DELETE: 405 with Allow', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH']) {
      const answer = await ping({ method });
      assert.equal(answer.status, 405, method);
      assert.equal(answer.headers.get('allow'), 'OPTIONS, POST');
      if (method !== 'HEAD') assert.equal(answer.last['code'], 'method-not-allowed');
    }
  });

  it('lets a browser client send the headers of the protocol and of a signature', async () => {
    const { status, headers } = await ping({ method: 'OPTIONS' });
    assert.equal(status, 204);
    const allowed = headers.get('access-control-allow-headers') ?? '';
    for (const name of ['mcp-protocol-version', 'signature', 'signature-input', 'content-digest']) {
      assert.ok(allowed.split(', ').includes(name), name);
    }
  });

  it('leaves a session id aside: there are none to have been', async () => {
    const answer = await ping({ headers: { 'mcp-session-id': 'never-was' } });
    assert.equal(answer.status, 200);
  });

  it('answers in a type that Accept lists, and 406 when it lists neither', async () => {
    const typeFor = async (accept: string): Promise<string> => {
      const answer = await ping({ headers: { accept } });
      return `${answer.status} ${answer.headers.get('content-type')}`;
    };
    const [json, events] = ['200 application/json', '200 text/event-stream'];
    assert.equal(await typeFor('application/json, text/event-stream'), json);
    assert.equal(await typeFor('application/json'), json);
    assert.equal(await typeFor('*/*'), json);
    assert.equal(await typeFor('text/html;q=0.9, Application/JSON ; q=0.8'), json);
    assert.equal(await typeFor('text/event-stream'), events);
    assert.equal(await typeFor('text/html'), '406 application/json');
    const streamed = await ping({ headers: { accept: 'text/event-stream' } });
    assert.deepEqual(streamed.messages, [{ jsonrpc: '2.0', id: 1, result: {} }]);
    const { host } = new URL(world.hub.url);
    const bare = await overWire(world.hub.url, {
      method: 'POST',
      target: MCP,
      headers: [
        ['Host', host],
        ['Content-Type', 'application/json'],
        ['Connection', 'close'],
      ],
      body: JSON.stringify(PING),
    });
    assert.equal(bare.status, 200, 'no Accept takes anything');
  });

  it('takes JSON by Content-Type alone: 415 for every other', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      assert.equal((await ping({ headers: { 'content-type': type } })).status, 200, type);
    }
    for (const type of ['text/plain', 'application/json-seq', 'multipart/form-data', '']) {
      mustFault(await ping({ headers: { 'content-type': type } }), 415, -32_600, null);
    }
  });

  it('takes the versions that mean the same here, and 400 for any other', async () => {
    for (const version of ['2025-03-26', '2025-06-18', '2025-11-25', '']) {
      const answer = await ping({ headers: { 'mcp-protocol-version': version } });
      assert.equal(answer.status, 200, version);
    }
    for (const version of ['2024-11-05', '2099-01-01', 'junk', '2025-06-18, 2025-06-18']) {
      const answer = await ping({ headers: { 'mcp-protocol-version': version } });
      const { supported } = mustFault(answer, 400, -32_600, 1);
      assert.ok((supported as readonly string[]).includes('2025-06-18'));
    }
  });

  it('refuses pages of other sites, and takes its own origin and the caller’s machine', async () => {
    const own = new URL(world.hub.url).origin;
    for (const origin of [own, 'http://localhost:6274', 'http://[::1]:1', 'https://127.0.0.1']) {
      assert.equal((await ping({ headers: { origin } })).status, 200, origin);
    }
    for (const origin of [
      'http://evil.example',
      'http://localhost.evil.example',
      'https://evil.example/http://localhost',
      'null',
    ]) {
      mustFault(await ping({ headers: { origin } }), 403, -32_600, null);
    }
  });

  it('refuses a body over the limit before it is read whole', async () => {
    const answer = await send(world, request('big', 'ping', { x: 'x'.repeat(MESSAGE_BYTES_MAX) }));
    const data = mustFault(answer, 400, -32_600, null);
    assert.equal(data['code'], 'body-too-large');
  });

  it('holds arguments to the body limit of the tool’s own operation', async () => {
    const { account } = world.alice;
    const args = { requester: account, title: 'x', description: 'y'.repeat(300_000) };
    const call = toolCall(1, 'publish-task', args);
    const answer = await send(world, call, { by: world.alice });
    const { structuredContent } = answer.last['result'] as { structuredContent: { code: string } };
    assert.equal(structuredContent.code, 'body-too-large');
  });

  const malformed: readonly (readonly [string, string, number, string | number | null])[] = [
    ['an empty body', '', -32_700, null],
    ['text that is not JSON', '{"jsonrpc":', -32_700, null],
    ['a byte-order mark', '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}', -32_700, null],
    ['a key twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32_700, null],
    [
      'an argument twice',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list-tasks","arguments":{"tag":"a","tag":"b"}}}',
      -32_700,
      null,
    ],
    ['nesting without end', '['.repeat(60_000), -32_700, null],
    ['U+0000', '{"jsonrpc":"2.0","id":1,"method":"\\u0000"}', -32_700, null],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600, null],
    ['an empty batch', '[]', -32_600, null],
    ['a string', '"ping"', -32_600, null],
    ['null', 'null', -32_600, null],
    ['no version of JSON-RPC', '{"id":1,"method":"ping"}', -32_600, 1],
    ['JSON-RPC 1.0', '{"jsonrpc":"1.0","id":"a","method":"ping"}', -32_600, 'a'],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32_600, 1],
    ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":1}', -32_600, 1],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600, null],
    ['an id that is a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32_600, null],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600, null],
    ['params by position', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32_602, 1],
    ['params that are text', '{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', -32_602, 1],
  ];
  for (const [what, body, code, id] of malformed) {
    it(`refuses ${what}: 400 and ${code}`, async () => {
      mustFault(await send(world, body), 400, code, id);
    });
  }

  it('says of a batch that it is one', async () => {
    const { error } = (await send(world, [PING])).last;
    assert.match(String((error as { readonly message?: string }).message), /batches/);
  });

  it('names no method of an object’s own: each is unknown', async () => {
    for (const method of ['nobody/knows', 'resources/list', 'toString', '__proto__', '', 'PING']) {
      mustFault(await send(world, request('m', method)), 200, -32_601, 'm');
    }
  });

  it('echoes ids as they came', async () => {
    for (const id of [0, -1, 9_007_199_254_740_991, '', 'ü"\\\n', '1']) {
      assert.deepEqual((await send(world, request(id, 'ping'))).last['id'], id);
    }
  });

  it('reads the exact bytes: text beyond ASCII arrives whole', async () => {
    const found = await send(world, toolCall(1, 'list-tasks', { tag: 'größe-漢字' }));
    assert.equal(mustResult(found)['count'], 0);
  });
});
