import assert from 'node:assert/strict';
import { Point } from '@noble/ed25519';
import { keyIdOf } from '../account.ts';
import { fixtureKey } from './fixture.ts';
import { judgeKey, judgeNewKey, PUBLISHED_TEST_KEY } from './keys.ts';
import vectors from '../../spec/vectors/signatures.json' with { type: 'json' };

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const P = 2n ** 255n - 19n;
const little = (value: bigint): Uint8Array =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();

describe('key policy', () => {
  for (const { keyId, what, why } of vectors.refusedKeys) {
    it(`refuses ${keyId} (${what})`, () => {
      const verdict = judgeKey(keyId, true);
      assert.ok(!verdict.ok && verdict.why.includes(why));
    });
  }

  it('refuses every multiple of a point of order eight, in every spelling of its sign', () => {
    const torsion = Point.fromHex(
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    );
    let point = Point.ZERO;
    for (let times = 0; times < 8; times += 1) {
      const bytes = point.toBytes();
      for (const sign of [0, 0x80]) {
        const other = Uint8Array.from(bytes);
        other[31] = (other[31] ?? 0) ^ sign;
        assert.ok(!judgeKey(keyIdOf(other)).ok, Buffer.from(other).toString('hex'));
      }
      point = point.add(torsion);
    }
    assert.ok(point.equals(Point.ZERO));
  });

  it('refuses each y from p to 2^255 - 1, with either sign, and takes p - 2', () => {
    for (let y = P; y < 2n ** 255n; y += 1n) {
      for (const sign of [0n, 2n ** 255n]) {
        const verdict = judgeKey(keyIdOf(little(y + sign)));
        assert.ok(!verdict.ok && verdict.why.includes('non-canonical'));
      }
    }
    assert.ok(judgeKey(keyIdOf(little(P - 2n))).ok);
  });

  it('refuses the published RFC 9421 key unless it is let in', () => {
    assert.equal(PUBLISHED_TEST_KEY, vectors.key.keyId);
    assert.ok(!judgeKey(PUBLISHED_TEST_KEY).ok);
    assert.ok(judgeKey(PUBLISHED_TEST_KEY, true).ok);
  });

  it('takes honest keys and gives their bytes', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const { publicKey } = fixtureKey(new Uint8Array(32).fill(seed));
      const verdict = judgeKey(keyIdOf(publicKey));
      assert.ok(verdict.ok);
      assert.deepEqual(Uint8Array.from(verdict.bytes), publicKey);
      assert.ok(judgeNewKey(verdict.keyId).ok);
    }
  });

  it('binds no key that is off the curve or carries a point of small order', () => {
    const offCurve = judgeNewKey(keyIdOf(little(2n)));
    assert.ok(!offCurve.ok && offCurve.why.includes('point of the curve'));
    const torsion = Point.fromHex(
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    );
    const mixed = judgeNewKey(
      keyIdOf(
        Point.BASE.multiply(ORDER - 5n)
          .add(torsion)
          .toBytes(),
      ),
    );
    assert.ok(!mixed.ok && mixed.why.includes('prime-order'));
  });
});
