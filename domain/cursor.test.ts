import assert from 'node:assert/strict';
import { cursorOf, placeIn } from './cursor.ts';
import { ed25519Jwk } from './jwk.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

describe('the cursor of a page', () => {
  it('holds the place behind its last row in base64url', () => {
    const place = [5, 'é/?', null, ['a']];
    assert.equal(cursorOf(place), encoded('[5,"é/?",null,["a"]]'));
    assert.deepEqual(placeIn(cursorOf(place)), place);
    assert.match(cursorOf(['???>>>']), /^[A-Za-z0-9_-]+$/);
  });

  it('holds none when it is no text of the hub', () => {
    for (const text of ['', '!', 'x', encoded('{'), encoded('{"a":1}'), encoded('"[1]"')]) {
      assert.deepEqual(placeIn(text), [], text);
    }
  });
});

describe('a public key as a JSON Web Key', () => {
  it('has its bytes in base64url and no private part', () => {
    assert.deepEqual(ed25519Jwk(new Uint8Array(32).fill(251)), {
      kty: 'OKP',
      crv: 'Ed25519',
      x: '-_v7'.repeat(10).concat('-_s'),
    });
  });
});
