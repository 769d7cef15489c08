import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { closeWorld, webSite, type Place } from './_fixture.ts';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}
interface DirectoryKey {
  readonly kid: string;
  readonly x: string;
}

/** The member of a header that is a dictionary (RFC 9651 3.2); no text here has a comma. */
function member(headers: IncomingHttpHeaders, header: string, label: string): string {
  const members = String(headers[header]).split(', ');
  return members.find((each) => each.startsWith(`${label}=`))?.slice(label.length + 1) ?? '';
}

/**
 * Verifies as draft-meunier-webbotauth-httpsig-protocol describes it, by the directory that the
 * request names, and shares no code with the hub.
 */
async function webBotAuth({ headers }: Received) {
  const inputs = String(headers['signature-input']).split(', ');
  const tagged = inputs.filter((each) => each.endsWith(';tag="web-bot-auth"'));
  assert.equal(tagged.length, 1);
  const [, label = '', params = ''] = /^([a-z0-9]+)=(.*)$/.exec(tagged[0] ?? '') ?? [];
  const agent = member(headers, 'signature-agent', label);
  const url = new URL(
    '/.well-known/http-message-signatures-directory',
    JSON.parse(agent) as string,
  );
  const { keys } = (await (await fetch(url)).json()) as { readonly keys: readonly DirectoryKey[] };
  const keyId = /;keyid="([\w-]{43})";/.exec(params)?.[1];
  const x = keys.find(({ kid }) => kid === keyId)?.x ?? '';
  const required = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  assert.equal(createHash('sha256').update(required).digest('base64url'), keyId);
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const covered = /^\(([^)]*)\)/.exec(params)?.[1]?.split(' ') ?? [];
  assert.ok(
    covered.includes('"@authority"') && covered.includes(`"signature-agent";key="${label}"`),
  );
  const signature = Buffer.from(member(headers, 'signature', label).slice(1, -1), 'base64');
  const holds = (request: Received): boolean => {
    const { method, path, headers: sent } = request;
    const derived = {
      '"@method"': method,
      '"@path"': path.split('?')[0],
      '"@authority"': sent.host,
    };
    const values: Readonly<Record<string, string | undefined>> = {
      ...derived,
      '"content-digest"': String(sent['content-digest']),
      [`"signature-agent";key="${label}"`]: member(sent, 'signature-agent', label),
    };
    const lines = covered.map((name) => `${name}: ${values[name]}\n`).join('');
    const base = Buffer.from(`${lines}"@signature-params": ${params}`);
    return verify(null, base, key, signature);
  };
  return { params, holds };
}

describe('Web Bot Auth of signed requests', () => {
  let world: Fixture;
  let site: Place;
  const received: Received[] = [];
  before(async () => {
    site = await webSite((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        received.push({ method, path, headers, body: Buffer.concat(pieces) });
        response.end();
      });
    });
    world = await openFixture({ env: { HUB_ALLOW_PRIVATE_HOSTS: site.pair } });
    const { outbound } = world.hub.running.hub;
    const body = Buffer.from('{"a":1}');
    const headers = { 'content-type': 'application/json' };
    await outbound.fetch({ url: `${site.url}/a%2Fb/?q=1`, sign: true });
    await outbound.fetch({ url: `${site.url}/a`, method: 'POST', body, headers, sign: true });
    await outbound.fetch({ url: `${site.url}/`, method: 'DELETE', sign: true });
  });
  after(async () => {
    await world.close();
    await closeWorld();
  });

  it('names the key of the directory that has signed, and holds for this request alone', async () => {
    assert.equal(received.length, 3);
    for (const request of received) {
      const { params, holds } = await webBotAuth(request);
      assert.ok(holds(request), params);
      assert.ok(!holds({ ...request, method: 'PUT' }));
      assert.ok(!holds({ ...request, path: '/other' }));
      assert.ok(!holds({ ...request, headers: { ...request.headers, host: 'other.example' } }));
      const digest = createHash('sha256').update(request.body).digest('base64');
      const isCovered = request.body.length > 0;
      assert.equal(params.includes('"content-digest"'), isCovered);
      assert.equal(
        request.headers['content-digest'],
        isCovered ? `sha-256=:${digest}:` : undefined,
      );
    }
  });

  it('ends five minutes after it was made, with a nonce of its own', async () => {
    const nonces = new Set<string | undefined>();
    for (const request of received) {
      const { params } = await webBotAuth(request);
      const [, created, expires] = /;created=(\d+);expires=(\d+);/.exec(params) ?? [];
      assert.equal(Number(expires) - Number(created), 300);
      nonces.add(/;nonce="([^"]{16,})"/.exec(params)?.[1]);
    }
    assert.equal(nonces.size, received.length);
  });
});
