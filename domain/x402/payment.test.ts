import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import { envelope, ENVELOPE_LENGTH_MAX } from './envelope.ts';
import { AMOUNT, NOW_SECONDS, payloadV1, payloadV2, RAIL } from './fixture.ts';
import { judgePayment } from './judge.ts';
import { readPayment, type Payment } from './payment.ts';
import type { RefusedPayment } from './words.ts';

const NOW = instant(NOW_SECONDS * 1000);
const v1 = (value: unknown) => readPayment({ v1: envelope(value), v2: undefined });
const v2 = (value: unknown) => readPayment({ v1: undefined, v2: envelope(value) });

function faultOf(read: Payment | RefusedPayment | undefined, amount = AMOUNT): string {
  assert.ok(read !== undefined);
  if ('fault' in read) return read.fault;
  return judgePayment(read, { rail: RAIL, amount }, NOW)?.fault ?? 'taken';
}

describe('a payment over x402', () => {
  it('is taken in both versions, and is none when no header came', () => {
    assert.equal(faultOf(v1(payloadV1())), 'taken');
    assert.equal(faultOf(v2(payloadV2())), 'taken');
    assert.equal(readPayment({ v1: undefined, v2: undefined }), undefined);
  });

  it('is read in lower case, to the unit', () => {
    const read = v2(payloadV2());
    assert.ok(read !== undefined && 'authorization' in read);
    const { from, value, validBefore } = read.authorization;
    assert.equal(from, '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a');
    assert.deepEqual([value, validBefore], [10_000n, 1_740_672_154n]);
  });

  const unreadable: readonly (readonly [string, string])[] = [
    ['no base64', '{"x402Version":1}'],
    ['base64 of another alphabet', 'eyJ4-_8='],
    ['a blank inside', `${envelope(payloadV1()).slice(0, 8)} ${envelope(payloadV1()).slice(8)}`],
    ['nothing', ''],
    ['base64 of no JSON', Buffer.from('{').toString('base64')],
    ['a member twice', Buffer.from('{"x402Version":1,"x402Version":1}').toString('base64')],
    ['deep nesting', Buffer.from(`${'['.repeat(500)}${']'.repeat(500)}`).toString('base64')],
    ['a list', envelope([payloadV1()])],
    ['a text', envelope('x')],
    ['a megabyte', 'A'.repeat(1_048_576)],
    ['more than a header holds', 'A'.repeat(ENVELOPE_LENGTH_MAX + 4)],
  ];
  for (const [what, text] of unreadable) {
    it(`is refused when it is ${what}`, () => {
      assert.equal(faultOf(readPayment({ v1: text, v2: undefined })), 'invalid_payload');
      assert.equal(faultOf(readPayment({ v1: undefined, v2: text })), 'invalid_payload');
    });
  }

  it('is refused when both headers came', () => {
    const both = { v1: envelope(payloadV1()), v2: envelope(payloadV2()) };
    assert.equal(faultOf(readPayment(both)), 'invalid_payload');
  });

  it('may bring more than is asked for, and not less', () => {
    assert.equal(faultOf(v1(payloadV1()), atomic(9_999n)), 'taken');
    assert.match(faultOf(v1(payloadV1()), atomic(10_001n)), /authorization_value$/);
  });
});
