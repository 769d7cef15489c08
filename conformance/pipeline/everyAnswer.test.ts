import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustBeRefusal, mustCarryHeaders, overWire, rawExchange } from '../harness/wire.ts';
import type { WireAnswer } from '../harness/wire.ts';

/** The request id and the rest of the allowance stand on every answer of every part of the hub. */
const BODY_BYTES_MAX = 262_144;
const CLOSE: readonly [string, string] = ['Connection', 'close'];

describe('every answer', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const ask = (
    method: string,
    target: string,
    body?: string,
    ...more: readonly (readonly [string, string])[]
  ): Promise<WireAnswer> =>
    overWire(world.hub.url, {
      method,
      target,
      headers: [['Host', new URL(world.hub.url).host], CLOSE, ...more],
      ...(body !== undefined && { body }),
    });

  const refused: readonly (readonly [string, () => Promise<WireAnswer>, number, string])[] = [
    ['an unknown path', () => ask('GET', '/nowhere'), 404, 'no-route'],
    ['a method the path lacks', () => ask('DELETE', '/api/v1/tasks'), 405, 'method-not-allowed'],
    ['no signature', () => ask('GET', '/api/v1/me'), 401, 'unsigned'],
    [
      'an oversize body',
      () => ask('POST', CREDIT, 'x'.repeat(BODY_BYTES_MAX + 1)),
      400,
      'body-too-large',
    ],
    ['text that is not JSON', () => ask('POST', CREDIT, '{"amount":'), 400, 'bad-json'],
    ['a query name that is not known', () => ask('GET', '/api/v1/tasks?a=1'), 400, 'bad-request'],
    ['a path value that is none', () => ask('GET', '/api/v1/tasks/7'), 400, 'bad-path'],
    ['no such thing', () => ask('GET', `/api/v1/tasks/${NOBODY}`), 404, 'not-found'],
    ['an HTTP that Node cannot read', () => ask('GET', '/a b'), 400, 'bad-request'],
    ['a method that is none', () => ask('NOSUCH', '/api/v1'), 400, 'bad-request'],
    ['CONNECT', () => ask('CONNECT', 'example.com:443'), 400, 'bad-request'],
    [
      'two lengths',
      () => ask('POST', CREDIT, '{}', ['Content-Length', '2'], ['Content-Length', '3']),
      400,
      'bad-request',
    ],
    [
      'a length and chunks at once',
      () =>
        ask('POST', CREDIT, '0\r\n\r\n', ['Content-Length', '5'], ['Transfer-Encoding', 'chunked']),
      400,
      'bad-request',
    ],
  ];
  for (const [what, send, status, code] of refused) {
    it(`refuses ${what} whole: ${status} ${code}`, async () => {
      mustBeRefusal(await send(), status, code);
    });
  }

  it('refuses HTTP/1.1 without a Host whole, and takes HTTP/1.0 without one', async () => {
    const { url } = world.hub;
    const answer = await rawExchange(url, ['GET /api/v1/tasks HTTP/1.1\r\n\r\n']);
    const { hint } = mustBeRefusal(answer, 400, 'bad-request');
    assert.match(String(hint), /^Send it again with the header `Host`/);
    const old = await rawExchange(url, ['GET /api/v1/tasks HTTP/1.0\r\n\r\n']);
    assert.equal(old.status, 200);
    mustCarryHeaders(old);
  });

  it('refuses headers over 16 KB whole, with 431', async () => {
    const answer = await ask('GET', '/api/v1/tasks', undefined, ['X-Long', 'x'.repeat(20_000)]);
    mustBeRefusal(answer, 431, 'bad-request');
    mustBeRefusal(await ask('GET', `/api/v1/tasks?a=${'x'.repeat(20_000)}`), 431, 'bad-request');
  });

  it('answers in HTTP/1.1 a client that offers an upgrade or expects something', async () => {
    for (const header of [
      [
        ['Connection', 'Upgrade, HTTP2-Settings'],
        ['Upgrade', 'h2c'],
        ['HTTP2-Settings', 'AAMAAABk'],
      ],
      [
        ['Upgrade', 'websocket'],
        ['Connection', 'Upgrade'],
      ],
      [['Expect', 'something-else']],
    ] as const) {
      const { host } = new URL(world.hub.url);
      const headers: readonly (readonly [string, string])[] = [['Host', host], ...header];
      const answer = await overWire(world.hub.url, {
        method: 'GET',
        target: '/api/v1/tasks',
        headers,
      });
      assert.equal(answer.status, 200, `${JSON.stringify(header)} ${answer.text}`);
      mustCarryHeaders(answer);
    }
  });

  it('continues a body that waits for 100', async () => {
    const body = '{"amount":"1","idempotencyKey":"after-100"}';
    const answer = await ask('POST', CREDIT, body, ['Expect', '100-continue']);
    assert.equal(answer.status, 200, answer.text);
  });

  it('names the request with an id of its own each time, whatever id the caller sent', async () => {
    const ids = new Set<string>();
    for (let times = 0; times < 20; times += 1) {
      const answer = await ask('GET', '/api/v1/tasks', undefined, ['X-Request-Id', 'mine']);
      ids.add(answer.headers.get('x-request-id') ?? 'mine');
    }
    assert.equal(ids.size, 20);
    assert.ok(!ids.has('mine'));
  });

  it('answers HEAD as GET, without the body', async () => {
    for (const target of ['/api/v1/tasks', `/api/v1/tasks/${NOBODY}`, '/nowhere', '/api/v1/me']) {
      const [get, head] = [await ask('GET', target), await ask('HEAD', target)];
      assert.equal(head.status, get.status, target);
      assert.equal(head.text, '');
      for (const name of ['content-type', 'content-length', 'x-ratelimit-policy', 'allow']) {
        assert.equal(head.headers.get(name), get.headers.get(name), `${target} ${name}`);
      }
      mustCarryHeaders(head);
    }
  });
});

const NOBODY = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
const CREDIT = '/api/v1/wallet/9GzRuA8Sg7abDcmhoc9AndTTp2uekoomp8s29rWnqjcM/credit';
