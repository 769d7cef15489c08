import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { parseKeyId } from '../../domain/account.ts';
import { PUBLISHED_TEST_KEY } from '../../domain/httpsig/keys.ts';
import { plain, type Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

type Body = Record<string, unknown>;

const CHECK = '/api/v1/quickstart/check';
const STEPS = ['headers', 'message', 'coverage', 'window', 'key', 'signature', 'digest'];

describe('discovery.quickstartCheck', () => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture();
  });
  afterEach(() => world.close());

  const signed = (body?: Body, path = CHECK): Promise<Request> =>
    world.alice.signed('POST', path, body ?? { hello: 'hub' });
  const check = async (request: Request): Promise<Body> => mustOk(await world.anyone.send(request));
  /** The request with one header changed; what was signed stays. */
  const altered = async (name: string, change: (value: string) => string): Promise<Request> => {
    const request = await signed();
    const headers = new Headers(request.headers);
    headers.set(name, change(headers.get(name) ?? ''));
    return new Request(request.url, { method: 'POST', headers, body: await request.text() });
  };

  it('shows every step of a request that verifies, and its signer', async () => {
    const request = await signed();
    const bytes = await request.clone().text();
    const answer = await check(request);
    assert.deepEqual(
      [answer['verified'], answer['reason'], answer['fix']],
      [true, undefined, undefined],
    );
    assert.deepEqual(
      stepsOf(answer),
      [...STEPS, 'account', 'nonce'].map((step) => [step, true]),
    );
    assert.deepEqual(
      [answer['keyId'], answer['account'], answer['accountKnown']],
      [world.alice.keyId, world.alice.account, false],
    );
    const sha256 = (text: unknown) => createHash('sha256').update(String(text)).digest('hex');
    assert.equal(answer['bodySha256'], sha256(bytes));
    assert.equal(answer['signatureBaseSha256'], sha256(answer['signatureBase']));
    assert.match(String(answer['signatureBase']), /^"@method": POST\n/);
  });

  it('checks a signature over a query', async () => {
    const answer = await check(await signed(undefined, `${CHECK}?echo=a%20b%2Fc`));
    assert.equal(answer['verified'], true);
    assert.match(String(answer['signatureBase']), /^"@query": \?echo=a%20b%2Fc$/m);
  });

  it('binds no key and takes no nonce, however often it is asked', async () => {
    const request = await signed();
    for (let round = 0; round < 3; round += 1) {
      const answer = await check(request.clone());
      assert.deepEqual([answer['verified'], answer['accountKnown']], [true, false]);
    }
    const wallet = `/api/v1/wallet/${world.alice.account}/keys`;
    mustOk(await world.alice.get(wallet));
    assert.equal((await check(request))['accountKnown'], true);
  });

  it('knows a nonce that was spent on a signed call', async () => {
    const { alice } = world;
    const spent = await alice.signed('GET', '/api/v1/me');
    mustOk(await alice.send(spent.clone()));
    mustRefuse(await alice.send(spent), 401, 'replayed');
    const nonce = /nonce="([^"]+)"/.exec(spent.headers.get('signature-input') ?? '')?.[1] ?? '';
    const used = await world.hub.running.hub.callers.wasNonceUsed(keyIdOf(alice), nonce);
    assert.equal(used, true);
    assert.equal(
      await world.hub.running.hub.callers.wasNonceUsed(keyIdOf(alice), `${nonce}x`),
      false,
    );
    assert.equal(
      await world.hub.running.hub.callers.wasNonceUsed(keyIdOf(world.bob), nonce),
      false,
    );
  });

  it('answers a visitor too, and says what is missing', async () => {
    const answer = mustOk(await world.anyone.post(CHECK, { hello: 'hub' }));
    assert.deepEqual(
      [answer['verified'], answer['reason'], stepsOf(answer)],
      [false, 'unsigned', [['headers', false]]],
    );
    assert.match(String(answer['fix']), /Signature-Input/);
    const bare = mustOk(await world.anyone.send(plain(world.hub, 'POST', CHECK)));
    assert.equal(bare['bodySha256'], undefined);
  });

  const wrong: readonly (readonly [string, string, string, () => Promise<Request>, RegExp])[] = [
    [
      'a parameter without its quotes',
      'unsigned',
      'headers',
      () => altered('signature-input', (text) => text.replace(/nonce="[^"]+"/, 'nonce=12345678')),
      /nonce is not a quoted string/,
    ],
    [
      'a query that is not covered',
      'incomplete-coverage',
      'coverage',
      async () => {
        const request = await signed();
        return new Request(`${request.url}?echo=a%20b`, {
          method: 'POST',
          headers: request.headers,
          body: await request.text(),
        });
      },
      /"@query": with \? and the query/,
    ],
    [
      'another body than the one digested',
      'digest-mismatch',
      'digest',
      async () => {
        const request = await signed();
        const changed = `${await request.text()}\n`;
        return new Request(request.url, {
          method: 'POST',
          headers: request.headers,
          body: changed,
        });
      },
      /bodySha256/,
    ],
    [
      'a clock that is behind',
      'stale',
      'window',
      async () => {
        const request = await signed();
        world.hub.clock.advance(301);
        return request;
      },
      /the hub's clock is 2026-11-20T10:05:01\.000Z, which is \d{10}/,
    ],
    [
      'the account name for a keyid',
      'unknown-key',
      'key',
      () => altered('signature-input', (text) => text.replace('keyid="', 'keyid="key:')),
      /without "key:"/,
    ],
    [
      'the key that RFC 9421 prints',
      'unknown-key',
      'key',
      () =>
        altered('signature-input', (text) =>
          text.replace(/keyid="[^"]+"/, `keyid="${PUBLISHED_TEST_KEY}"`),
        ),
      /published test key/,
    ],
    [
      'a signature over another path',
      'unknown-key',
      'signature',
      async () => {
        const request = await signed(undefined, '/api/v1/tasks');
        return new Request(world.hub.url + CHECK, {
          method: 'POST',
          headers: request.headers,
          body: await request.text(),
        });
      },
      /Compare signatureBase/,
    ],
    [
      'another name of the same hub',
      'unknown-key',
      'signature',
      async () => {
        const elsewhere = world.hub.url.replace('127.0.0.1', 'localhost');
        const far = await world.alice.signed('POST', CHECK, { hello: 'hub' });
        return new Request(elsewhere + CHECK, {
          method: 'POST',
          headers: far.headers,
          body: await far.text(),
        });
      },
      /Call the hub at http:\/\/127\.0\.0\.1/,
    ],
  ];
  for (const [title, reason, step, request, fix] of wrong) {
    it(`names ${title}: ${reason}`, async () => {
      const answer = await check(await request());
      assert.equal(answer['verified'], false);
      assert.equal(answer['reason'], reason, JSON.stringify(answer));
      const steps = stepsOf(answer);
      assert.deepEqual(steps.at(-1), [step, false], 'the last step is the one that failed');
      assert.deepEqual(
        steps.slice(0, -1).filter(([, ok]) => ok !== true),
        [],
      );
      assert.match(String(answer['fix']), fix);
      assert.equal(answer['account'], undefined);
    });
  }

  it('says the same as the door does', async () => {
    const stale = await world.alice.signed('GET', '/api/v1/me');
    world.hub.clock.advance(301);
    const refused = mustRefuse(await world.alice.send(stale), 401, 'stale');
    const request = await signed();
    world.hub.clock.advance(301);
    const reported = await check(request);
    assert.equal(
      `${String(at(reported, 'steps', 3, 'detail'))}.`.slice(0, 22),
      String(refused['error']).slice(0, 22),
    );
    assert.equal(reported['reason'], refused['code']);
  });
});

function stepsOf(answer: Body): readonly (readonly [unknown, unknown])[] {
  return (answer['steps'] as Body[]).map(({ step, ok }) => [step, ok] as const);
}

function keyIdOf(agent: Agent) {
  const keyId = parseKeyId(agent.keyId);
  assert.ok(keyId !== undefined);
  return keyId;
}
