import assert from 'node:assert/strict';
import { verifyAsync } from '@noble/ed25519';
import { base58 } from '@scure/base';
import { sha256, sha256Hex, sha512 } from '../digest.ts';
import { base64, signatureBase } from './base.ts';
import { fixtureKey, policyAt, rawRequest, VECTOR_ORIGIN } from './fixture.ts';
import { inspect } from './inspect.ts';
import { readFields, readMessage } from './message.ts';
import malformed from '../../spec/vectors/signatures-malformed.json' with { type: 'json' };
import vectors from '../../spec/vectors/signatures.json' with { type: 'json' };

const encoder = new TextEncoder();
const testKey = fixtureKey(Buffer.from(vectors.key.seedHex, 'hex'));
const genuine = new Map(Object.entries(malformed.genuine));
const me = rawRequest(malformed.genuine.me);

describe('signature vectors', () => {
  for (const vector of vectors.rfc9421) {
    it(`builds the base of RFC 9421 and its signature holds: ${vector.title}`, () => {
      const request = rawRequest(vector.request);
      const host = vector.request.headers[0]?.[1] ?? '';
      const message = readMessage(request, readFields(request.headers), [`https://${host}`]);
      assert.ok(!('reason' in message));
      const params = vector.base.slice(vector.base.lastIndexOf('": (') + 3);
      const base = signatureBase(message, vector.covered, params);
      assert.deepEqual(base, { ok: true, text: vector.base });
      assert.equal(sha256Hex(vector.base), vector.baseSha256);
      assert.equal(base64(testKey.sign(encoder.encode(vector.base))), vector.signature);
    });
  }

  for (const { body, sha256: short, sha512: long } of vectors.digests) {
    it(`gives the digests of RFC 9530 for ${JSON.stringify(body)}`, () => {
      assert.equal(base64(sha256(body)), short);
      if (long !== undefined) assert.equal(base64(sha512(body)), long);
    });
  }

  for (const vector of vectors.accepted) {
    it(`verifies: ${vector.title}`, () => {
      const verdict = inspect(rawRequest(vector.request), policyAt(vector.nowSeconds));
      assert.ok(verdict.kind === 'verified', JSON.stringify(verdict));
      assert.equal(verdict.keyId, vectors.key.keyId);
      assert.equal(verdict.base, vector.base);
      assert.equal(sha256Hex(verdict.base), vector.baseSha256);
      assert.ok(verdict.steps.every((step) => step.ok));
      assert.equal(base64(testKey.sign(encoder.encode(verdict.base))), vector.signature);
    });
  }
});

describe('malformed signature vectors', () => {
  it('start from requests that verify', () => {
    assert.ok(malformed.cases.length >= 130);
    assert.deepEqual(malformed.origins, [VECTOR_ORIGIN]);
    for (const request of genuine.values()) {
      const verdict = inspect(rawRequest(request), policyAt(malformed.nowSeconds));
      assert.equal(verdict.kind, 'verified', JSON.stringify(verdict));
    }
  });

  for (const vector of malformed.cases) {
    it(`${vector.reason}: ${vector.title}`, () => {
      assert.ok(genuine.has(vector.from));
      const at = vector.nowSeconds ?? malformed.nowSeconds;
      const verdict = inspect(rawRequest(vector.request), policyAt(at));
      assert.ok(verdict.kind === 'refused', JSON.stringify(verdict));
      assert.equal(verdict.reason, vector.reason, verdict.detail);
      assert.ok(verdict.detail.includes(vector.detail), verdict.detail);
      assert.deepEqual(
        verdict.steps.map((step) => step.ok),
        [...verdict.steps.slice(1).map(() => true), false],
      );
    });
  }
});

describe('inspect', () => {
  it('takes a request without any signature header for a visitor, whatever its target', () => {
    for (const target of ['/api/v1/agents', '//x', '*']) {
      const headers = ['Host', 'hub.example', 'X-Payment', 'eyJ4'];
      assert.equal(inspect({ ...me, target, headers }, policyAt(0)).kind, 'unsigned');
    }
  });

  it("takes a request with other applications' signatures alone for a visitor", () => {
    const headers = [
      ...['Signature-Input', 'wba=("@authority");created=1;keyid="x";tag="web-bot-auth"'],
      ...['Signature', 'wba=:AAAA:'],
    ];
    const verdict = inspect({ ...me, headers }, policyAt(0));
    assert.ok(verdict.kind === 'unsigned' && verdict.detail.includes('tag'));
  });

  it('counts the window in whole seconds, 300 inside and 301 outside, both ways', () => {
    const created = malformed.nowSeconds;
    const kindAt = (seconds: number): string => inspect(me, policyAt(seconds)).kind;
    assert.equal(kindAt(created + 300.999), 'verified');
    assert.equal(kindAt(created + 301), 'refused');
    assert.equal(kindAt(created - 300), 'verified');
    assert.equal(kindAt(created - 300.001), 'refused');
  });

  it('hands back what the server needs to spend the nonce', () => {
    const verdict = inspect(me, policyAt(malformed.nowSeconds));
    assert.ok(verdict.kind === 'verified');
    assert.equal(verdict.nonce, 'bm9uY2UtMDAx');
    assert.equal(verdict.created, malformed.nowSeconds * 1000);
    assert.deepEqual(verdict.covered, ['@method', '@path']);
  });

  it('shows the base it built when a signature does not verify', () => {
    const verdict = inspect({ ...me, target: '/api/v1/other' }, policyAt(malformed.nowSeconds));
    assert.ok(verdict.kind === 'refused' && verdict.reason === 'unknown-key');
    assert.ok(verdict.base?.startsWith('"@method": GET\n"@path": /api/v1/other\n'));
  });

  it('knows each of its origins, with or without the default port of its scheme', () => {
    const origins = ['https://hub.example', 'http://127.0.0.1:4020', 'http://plain.example'];
    const place = (host: string): readonly unknown[] => {
      const message = readMessage(me, readFields(['Host', host]), origins);
      assert.ok(!('reason' in message));
      return [message.scheme, message.authority, message.isForThisHub];
    };
    assert.deepEqual(place('hub.example:443'), ['https', 'hub.example', true]);
    assert.deepEqual(place('127.0.0.1:4020'), ['http', '127.0.0.1:4020', true]);
    assert.deepEqual(place('Plain.Example:80'), ['http', 'plain.example', true]);
    assert.deepEqual(place('plain.example:443'), ['https', 'plain.example:443', false]);
    assert.deepEqual(place('127.0.0.1'), ['https', '127.0.0.1', false]);
  });

  it('takes time in proportion to the headers, whatever they hold', () => {
    const long = `a${' '.repeat(200_000)}b`;
    const input = `sig1=("@method"${' '.repeat(3900)}"@path");created=1`;
    const quoted = `sig1="${'\\\\'.repeat(2000)}"`;
    // Processor time, not the wall's: how busy the machine is says nothing about the code.
    const begun = process.cpuUsage();
    for (const [name, value] of [
      ['X-Note', long],
      ['Signature', long],
      ['Host', long],
    ] as const) {
      inspect({ ...me, headers: [...me.headers, name, value] }, policyAt(malformed.nowSeconds));
    }
    for (const value of [input, quoted, `${'('.repeat(4000)}`, `sig1=(${'"a" '.repeat(1000)}`]) {
      const headers = ['Signature-Input', value, 'Signature', 'sig1=:AAAA:'];
      assert.equal(inspect({ ...me, headers }, policyAt(0)).kind, 'refused');
    }
    assert.ok(process.cpuUsage(begun).user < 500_000);
  });

  it('refuses the published test key unless the policy lets it in', () => {
    const verdict = inspect(me, policyAt(malformed.nowSeconds, { allowTestKey: false }));
    assert.ok(verdict.kind === 'refused' && verdict.reason === 'unknown-key');
    assert.ok(verdict.detail.includes('published'));
  });

  it('asks the verifier nothing about a key the policy refuses', async () => {
    const forged = malformed.cases.filter(({ title }) => title.includes('passes a plain verifier'));
    assert.ok(forged.length >= 8);
    for (const { request } of forged) {
      const verify = (): boolean => assert.fail('the verifier was asked');
      const verdict = inspect(rawRequest(request), policyAt(malformed.nowSeconds, { verify }));
      assert.ok(verdict.kind === 'refused' && verdict.base !== undefined);
      const signature = Buffer.alloc(64);
      signature[0] = 1;
      const keyId = /keyid="([^"]+)"/.exec(verdict.base)?.[1] ?? '';
      // OpenSSL 3.5 refuses these keys by itself, so another verifier shows that the signature is one.
      const message = encoder.encode(verdict.base);
      assert.ok(await verifyAsync(signature, message, base58.decode(keyId)));
    }
  });
});
