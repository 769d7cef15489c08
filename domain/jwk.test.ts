import assert from 'node:assert/strict';
import { ed25519Jwk, jwkThumbprint } from './jwk.ts';

describe('a key as a JWK', () => {
  it('has the thumbprint of RFC 8037, appendix A.3', () => {
    const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
    const jwk = ed25519Jwk(Buffer.from(x, 'base64url'));
    assert.equal(jwk.x, x);
    assert.equal(jwkThumbprint(jwk), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });
});
