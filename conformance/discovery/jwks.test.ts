import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { at, mustOk } from '../harness/must.ts';
import { openFixture } from '../harness/fixture.ts';

describe('discovery.jwks', () => {
  it('has the same keys in the form that libraries take', async () => {
    const world = await openFixture();
    const { keys } = mustOk(await world.anyone.get('/.well-known/jwks.json'));
    const jwk = at(keys, 0) as JsonWebKey;
    const signed = mustOk(await world.anyone.get('/api/v1/time'));
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    const bytes = Buffer.from(String(signed['bytes']), 'base64url');
    assert.ok(verify(null, bytes, key, Buffer.from(String(signed['signature']), 'base64')));
    assert.equal(at(keys, 0, 'kid'), at(signed, 'body', 'keyId'));
    await world.close();
  });
});
