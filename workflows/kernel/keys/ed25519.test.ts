import assert from 'node:assert/strict';
import { createVerify, hubKey, newSeed } from './ed25519.ts';

const encoder = new TextEncoder();
const message = encoder.encode('a base');

describe('ed25519', () => {
  it('verifies what it signed and nothing else', () => {
    const verify = createVerify();
    const [alice, bob] = [hubKey(newSeed()), hubKey(newSeed())];
    const signature = alice.sign(message);
    assert.equal(signature.length, 64);
    assert.ok(verify(alice.publicKey, message, signature));
    assert.ok(!verify(bob.publicKey, message, signature));
    assert.ok(!verify(alice.publicKey, encoder.encode('a bass'), signature));
    assert.ok(!verify(alice.publicKey, message, signature.subarray(0, 63)));
    assert.ok(!verify(alice.publicKey.subarray(1), message, signature));
  });

  it('gives the key and the signature of RFC 8032 7.1, test 1', () => {
    const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
    const key = hubKey(Buffer.from(seed, 'hex'));
    assert.equal(
      Buffer.from(key.publicKey).toString('hex'),
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    );
    assert.equal(
      Buffer.from(key.sign(new Uint8Array())).toString('hex'),
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac' +
        'c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    );
  });

  it('keeps verifying when more keys pass through than the cache holds', () => {
    const verify = createVerify(2);
    const keys = Array.from({ length: 5 }, () => hubKey(newSeed()));
    for (let round = 0; round < 3; round += 1) {
      for (const key of keys) {
        const signature = key.sign(message);
        assert.ok(verify(key.publicKey, message, signature));
        assert.ok(keys.every((k) => k === key || !verify(k.publicKey, message, signature)));
      }
    }
  });

  it('reads a key out of a larger buffer, where only its own bytes count', () => {
    const verify = createVerify();
    const key = hubKey(newSeed());
    const pool = new Uint8Array(96).fill(7);
    pool.set(key.publicKey, 40);
    assert.ok(verify(pool.subarray(40, 72), message, key.sign(message)));
    assert.ok(!verify(pool.subarray(0, 32), message, key.sign(message)));
  });

  it('refuses a seed of another length', () => {
    assert.throws(() => hubKey(new Uint8Array(31)), RangeError);
    assert.throws(() => hubKey(new Uint8Array(64)), RangeError);
  });
});
