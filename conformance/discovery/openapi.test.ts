import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { base58 } from '@scure/base';
import { document } from '../harness/contract.ts';
import { mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

describe('discovery.openapi', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('is the released document, word for word, with this hub as its server', async () => {
    const { servers, ...served } = mustOk(await world.anyone.get('/api/v1/openapi.json'));
    const { servers: _, ...released } = document as unknown as Record<string, unknown>;
    assert.deepEqual(served, inTheNameOf(released, world.hub.url));
    assert.equal(served['openapi'], '3.1.0');
    assert.deepEqual(servers, [{ url: world.hub.url, description: 'This hub.' }]);
  });

  it('names no other hub and no machine of a test run, nor does the page of it', async () => {
    const env = { HUB_BASE_URL: 'https://hub.example:8443' };
    const other = await openFixture({ databaseUrl: 'sqlite::memory:', env });
    try {
      const own = ['hub.example:8443', 'hub.example'];
      for (const path of ['/api/v1/openapi.json', '/api/v1/openapi.json?version=3.0', '/docs']) {
        const { status, text } = await other.anyone.get(path);
        assert.equal(status, 200);
        assert.ok(text.includes('https://hub.example:8443/a2a'), path);
        assert.doesNotMatch(text, /(?:127\.0\.0\.1|localhost):(?!9000)\d/, path);
        const hubs = [...text.matchAll(/https?:\/\/([\w.:-]+)\/(?:api\/v1|mcp|a2a)\b/g)];
        const named = new Set(hubs.map(([, host = '']) => host));
        const strange = [...named].filter((host) => !own.includes(host) && !isAgent(host));
        assert.deepEqual(strange, [], path);
      }
    } finally {
      await other.close();
    }
  });

  it('shows an example of a signature that holds', () => {
    const { description } = document.components['securitySchemes']?.['signature'] as {
      readonly description: string;
    };
    const [base = '', signature = ''] = [...description.matchAll(/(?:^ {4}.*\n)+/gm)].map(
      ([block]) => block.replaceAll(/^ {4}/gm, '').trim(),
    );
    assert.ok(base.includes('"@authority": hub.example\n'), base);
    const { x } = sandboxJwk;
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    assert.ok(verify(null, Buffer.from(base), key, Buffer.from(signature, 'base64')));
  });

  it('keeps two hubs in one process apart', async () => {
    const other = await openFixture({ databaseUrl: 'sqlite::memory:' });
    try {
      const [mine, theirs] = [
        mustOk(await world.anyone.get('/api/v1/openapi.json')),
        mustOk(await other.anyone.get('/api/v1/openapi.json')),
      ];
      assert.notDeepEqual(mine['servers'], theirs['servers']);
    } finally {
      await other.close();
    }
  });
});

const SANDBOX_KEY_ID = '46NewrPETUusBXPiu5DiL7ybndwGbXhdM8SNiPs5Ri5V';
const sandboxJwk = { x: Buffer.from(base58.decode(SANDBOX_KEY_ID)).toString('base64url') };

/** Examples name this hub where the released document has the address of a hub without settings. */
function inTheNameOf(released: unknown, url: string): unknown {
  const text = JSON.stringify(released).replaceAll('127.0.0.1:4020', new URL(url).host);
  return JSON.parse(text) as unknown;
}

/** Names that RFC 2606 reserves are those of agents in examples. */
function isAgent(host: string): boolean {
  return /(?:^|\.)example(?:\.(?:com|org|net))?$/.test(host);
}
