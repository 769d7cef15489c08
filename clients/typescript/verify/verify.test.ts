import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import merkle from '../../../spec/vectors/merkle.json' with { type: 'json' };
import refusals from '../../../spec/vectors/refusals.json' with { type: 'json' };
import attestation from '../../../spec/vectors/attestation.json' with { type: 'json' };
import seal from '../../../spec/vectors/seal.json' with { type: 'json' };
import time from '../../../spec/vectors/time.json' with { type: 'json' };
import {
  hexBytes,
  hexOf,
  keyBytes,
  isKeyId,
  isMinute,
  isSignedBytes,
  isText,
  isTime,
} from './grammar.ts';
import { KEYS_MAX } from './keyList.ts';
import { rootFrom } from './merkle.ts';
import { nodeCrypto } from './nodeCrypto.ts';
import { webCrypto } from './crypto.ts';
import { MEMBERS_MAX } from './shape.ts';
import { LIST_MAX } from './shapes.ts';
import { createVerifier, verify, type Verifier } from './verifier.ts';

/** `conformance/kinds/verify` holds this verifier against the one in Python; here is what is its own. */
const { keys } = time;
const fast = createVerifier(nodeCrypto);
const [pulse] = time.pulses.map(({ object }) => object);
const [proof] = time.proofs.map(({ object }) => object);
assert.ok(pulse !== undefined && proof !== undefined);

async function refusal(x: unknown, by: Verifier = fast): Promise<string> {
  const verdict = await by.file(x, keys);
  return verdict.ok ? `good ${verdict.kind}` : `${verdict.reason} at ${verdict.at}`;
}

describe('verify', () => {
  it('finds every vector good under its function, and the same as a file', async () => {
    const groups: readonly (readonly [keyof Verifier, readonly { readonly object: unknown }[]])[] =
      [
        ['pulse', time.pulses],
        ['promise', time.promises],
        ['proof', time.proofs],
        ['now', time.now],
        ['seal', seal.blocks],
        ['attestation', attestation.attestations],
      ];
    for (const [kind, vectors] of groups) {
      for (const { object } of vectors) {
        const verdict = await fast[kind](object, keys, keys);
        assert.equal(verdict.ok && verdict.kind, kind);
        assert.deepEqual(await fast.file(object, keys), verdict);
      }
    }
  });

  it('returns the length of a chain and the number of missing minutes in it', async () => {
    const verdict = await fast.pulses(
      time.pulses.map(({ object }) => object),
      keys,
    );
    assert.ok(verdict.ok);
    assert.deepEqual(
      [
        verdict.count,
        verdict.fromSeq,
        verdict.toSeq,
        verdict.missingMinutes,
        verdict.keyIds.length,
      ],
      [5, 0, 4, 3, 2],
    );
    const blocks = await fast.seals(
      seal.blocks.map(({ object }) => object),
      keys,
    );
    assert.ok(blocks.ok);
    assert.deepEqual([blocks.count, blocks.toSeq, blocks.stamped], [3, 7, 2]);
  });

  it('refuses every published refusal with its reason and place, in browsers too', async () => {
    for (const { case: name, value, reason, at } of refusals.cases) {
      for (const by of [fast, verify]) {
        assert.equal(await refusal(value, by), `${reason} at ${at}`, name);
      }
    }
  });

  it('does not take an object of one kind for another', async () => {
    const [promise] = time.promises;
    const [now] = time.now;
    assert.ok(promise !== undefined && now !== undefined);
    for (const other of [promise.object, now.object, proof]) {
      const verdict = await fast.pulse(other, keys);
      assert.equal(verdict.ok, false);
    }
  });
});

describe('verify on hostile values', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  const named = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, n]));

  it('answers with a bounded place and sentence, and never throws', async () => {
    const long = 'x'.repeat(1_000_000);
    const body = { ...pulse.body };
    const own: unknown = JSON.parse(`{"__proto__":1,${JSON.stringify(pulse).slice(1)}`);
    const bare: unknown = Object.create(body);
    const values: readonly (readonly [unknown, string])[] = [
      [undefined, 'shape at '],
      [Number.NaN, 'shape at '],
      [nested(5_000), 'shape at 0'],
      [{ ...pulse, body: { ...body, prev: nested(5_000) } }, 'shape at body.prev'],
      [{ ...pulse, body: { ...body, prev: long } }, 'shape at body.prev'],
      [{ ...pulse, body: { ...body, [long]: 1 } }, 'shape at body'],
      [{ ...pulse, body: { ...body, '\u001b[2J': 1 } }, 'shape at body'],
      [{ ...pulse, body: named(MEMBERS_MAX) }, 'shape at '],
      [{ ...pulse, body: { ...body, ...named(100_000) } }, 'shape at body'],
      [own, 'shape at __proto__'],
      [{ ...pulse, bytes: 'A'.repeat(1_000_000) }, 'shape at bytes'],
      [{ ...pulse, body: bare }, 'shape at '],
      [{ ...proof, path: Array.from({ length: 1_000_000 }) }, 'shape at path'],
      [Array.from({ length: LIST_MAX + 1 }, () => pulse), 'shape at '],
    ];
    for (const [value, found] of values) {
      assert.equal(await refusal(value), found);
      const verdict = await fast.file(value, keys);
      assert.ok(!verdict.ok && verdict.says.length < 200, found);
    }
  });
});

describe('the list of keys', () => {
  const entry = keys.keys[2];
  const bad: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /keys is not the JSON/],
    [JSON.stringify(keys), /keys is not the JSON/],
    [{ keys: { 0: entry } }, /keys is not the JSON/],
    [{ keys: [entry, null] }, /keys\.1 is not an object/],
    [{ keys: [{ ...entry, keyId: undefined }] }, /keys\.0\.keyId is not text/],
    [{ keys: [{}] }, /keys\.0\.keyId is missing/],
    [{ keys: [entry, entry] }, /keys\.1\.keyId is listed twice/],
    [{ keys: [{ keyId: '1'.repeat(32) }] }, /keys\.0\.keyId is not the base58 of a sound/],
    [{ keys: [{ ...entry, publicKeyHex: '00' }] }, /publicKeyHex is not the key/],
    [{ keys: [{ ...entry, notAfter: '2026-01-01' }] }, /keys\.0\.notAfter is not a time/],
    [{ keys: Array.from({ length: KEYS_MAX + 1 }, () => entry) }, /more than 10000 keys/],
  ];

  it('is a TypeError that names the place, when it cannot be used', async () => {
    for (const [list, says] of bad) {
      for (const x of [pulse, [], {}, { promise: 1 }]) {
        await assert.rejects(fast.file(x, list), (error: unknown) => {
          assert.ok(error instanceof TypeError);
          assert.match(error.message, says);
          return true;
        });
      }
    }
  });

  it('may say more of a key than is asked', async () => {
    const more = { keys: keys.keys.map((each) => ({ ...each, later: { version: 2 } })) };
    assert.equal((await fast.pulse(pulse, more)).ok, true);
  });
});

describe('ed25519 in JavaScript and in OpenSSL', () => {
  const message = new TextEncoder().encode('message');
  const own = keyBytes(pulse.body.keyId) ?? new Uint8Array();
  const seed = Buffer.from(time.seeds.first, 'hex');
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const good = sign(null, message, { key: pkcs8, format: 'der', type: 'pkcs8' });
  const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
  const changed = (at: number, by: number): Uint8Array =>
    good.map((byte, place) => (place === at ? byte ^ by : byte));
  const plus = (low: bigint): Uint8Array => {
    const s = BigInt(`0x${Buffer.from(good.subarray(32)).reverse().toString('hex')}`) + low;
    const bytes = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
    return Uint8Array.of(...good.subarray(0, 32), ...bytes);
  };
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const neutral = hex(`01${'00'.repeat(31)}`);
  const cases: readonly (readonly [string, Uint8Array, Uint8Array, boolean])[] = [
    ['a good signature', own, good, true],
    ['a bit of R', own, changed(0, 1), false],
    ['the sign of R', own, changed(31, 0x80), false],
    ['a bit of S', own, changed(32, 1), false],
    ['S plus the order of the group', own, plus(order), false],
    ['zeros', own, new Uint8Array(64), false],
    ['the neutral point and no S', own, Uint8Array.of(...neutral, ...new Uint8Array(32)), false],
    ['a key that is no point', hex('02'.padEnd(64, '0')), good, false],
    ['the key of another', keyBytes(keys.keys[0]?.keyId ?? '') ?? own, good, false],
  ];

  for (const [name, key, signature, holds] of cases) {
    it(`agree on ${name}`, async () => {
      assert.equal(await nodeCrypto.ed25519(key, message, signature), holds);
      assert.equal(await webCrypto.ed25519(key, message, signature), holds);
    });
  }
});

describe('a path', () => {
  const inputs = merkle.inputs.map(hexBytes);

  it('leads every leaf of the shared RFC 6962 trees to the root, and no other leaf', async () => {
    for (const { leaves, root, paths } of merkle.trees) {
      for (const [index, path] of paths.entries()) {
        for (const [other, input] of inputs.slice(0, leaves).entries()) {
          const place = { index, leaves };
          const found = await rootFrom(input, place, path.map(hexBytes), nodeCrypto);
          assert.equal(found !== undefined && hexOf(found) === root, other === index);
        }
      }
    }
  });

  it('has one length for each leaf', async () => {
    const [input, step] = [inputs[0] ?? new Uint8Array(), new Uint8Array(32)];
    const lengths = async (index: number, leaves: number): Promise<readonly number[]> => {
      const found: number[] = [];
      for (let length = 0; length <= 64; length += 1) {
        const path = Array.from({ length }, () => step);
        const root = await rootFrom(input, { index, leaves }, path, nodeCrypto);
        if (root !== undefined) found.push(length);
      }
      return found;
    };
    assert.deepEqual(await lengths(0, 1), [0]);
    assert.deepEqual(await lengths(0, 5), [3]);
    assert.deepEqual(await lengths(4, 5), [1]);
    assert.deepEqual(await lengths(2 ** 53 - 2, 2 ** 53 - 1), [52]);
    assert.deepEqual(await lengths(0, 2 ** 53 - 1), [53]);
  });
});

describe('the grammar', () => {
  it('knows the calendar and the clock', () => {
    const times: readonly (readonly [string, boolean])[] = [
      ['2024-02-29T23:59:59.999Z', true],
      ['2026-02-29T00:00:00.000Z', false],
      ['2026-04-31T00:00:00.000Z', false],
      ['2026-01-01T24:00:00.000Z', false],
      ['2026-01-01T23:59:60.000Z', false],
      ['1970-01-01T00:00:00.000Z', true],
      ['1969-12-31T23:59:59.999Z', false],
      ['9999-12-31T23:59:59.999Z', true],
      ['2026-01-01T00:00:00Z', false],
      ['2026-01-01T00:00:00.000z', false],
      ['2026-01-01T00:00:00.000+00:00', false],
      ['2026-01-01T00:00:00.000Z\n', false],
    ];
    for (const [text, holds] of times) assert.equal(isTime(text), holds, text);
    assert.equal(isMinute('2026-01-01T00:00:00Z'), true);
    assert.equal(isMinute('2026-01-32T00:00:00Z'), false);
  });

  it('gives every run of bytes one text', () => {
    for (const text of ['AA', 'AAA', 'AAAA', 'A-_w']) assert.equal(isSignedBytes(text), true, text);
    for (const text of ['', 'A', 'AB', 'AAB', 'AAAAA', 'AA==', 'A A', 'A+/w']) {
      assert.equal(isSignedBytes(text), false, text);
    }
    assert.equal(isKeyId(`${pulse.body.keyId} `), false);
    assert.equal(isKeyId(`1${pulse.body.keyId}`), false);
  });

  it('counts characters, not their halves', () => {
    assert.equal(isText('😀😀', 2), true);
    assert.equal(isText('😀😀a', 2), false);
    assert.equal(isText('\ud83d', 2), false);
  });
});
