import assert from 'node:assert/strict';
import { operations } from '../harness/contract.ts';
import { mustCarryHeaders } from '../harness/wire.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

/** A page of any origin may sign with a key that it holds, and read every answer. */
const SIGNING = ['content-type', 'content-digest', 'signature', 'signature-input', 'x-payment'];
const READING = [
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-policy',
  'retry-after',
  'payment-required',
  'payment-response',
  'x-payment-balance',
];

describe('browsers', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const list = (text: string | null): readonly string[] =>
    (text ?? '').split(',').map((each) => each.trim().toLowerCase());

  it('may send a signed request to every operation', async () => {
    for (const { method, path } of operations) {
      const target = path.replaceAll(/\{[A-Za-z]+\}/g, 'x');
      const preflight = await fetch(new URL(target, world.hub.url), {
        method: 'OPTIONS',
        headers: {
          origin: 'https://page.example',
          'access-control-request-method': method,
          'access-control-request-headers': SIGNING.join(','),
        },
      });
      const { headers } = preflight;
      assert.ok(preflight.ok, `${path} ${preflight.status}`);
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.ok(list(headers.get('access-control-allow-methods')).includes(method.toLowerCase()));
      const allowed = list(headers.get('access-control-allow-headers'));
      assert.deepEqual(
        SIGNING.filter((name) => !allowed.includes(name)),
        [],
      );
      assert.ok(list(headers.get('allow')).includes(method.toLowerCase()));
      mustCarryHeaders({ status: preflight.status, headers, text: await preflight.text() });
    }
  });

  it('may send the headers that an official client adds, by the names alone', async () => {
    const stainless = [
      'os',
      'lang',
      'arch',
      'package-version',
      'runtime',
      'retry-count',
      'timeout',
    ];
    const own = ['authorization', 'idempotency-key', 'openai-organization', 'user-agent'];
    const asked = [...own, ...stainless.map((each) => `x-stainless-${each}`)];
    for (const path of ['/v1/chat/completions', '/v1/models', '/api/v1/tasks', '/mcp', '/a2a']) {
      const preflight = await fetch(new URL(path, world.hub.url), {
        method: 'OPTIONS',
        headers: { 'access-control-request-headers': [...asked, 'no name', 'a\tb'].join(', ') },
      });
      const allowed = list(preflight.headers.get('access-control-allow-headers'));
      assert.deepEqual(
        asked.filter((name) => !allowed.includes(name)),
        [],
        path,
      );
      assert.ok(!allowed.some((each) => /\s/.test(each)), path);
      assert.equal(preflight.headers.get('vary'), 'access-control-request-headers');
    }
  });

  it('may read what the answer says of the request and the limits, refused or not', async () => {
    for (const path of ['/api/v1/tasks', '/nowhere', '/api/v1/me', '/api/v1/tasks?a=1']) {
      const { headers } = await world.anyone.get(path);
      assert.equal(headers.get('access-control-allow-origin'), '*', path);
      const exposed = list(headers.get('access-control-expose-headers'));
      assert.deepEqual(
        READING.filter((name) => !exposed.includes(name)),
        [],
        path,
      );
    }
  });

  it('send no credentials that the hub would look at', async () => {
    const { headers } = await world.anyone.get('/api/v1/tasks');
    assert.equal(headers.get('access-control-allow-credentials'), null);
    assert.equal(headers.get('set-cookie'), null);
  });

  it('comes with nosniff, whatever it is', async () => {
    for (const path of ['/api/v1/tasks', '/nowhere', '/', '/api/v1/agents.ndjson', '/docs']) {
      const answer = await fetch(new URL(path, world.hub.url), { headers: { accept: '*/*' } });
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path);
      await answer.arrayBuffer();
    }
  });
});
