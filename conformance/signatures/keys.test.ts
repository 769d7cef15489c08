import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { vectors } from './_vectors.ts';

/** Which keys there can be, and what the first use of one does (Authentication 1). */
const PUBLISHED = '3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt';

describe('keys', () => {
  let world: Fixture;
  let alice: Agent;
  before(async () => {
    world = await openFixture();
    ({ alice } = world);
  });
  after(() => world.close());

  it('binds a key by its first signed request, to the account of its name', async () => {
    const fresh = await world.agent();
    const me = mustOk(await fresh.get('/api/v1/me'));
    assert.ok(JSON.stringify(me).includes(fresh.account));
    const keys = mustOk(await fresh.get(`/api/v1/wallet/${fresh.account}/keys`));
    assert.ok(JSON.stringify(keys).includes(fresh.keyId));
  });

  it('binds by a request that is refused for another reason than its signature as well', async () => {
    const fresh = await world.agent();
    mustRefuse(await fresh.get('/api/v1/me?no-such-name=1'), 400, 'bad-request');
    mustOk(await fresh.get(`/api/v1/wallet/${fresh.account}`));
  });

  it('binds once when the first requests arrive at once', async () => {
    const fresh = await world.agent();
    const sends = Array.from({ length: 10 }, () => fresh.get('/api/v1/me'));
    for (const answer of await Promise.all(sends)) mustOk(answer);
    const keys = mustOk(await fresh.get(`/api/v1/wallet/${fresh.account}/keys`));
    const listed = JSON.stringify(keys).split(`"${fresh.keyId}"`).length - 1;
    assert.equal(listed, 1, JSON.stringify(keys));
  });

  const refused = [...vectors.refusedKeys, { keyId: PUBLISHED, what: 'the published test key' }];
  for (const { keyId, what } of refused) {
    it(`binds no key that proves nothing: ${what} (${keyId})`, async () => {
      for (const owner of [`key:${keyId}`, alice.account]) {
        const path = `/api/v1/wallet/${owner}/keys`;
        const answer = await world.anyone.post(path, { publicKey: keyId });
        const body = mustRefuse(answer, 400, 'bad-account');
        assert.equal(at(body, 'field'), 'body.publicKey');
      }
    });
  }

  it('names the base by its digest alone when the base is longer than a refusal', async () => {
    const target = `/api/v1/me?${'q'.repeat(3_500)}`;
    const covered = '("@method" "@path" "@query" "@target-uri" "@request-target" "x-long")';
    const created = Math.floor(world.hub.clock.now() / 1000);
    const input = `s=${covered};created=${created};keyid="${alice.keyId}";alg="ed25519";nonce="a-long-one"`;
    const headers = {
      'signature-input': input,
      signature: `s=:${'A'.repeat(86)}==:`,
      'x-long': 'x'.repeat(7_000),
    };
    const request = new Request(new URL(target, world.hub.url), { headers });
    const body = mustRefuse(await world.anyone.send(request), 401, 'unknown-key');
    assert.equal(body['signatureBase'], undefined);
    assert.match(String(body['signatureBaseSha256']), /^[0-9a-f]{64}$/);
  });

  it('takes no signature of the published test key on a hub of its own', async () => {
    const vector = vectors.accepted.find(({ request }) => request.target === '/api/v1/me');
    assert.ok(vector);
    const pairs = vector.request.headers.map(([name, value]): [string, string] => [name, value]);
    const headers = new Headers(pairs);
    const request = new Request(new URL('/api/v1/me', world.hub.url), { headers });
    mustRefuse(await world.anyone.send(request), 401, 'stale');
    const created = Math.floor(world.hub.clock.now() / 1000);
    const input = (headers.get('signature-input') ?? '').replace(
      /created=\d+/,
      `created=${created}`,
    );
    headers.set('signature-input', input);
    const now = new Request(new URL('/api/v1/me', world.hub.url), { headers });
    const body = mustRefuse(await world.anyone.send(now), 401, 'unknown-key');
    assert.match(String(body['error']), /published test key/);
  });
});
