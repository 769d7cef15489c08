import assert from 'node:assert/strict';
import fc from 'fast-check';
import { keyIdOf } from '../account.ts';
import { sha256 } from '../digest.ts';
import { contentDigest, requiredComponents, signatureBase, signatureParams } from './base.ts';
import { fixtureKey, policyAt } from './fixture.ts';
import { inspect } from './inspect.ts';
import { readFields, readMessage, type RawRequest } from './message.ts';

const CREATED_SECONDS = 1_767_225_600;
const ORIGIN = 'https://hub.example';
const policy = policyAt(CREATED_SECONDS + 7);

/** Characters that a request line carries unescaped, the awkward ones included. */
const targetText = fc.string({
  unit: fc.constantFrom(...'abzAZ09-._~/%2F+&=;:@!$\'()*,"<>[]{}|\\^`'),
  maxLength: 40,
});
/** Without space at its ends, which belongs to no value. */
const headerText = fc
  .string({ unit: fc.constantFrom(...'ab Z9,;="\\:()\t'), maxLength: 20 })
  .map((text) => text.trim());

const sent = fc.record({
  seed: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  method: fc.constantFrom('GET', 'POST', 'DELETE', 'PROPFIND'),
  path: targetText.map((text) => `/${text.replace(/^\/+/, '')}`),
  query: fc.option(
    targetText.map((text) => `?${text}`),
    { nil: '' },
  ),
  body: fc.uint8Array({ maxLength: 60 }),
  payment: fc.option(headerText, { nil: undefined }),
  note: fc.option(headerText, { nil: undefined }),
  nonce: fc.string({ unit: fc.constantFrom(...'abc019-_= ,;()'), minLength: 8, maxLength: 128 }),
  extra: fc.subarray(['@authority', '@request-target', '@target-uri', '@scheme', '@query']),
  shuffle: fc.nat(),
});

type Sent = typeof sent extends fc.Arbitrary<infer T> ? T : never;

/** Signs as a careful client would, covering everything that is there in some order. */
function signed(from: Sent): RawRequest {
  const key = fixtureKey(from.seed);
  const headers = ['Host', 'hub.example'];
  if (from.body.length > 0) headers.push('content-digest', contentDigest(sha256(from.body)));
  if (from.payment !== undefined) headers.push('X-Payment', from.payment);
  if (from.note !== undefined) headers.push('X-Note', from.note);
  const request = { method: from.method, target: from.path + from.query, headers, body: from.body };
  const message = readMessage(request, readFields(headers), [ORIGIN]);
  assert.ok(!('reason' in message));
  const note = from.note === undefined ? [] : ['x-note'];
  const all = [...new Set([...requiredComponents(message), ...from.extra, ...note])];
  const turn = from.shuffle % all.length;
  const covered = [...all.slice(turn), ...all.slice(0, turn)];
  const keyId = keyIdOf(key.publicKey);
  const params = signatureParams(covered, {
    createdSeconds: CREATED_SECONDS,
    keyId,
    nonce: from.nonce,
  });
  const base = signatureBase(message, covered, params);
  assert.ok(base.ok);
  const bytes = Buffer.from(key.sign(Buffer.from(base.text)));
  headers.push('Signature-Input', `sig1=${params}`);
  headers.push('Signature', `sig1=:${bytes.toString('base64')}:`);
  return request;
}

/** Another character in one place; never one that only differs in case, which hosts allow. */
function flip(text: string, place: number, by: number): string {
  const at = place % text.length;
  const old = text.charCodeAt(at);
  let code = old;
  do code = 0x20 + ((code - 0x20 + 1 + (by % 94)) % 95);
  while (String.fromCharCode(code).toLowerCase() === String.fromCharCode(old).toLowerCase());
  return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
}

/** One byte of one covered thing, chosen by number, is another byte. */
function tampered(request: RawRequest, thing: number, place: number, by: number): RawRequest {
  const values = request.headers.flatMap((value, at) => (at % 2 === 1 && value !== '' ? [at] : []));
  const parts = 2 + (request.body.length > 0 ? 1 : 0) + values.length;
  const part = thing % parts;
  if (part === 0) return { ...request, method: flip(request.method, place, by) };
  if (part === 1) return { ...request, target: flip(request.target, place, by) };
  const header = values[part - 2];
  if (header === undefined) {
    const body = Uint8Array.from(request.body);
    const at = place % body.length;
    body[at] = (body[at] ?? 0) ^ (1 << (by % 8));
    return { ...request, body };
  }
  const headers = [...request.headers];
  headers[header] = flip(headers[header] ?? '', place, by);
  return { ...request, headers };
}

describe('httpsig', () => {
  it('verifies what was signed, whatever the request', () => {
    fc.assert(
      fc.property(sent, (from) => {
        const verdict = inspect(signed(from), policy);
        assert.equal(verdict.kind, 'verified', JSON.stringify(verdict));
      }),
      { numRuns: 300 },
    );
  });

  it('refuses any one byte changed in anything covered, in the digest and in the signature', () => {
    const everything = sent.map((from) => ({ ...from, extra: ['@authority'] }));
    fc.assert(
      fc.property(everything, fc.nat(), fc.nat(), fc.nat(), (from, thing, place, by) => {
        const verdict = inspect(tampered(signed(from), thing, place, by), policy);
        assert.notEqual(verdict.kind, 'verified', JSON.stringify(verdict));
      }),
      { numRuns: 1500 },
    );
  });

  it('answers any headers at all with a verdict', () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), headerText);
    const names = fc.constantFrom('Signature-Input', 'Signature', 'Content-Digest', 'Host');
    const hostile = fc.array(fc.tuple(names, anyText), { maxLength: 6 });
    fc.assert(
      fc.property(hostile, anyText, anyText, (pairs, method, target) => {
        const request = { method, target, headers: pairs.flat(), body: new Uint8Array(3) };
        assert.notEqual(inspect(request, policy).kind, 'verified');
      }),
      { numRuns: 500 },
    );
  });
});
