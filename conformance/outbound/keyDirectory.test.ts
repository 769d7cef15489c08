import assert from 'node:assert/strict';
import { verify } from 'node:crypto';
import { jwkThumbprint, type Ed25519Jwk } from '../../domain/jwk.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { overWire } from '../harness/wire.ts';
import { webSite, closeWorld } from './_fixture.ts';

const PATH = '/.well-known/http-message-signatures-directory';

describe('the directory of keys that Signature-Agent names', () => {
  let world: Fixture;
  let agent = '';
  before(async () => {
    const site = await webSite((request, response) => {
      agent = String(request.headers['signature-agent']);
      response.end();
    });
    world = await openFixture({ env: { HUB_ALLOW_PRIVATE_HOSTS: site.pair } });
    await world.hub.running.hub.outbound.fetch({ url: site.url, sign: true });
  });
  after(async () => {
    await world.close();
    await closeWorld();
  });

  const keysOf = (body: unknown): readonly (Ed25519Jwk & { readonly kid: string })[] =>
    (body as { readonly keys: readonly (Ed25519Jwk & { readonly kid: string })[] }).keys;

  it('is there, of its media type, with the key that signs under its thumbprint', async () => {
    const origin = /^sig2="([^"]+)"$/.exec(agent)?.[1] ?? '';
    assert.equal(origin, new URL(world.hub.url).origin);
    const answer = await fetch(new URL(PATH, origin));
    assert.equal(answer.status, 200);
    const type = 'application/http-message-signatures-directory+json';
    assert.equal(answer.headers.get('content-type'), type);
    const keys = keysOf(await answer.json());
    for (const key of keys) assert.equal(key.kid, jwkThumbprint(key));
    const { keyId } = world.hub.running.hub.keys.current();
    const jwks = await world.anyone.get('/.well-known/jwks.json');
    const own = (keysOf(jwks.body) ?? []).find(({ kid }) => kid === keyId);
    assert.ok(keys.some(({ x }) => x === own?.x));
  });

  it('is signed with its tag for the host of the hub, whatever host a request names', async () => {
    for (const host of [new URL(world.hub.url).host, 'evil.example']) {
      const answer = await overWire(world.hub.url, {
        method: 'GET',
        target: PATH,
        headers: [
          ['Host', host],
          ['Connection', 'close'],
        ],
      });
      const input = answer.headers.get('signature-input') ?? '';
      const params = input.replace(/^sig1=/, '');
      assert.match(params, /^\("@authority";req\);created=\d+;expires=\d+;keyid="[\w-]{43}";/);
      assert.match(params, /;tag="http-message-signatures-directory"$/);
      const signature = /^sig1=:(.+):$/.exec(answer.headers.get('signature') ?? '')?.[1] ?? '';
      const keyId = /keyid="([^"]+)"/.exec(params)?.[1];
      const { kty, crv, x } =
        keysOf(JSON.parse(answer.text)).find(({ kid }) => kid === keyId) ?? {};
      const key = { key: { kty, crv, x }, format: 'jwk' } as never;
      const isFor = (authority: string): boolean =>
        verify(
          undefined,
          Buffer.from(`"@authority";req: ${authority}\n"@signature-params": ${params}`),
          key,
          Buffer.from(signature, 'base64'),
        );
      assert.equal(isFor(new URL(world.hub.url).host), true);
      assert.equal(isFor('evil.example'), false);
    }
  });

  it('takes reads alone', async () => {
    const answer = await fetch(new URL(PATH, world.hub.url), { method: 'POST' });
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
  });
});
