import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startHub, type TestHub } from '../../../conformance/harness/hub.ts';
import { handlers } from '../../../handlers/index.ts';
import { createApp } from '../../http/app.ts';
import { refuse, type RefusalDetail } from '../../../workflows/kernel/errors.ts';
import type { Handler, Handlers } from '../../../workflows/kernel/handler.ts';
import { openIdentities } from '../../http/identity.ts';

/** Tools whose operation streams, asks for a price or has a bug, with handlers of the test. */
type Json = Readonly<Record<string, unknown>>;

const PRICE: RefusalDetail & Json = {
  x402Version: 1,
  accepts: [
    {
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '5000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      resource: 'http://hub.example/api/v1/models/chat',
      description: 'A model call',
      maxTimeoutSeconds: 60,
    },
  ],
};

describe('a tool whose operation streams or has a price', () => {
  let hub: TestHub;
  let server: Server;
  let chat: Handler<'models.chat'>;
  before(async () => {
    hub = await startHub({ env: { HUB_CHECK_ANSWERS: 'false' } });
    const made: Handlers = { ...handlers, 'models.chat': (call, at) => chat(call, at) };
    const { store, clock } = hub.running.hub;
    const identities = openIdentities(store, clock, { origins: [], allowTestKey: false });
    const app = createApp({ hub: hub.running.hub, handlers: made, identities });
    const answer = app.callback();
    server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    await new Promise((resolve) => server.close(resolve));
    await hub.close();
  });

  async function call(meta: Json = {}, headers: Readonly<Record<string, string>> = {}) {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'models-chat',
          arguments: { model: 'hub/x', messages: [{ role: 'user', content: 'hi' }], stream: true },
          _meta: meta,
        },
      }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type');
    const texts =
      type === 'text/event-stream'
        ? [...text.matchAll(/^data: (.*)$/gm)].map(([, t]) => t)
        : [text];
    const messages = texts.map((each) => JSON.parse(each ?? '') as Json);
    return { status: response.status, type, messages, result: messages.at(-1)?.['result'] as Json };
  }

  const delta = (content: string) => ({
    event: 'delta' as const,
    data: JSON.stringify({ content }),
  });
  const streaming =
    (items: () => AsyncGenerator<ReturnType<typeof delta>>): Handler<'models.chat'> =>
    () =>
      Promise.resolve({ status: 200, type: 'text/event-stream', body: items() });
  const three = async function* () {
    for (const content of ['a', 'b', 'c']) yield await Promise.resolve(delta(content));
  };

  it('sends every event as progress, then all of them as the result', async () => {
    chat = streaming(three);
    const { type, messages, result } = await call({ progressToken: 't' });
    assert.equal(type, 'text/event-stream');
    const reported = messages.slice(0, -1).map(({ method, params }) => {
      assert.equal(method, 'notifications/progress');
      const { progress, message } = params as Json;
      return [progress, (JSON.parse(String(message)) as Json)['data']];
    });
    assert.deepEqual(reported, [
      [1, '{"content":"a"}'],
      [2, '{"content":"b"}'],
      [3, '{"content":"c"}'],
    ]);
    const { events } = result['structuredContent'] as Json;
    assert.deepEqual(events, ['a', 'b', 'c'].map(delta));
  });

  it('sends the result alone to a caller without a progress token', async () => {
    chat = streaming(three);
    const { type, messages, result } = await call();
    assert.deepEqual([type, messages.length], ['application/json', 1]);
    const { events } = result['structuredContent'] as Json;
    assert.deepEqual(events, ['a', 'b', 'c'].map(delta));
  });

  it('is refused behind the progress when it breaks off, and a bug shows only its request', async () => {
    chat = streaming(async function* () {
      yield await Promise.resolve(delta('a'));
      throw new Error('secret of the house');
    });
    const { messages, result } = await call({ progressToken: 1 });
    assert.equal(messages.length, 2);
    assert.equal(result['isError'], true);
    assert.equal((result['structuredContent'] as Json)['code'], 'internal');
    assert.ok(!JSON.stringify(messages).includes('secret'));
  });

  it('repeats at most 4 MiB of events and counts the rest', async () => {
    chat = streaming(async function* () {
      for (let n = 0; n < 6; n += 1) yield await Promise.resolve(delta('x'.repeat(1_000_000)));
    });
    const { result } = await call();
    const { events, eventsOmitted } = result['structuredContent'] as Json;
    assert.deepEqual([(events as unknown[]).length, eventsOmitted], [4, 2]);
  });

  it('quotes a price as the result, in the shape that x402 clients read', async () => {
    chat = () => refuse('payment-required', PRICE);
    const { status, result } = await call();
    assert.deepEqual([status, result['isError']], [200, true]);
    const { x402Version, accepts, code } = result['structuredContent'] as Json;
    assert.deepEqual({ x402Version, accepts }, PRICE);
    assert.equal(code, 'payment-required');
  });

  it('is handed the payment of the message, and gives its receipt back', async () => {
    const payment = {
      x402Version: 1,
      scheme: 'exact',
      network: 'base',
      payload: { signature: 'ü' },
    };
    const receipt = { success: true, transaction: '0x1', network: 'base', payer: '0x2' };
    let header: unknown;
    chat = (given) => {
      header = given.header['x-payment'];
      const text = Buffer.from(JSON.stringify(receipt)).toString('base64');
      const headers = { 'x-payment-response': text };
      return Promise.resolve({ status: 200, headers, type: 'text/event-stream', body: three() });
    };
    const { result } = await call({ 'x402/payment': payment });
    const sent = Buffer.from(String(header), 'base64').toString('utf8');
    assert.deepEqual(JSON.parse(sent), payment);
    assert.deepEqual((result['_meta'] as Json)['x402/payment-response'], receipt);
  });
});
