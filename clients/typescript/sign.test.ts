import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fixtureKey, policyAt } from '../../domain/httpsig/fixture.ts';
import { inspect, type Inspection } from '../../domain/httpsig/inspect.ts';
import { generateKey, keyIdOfSecret, signer, signRequest, type Signer } from './sign.ts';

const NOW_SECONDS = 1_767_225_600;

interface Listener {
  readonly origin: string;
  /** The verifier's result for the last request, from its raw bytes. */
  readonly last: () => Inspection | undefined;
  readonly close: () => Promise<void>;
}

async function bytesOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function listen(): Promise<Listener> {
  let last: Inspection | undefined;
  let origin = '';
  const server = createServer((request, response) => {
    void bytesOf(request).then((body) => {
      const { method = '', url = '', rawHeaders } = request;
      const policy = policyAt(NOW_SECONDS, { origins: [origin] });
      last = inspect({ method, target: url, headers: rawHeaders, body }, policy);
      response.end();
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address: AddressInfo | string | null = server.address();
  assert.ok(address !== null && typeof address !== 'string');
  origin = `http://127.0.0.1:${address.port}`;
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.closeAllConnections();
      server.close(() => done());
    });
  return { origin, last: () => last, close };
}

describe('signRequest', () => {
  let hub: Listener;
  let agent: Signer;
  before(async () => {
    hub = await listen();
    agent = signer(await generateKey());
  });
  after(() => hub.close());

  const requests: readonly (readonly [string, RequestInit, readonly string[]])[] = [
    ['/api/v1/me', {}, ['@method', '@authority', '@path']],
    ['/api/v1/me?', {}, ['@method', '@authority', '@path']],
    ['/a/../b c/%2F?q=a+b%20c\'"<>#top', {}, ['@method', '@authority', '@path', '@query']],
    [
      '/api/v1/tasks?x=ü',
      { method: 'POST', body: '{"title":"grüß 😀"}' },
      ['@method', '@authority', '@path', '@query', 'content-digest'],
    ],
    [
      '/api/v1/call',
      { method: 'post', body: new Uint8Array([0, 255, 10]), headers: { 'X-PAYMENT': 'eyJ4 ' } },
      ['@method', '@authority', '@path', 'content-digest', 'x-payment'],
    ],
    [
      '/api/v1/call',
      { method: 'POST', headers: { 'PAYMENT-SIGNATURE': 'eyJ4' } },
      ['@method', '@authority', '@path', 'payment-signature'],
    ],
    ['/api/v1/x', { method: 'DELETE' }, ['@method', '@authority', '@path']],
  ];
  for (const [path, init, covered] of requests) {
    it(`signs what fetch sends: ${init.method ?? 'GET'} ${path}`, async () => {
      const request = await signRequest(
        new Request(hub.origin + path, init),
        agent,
        NOW_SECONDS * 1000,
      );
      await fetch(request);
      const verdict = hub.last();
      assert.ok(verdict?.kind === 'verified', JSON.stringify(verdict));
      assert.equal(verdict.keyId, agent.keyId);
      assert.deepEqual(verdict.covered, covered);
    });
  }

  it('leaves the given request unread and makes a fresh nonce each time', async () => {
    const request = new Request(`${hub.origin}/p`, { method: 'POST', body: '{"a":1}' });
    const signed = [await signRequest(request, agent), await signRequest(request, agent)];
    assert.equal(new Set(signed.map((one) => one.headers.get('signature-input'))).size, 2);
    assert.equal(await request.text(), '{"a":1}');
    assert.equal(await signed[1]?.text(), '{"a":1}');
    assert.equal(request.headers.get('signature'), null);
    const empty = new Request(`${hub.origin}/p`, { method: 'POST', body: '' });
    await fetch(await signRequest(empty, agent, NOW_SECONDS * 1000));
    assert.equal(hub.last()?.kind, 'verified');
    assert.equal(empty.bodyUsed, false);
  });

  it('signs again over a request that was signed before', async () => {
    const once = await signRequest(new Request(`${hub.origin}/p`), agent, 0);
    await fetch(await signRequest(once, agent, NOW_SECONDS * 1000));
    assert.equal(hub.last()?.kind, 'verified');
  });

  it('takes a function that signs elsewhere', async () => {
    const seed = new Uint8Array(32).fill(9);
    const held = signer({ keyId: await keyIdOfSecret(seed), sign: fixtureKey(seed).sign });
    await fetch(await signRequest(new Request(`${hub.origin}/p`), held, NOW_SECONDS * 1000));
    assert.equal(hub.last()?.kind, 'verified');
  });

  it('is refused as stale with a clock that is 301 s off', async () => {
    for (const seconds of [NOW_SECONDS - 301, NOW_SECONDS + 301]) {
      await fetch(await signRequest(new Request(`${hub.origin}/p`), agent, seconds * 1000));
      const verdict = hub.last();
      assert.ok(verdict?.kind === 'refused' && verdict.reason === 'stale');
    }
  });

  it('names the account after the key', async () => {
    const { secretKey, keyId, account } = await generateKey();
    assert.equal(account, `key:${keyId}`);
    assert.equal(await keyIdOfSecret(secretKey), keyId);
  });
});
