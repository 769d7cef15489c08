import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { base58 } from '@scure/base';
import type { components } from '../../generated/types.ts';

/** Checks signed objects by `spec/BYTES.md` alone, without code of the server, as clients do. */
type Schemas = components['schemas'];
export type SignedTime = Schemas['SignedTime'];
export type StampPromise = Schemas['StampPromise'];
export type StampProof = Schemas['StampProof'];
export type Pulse = Schemas['Pulse'];

const ZEROS = '0'.repeat(64);
const EMPTY_ROOT = sha256('').toString('hex');
const MINUTE_MS = 60_000;

interface Signed {
  readonly body: { readonly keyId: string };
  readonly bytes: string;
  readonly signature: string;
}

/** The bytes are the prefix and the canonical JSON of the body, and the named key signed them. */
function mustBeSigned(prefix: string, { body, bytes, signature }: Signed): Buffer {
  const message = Buffer.from(bytes, 'base64url');
  assert.equal(message.toString(), `${prefix}\n${canonicalJson(body)}`);
  assert.doesNotMatch(bytes, /=/, 'base64url has no padding here');
  const x = Buffer.from(base58.decode(body.keyId)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  assert.ok(verify(null, message, key, Buffer.from(signature, 'base64')), 'the signature');
  return message;
}

/** RFC 8785 for objects whose names are ASCII and whose numbers are whole. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `"${name}":${canonicalJson(member)}`).join(',')}}`;
}

export function mustBeTime(signed: SignedTime): void {
  mustBeSigned('hub/time/now/v1', signed);
  assert.equal(Date.parse(signed.body.now), signed.body.unixMs);
}

export function mustBePromise(promise: StampPromise): void {
  mustBeSigned('hub/time/promise/v1', promise);
  const { minute, pulse, receivedAt } = promise.body;
  assert.equal(pulse, minute);
  assert.ok(Date.parse(minute) + MINUTE_MS > Date.parse(receivedAt), 'promised to a minute past');
}

function mustBePulse(pulse: Pulse): void {
  const { body } = pulse;
  const message = mustBeSigned('hub/time/pulse/v1', pulse);
  assert.equal(pulse.digest, sha256(message).toString('hex'));
  const lag = Date.parse(body.issuedAt) - Date.parse(body.minute);
  assert.ok(lag >= MINUTE_MS && lag < 2 * MINUTE_MS, `issued ${lag} ms after its minute began`);
  assert.equal(body.leaves === 0, body.root === EMPTY_ROOT);
  if (body.seq === 0) assert.deepEqual([body.prev, body.random, body.gap], [ZEROS, ZEROS, null]);
}

/** Pulses that follow one another without a hole, each of them sound. */
export function mustBeChain(pulses: readonly Pulse[]): void {
  assert.ok(pulses.length > 0);
  for (const [place, pulse] of pulses.entries()) {
    mustBePulse(pulse);
    const before = pulses[place - 1];
    if (before !== undefined) mustFollow(before, pulse);
  }
}

function mustFollow(before: Pulse, { body }: Pulse): void {
  const was = before.body;
  assert.deepEqual(
    [body.chain, body.seq, body.prev, body.keyId],
    [was.chain, was.seq + 1, before.digest, was.nextKeyId ?? was.keyId],
  );
  assert.equal(sha256(Buffer.from(body.random, 'hex')).toString('hex'), was.nextCommit);
  assert.ok(Date.parse(body.issuedAt) > Date.parse(was.issuedAt), 'issued later');
  const [from, to] = [Date.parse(was.minute) + MINUTE_MS, Date.parse(body.minute)];
  assert.ok(to >= from, 'a later minute');
  const gap = body.gap === null ? null : { ...body.gap, cause: 'any' };
  const missed = { from: minuteText(from), to: minuteText(to - MINUTE_MS), cause: 'any' };
  assert.deepEqual(gap, to === from ? null : { ...missed, minutes: (to - from) / MINUTE_MS });
}

/** `2026-11-20T10:15:00Z` */
function minuteText(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** The proof leads from its digest to the root that its signed pulse names. */
export function mustProve(proof: StampProof): void {
  mustBePulse(proof.pulse);
  const { body } = proof.pulse;
  assert.deepEqual([proof.leaves, proof.root], [body.leaves, body.root]);
  assert.equal(rootFrom(proof), proof.root, `leaf ${proof.leafIndex} of ${proof.leaves}`);
  const late = Date.parse(proof.promisedMinute) < Date.parse(body.minute);
  assert.equal(proof.late, late ? true : undefined);
  if (!late) assert.equal(proof.promisedMinute, body.minute);
}

/** The hub kept its word. */
export function mustKeep(promise: StampPromise, proof: StampProof): void {
  mustBePromise(promise);
  mustProve(proof);
  assert.deepEqual(
    [proof.digest, proof.promisedMinute],
    [promise.body.digest, promise.body.minute],
  );
}

/** RFC 6962 2.1.1 the other way round: the root that a leaf and its path lead to. */
function rootFrom({ digest, leafIndex, leaves, path }: StampProof): string {
  assert.ok(leafIndex < leaves);
  let hash = sha256(Buffer.of(0), Buffer.from(digest, 'hex'));
  let [node, last] = [leafIndex, leaves - 1];
  for (const step of path) {
    assert.ok(last > 0, 'the path is too long');
    const sibling = Buffer.from(step, 'hex');
    if (node % 2 === 1 || node === last) {
      hash = sha256(Buffer.of(1), sibling, hash);
      while (node % 2 === 0 && node > 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else {
      hash = sha256(Buffer.of(1), hash, sibling);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  assert.equal(last, 0, 'the path is too short');
  return hash.toString('hex');
}

/** RFC 6962 2.1, as its definition reads: split at the largest power of two below the size. */
export function merkleRoot(digests: readonly string[]): string {
  return subtree(digests.map((digest) => Buffer.from(digest, 'hex'))).toString('hex');
}

function subtree(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (first === undefined) return sha256('');
  if (leaves.length === 1) return sha256(Buffer.of(0), first);
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return sha256(Buffer.of(1), subtree(leaves.slice(0, split)), subtree(leaves.slice(split)));
}

export function sha256(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
