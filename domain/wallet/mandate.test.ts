import assert from 'node:assert/strict';
import fc from 'fast-check';
import { keyAccount, keyIdOf } from '../account.ts';
import { defined } from '../defined.ts';
import { instant } from '../instant.ts';
import type { JsonObject } from '../jsonObject.ts';
import { AMOUNT_MAX, atomic } from '../money.ts';
import { NETWORK_IDS } from '../network.ts';
import { mandateContent, mandateIn } from './mandate.ts';
import type { KeyPolicy } from './policy.ts';
import { readSdJwt, writeSdJwt } from './sdJwt.ts';

const NOW = instant(Date.parse('2026-11-26T09:10:00.250Z'));
const KEY = keyIdOf(Uint8Array.from({ length: 32 }, (_, place) => place + 1));
const BY = {
  issuer: 'https://hub.example',
  keyId: KEY,
  salt: Uint8Array.from({ length: 16 }, () => 7),
  sign: () => new Uint8Array(64),
};

const amount = fc.bigInt({ min: 0n, max: AMOUNT_MAX }).map(atomic);
const names = (lengthMax: number): fc.Arbitrary<string[]> =>
  fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: lengthMax }), { maxLength: 5 });
const account = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => keyAccount(keyIdOf(bytes)));
const anyPolicy = fc
  .record(
    {
      perCall: amount,
      perHour: amount,
      perDay: amount,
      perMonth: amount,
      approveAbove: amount,
      operations: names(20),
      counterparties: fc.array(account, { maxLength: 5 }),
      tools: names(20),
      models: names(20),
      networks: fc.subarray([...NETWORK_IDS]),
      expiresAt: fc
        .integer({ min: 1, max: 100_000 })
        .map((s) => instant((1_800_000_000 + s) * 1000)),
    },
    { requiredKeys: [] },
  )
  .map((policy) => defined(policy) as KeyPolicy);

function payloadOf(content: JsonObject): JsonObject {
  const read = readSdJwt(writeSdJwt(content, BY));
  assert.ok(typeof read !== 'string', String(read));
  return read.payload;
}

function mustRead(content: JsonObject): KeyPolicy {
  const read = mandateIn(payloadOf(content), NOW);
  assert.ok(typeof read !== 'string', String(read));
  assert.equal(read.keyId, KEY);
  return read.policy;
}

describe('a policy as a mandate', () => {
  it('is the same policy when it is read again', () => {
    fc.assert(
      fc.property(anyPolicy, (policy) => {
        assert.deepEqual(mustRead(mandateContent(policy, KEY, NOW)), policy);
      }),
    );
  });

  it('ends in the whole second before the policy does', () => {
    const policy = { expiresAt: instant(NOW + 9_999) };
    const read = mustRead(mandateContent(policy, KEY, NOW));
    assert.equal(read.expiresAt, Math.floor((NOW + 9_999) / 1000) * 1000);
  });

  it('is never wider with one more constraint or one that is narrower', () => {
    fc.assert(
      fc.property(anyPolicy, anyPolicy, (first, second) => {
        const [one, other] = [first, second].map((each) => mandateContent(each, KEY, NOW));
        const known = new Set(typesOf(one).map(({ type }) => type));
        const more = typesOf(other).filter(({ type }) => !known.has(type));
        const read = mustRead({ ...one, constraints: [...typesOf(one), ...more] });
        const [alone, added] = [mustRead({ ...one }), mustRead({ ...one, constraints: more })];
        for (const policy of [alone, added]) assert.ok(isWithin(read, policy));
      }),
    );
  });
});

function typesOf(content: JsonObject | undefined): readonly JsonObject[] {
  return content?.['constraints'] as readonly JsonObject[];
}

/** Whether each member of the outer policy holds in the inner one as well. */
function isWithin(inner: KeyPolicy, outer: KeyPolicy): boolean {
  return Object.entries(outer).every(([name, limit]: [string, unknown]) => {
    const own: unknown = inner[name as keyof KeyPolicy];
    if (Array.isArray(limit))
      return Array.isArray(own) && own.every((each) => limit.includes(each));
    return own !== undefined && (own as bigint) <= (limit as bigint);
  });
}
