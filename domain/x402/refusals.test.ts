import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import { envelope, ENVELOPE_LENGTH_MAX, openEnvelope } from './envelope.ts';
import { AMOUNT, NOW_SECONDS, payloadV1, payloadV2, RAIL, SIGNATURE } from './fixture.ts';
import { judgePayment, PAYMENT_MAX } from './judge.ts';
import { readPayment } from './payment.ts';
import type { RefusedPayment } from './words.ts';

const NOW = instant(NOW_SECONDS * 1000 + 999);
const HUB = '0x209693bc6afc0c5328ba36faf03c514ef312287c';
const TOKEN = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const VALUE = 'invalid_exact_evm_payload_authorization_value';
const BEFORE = 'invalid_exact_evm_payload_authorization_valid_before';
const AFTER = 'invalid_exact_evm_payload_authorization_valid_after';
const SIGNED = 'invalid_exact_evm_payload_signature';

function judged(headers: Parameters<typeof readPayment>[0]): RefusedPayment | undefined {
  const read = readPayment(headers);
  assert.ok(read !== undefined);
  return 'fault' in read ? read : judgePayment(read, { rail: RAIL, amount: AMOUNT }, NOW);
}
const v1 = (value: unknown) => judged({ v1: envelope(value), v2: undefined });
const v2 = (value: unknown) => judged({ v1: undefined, v2: envelope(value) });
const ordered = (authorization: Readonly<Record<string, unknown>>) =>
  v1(payloadV1({}, authorization));
const signedBy = (signature: unknown) => {
  const { payload } = payloadV1();
  return v1(payloadV1({ payload: { ...(payload as object), signature } }));
};

/** The fault, and the values that its reason must have for a payer who mends it. */
type Row = readonly [
  what: string,
  fault: string,
  values: readonly string[],
  () => RefusedPayment | undefined,
];

function itRefuses(rows: readonly Row[]): void {
  for (const [what, fault, values, refused] of rows) {
    it(`names ${what}`, () => {
      const found = refused();
      assert.equal(found?.fault, fault);
      for (const value of values) assert.ok(found.why.includes(value), found.why);
      assert.match(found.why, /^\S+( \S+){2,}$/);
    });
  }
}

describe('the refusal of an x402 header', () => {
  const unread = (text: string) => judged({ v1: text, v2: undefined });
  const first = ['X-PAYMENT', 'x402Version 1'];
  const version = 'invalid_x402_version';
  itRefuses([
    [
      'both headers',
      'invalid_payload',
      ['X-PAYMENT', 'PAYMENT-SIGNATURE'],
      () => judged({ v1: envelope(payloadV1()), v2: envelope(payloadV2()) }),
    ],
    ['base64 that is none', 'invalid_payload', ['X-PAYMENT', 'base64'], () => unread('{')],
    [
      'an empty header',
      'invalid_payload',
      ['PAYMENT-SIGNATURE', 'base64'],
      () => judged({ v1: undefined, v2: '' }),
    ],
    [
      'a header that is too long',
      'invalid_payload',
      ['X-PAYMENT', '8193', '8192'],
      () => unread('A'.repeat(8_193)),
    ],
    [
      'text that is not UTF-8',
      'invalid_payload',
      ['X-PAYMENT', 'UTF-8'],
      () => unread(Buffer.of(0xff).toString('base64')),
    ],
    ['a list', 'invalid_payload', ['PAYMENT-SIGNATURE', 'object'], () => v2([])],
    ['the version that X-PAYMENT carries', version, first, () => v1(payloadV2())],
    ['a version to come', version, first, () => v1(payloadV1({ x402Version: 3 }))],
    ['a version as text', version, first, () => v1(payloadV1({ x402Version: '1' }))],
    [
      'the version that PAYMENT-SIGNATURE carries',
      version,
      ['PAYMENT-SIGNATURE', 'x402Version 2'],
      () => v2(payloadV1()),
    ],
  ]);

  it('comes above 8,192 characters, and not at them', () => {
    assert.equal(ENVELOPE_LENGTH_MAX, 8_192);
    const fits = openEnvelope(envelope('x'.repeat(6_142)));
    assert.deepEqual(fits, { ok: true, value: 'x'.repeat(6_142) });
    assert.equal(envelope('x'.repeat(6_142)).length, ENVELOPE_LENGTH_MAX);
    assert.equal(openEnvelope(envelope('x'.repeat(6_143))).ok, false);
  });
});

describe('the refusal of an x402 payload', () => {
  const { accepted: _, ...without } = payloadV2();
  const needs = ['`accepted`', 'asset', 'payTo', 'amount'];
  const seconds = ['`validAfter`', '`validBefore`'];
  const amount = ['`value`', 'atomic units'];
  const wallet = ['`payload.signature`', '65 bytes'];
  const addresses = ['`from`', '`to`'];
  const nonce = ['`nonce`', '64 hex digits'];
  itRefuses([
    ['terms that are missing', 'invalid_payload', ['`accepted`'], () => v2(without)],
    ['another scheme', 'unsupported_scheme', ['`exact`'], () => v2(payloadV2({ scheme: 'upto' }))],
    [
      'another scheme in version 1',
      'unsupported_scheme',
      ['`exact`'],
      () => v1(payloadV1({ scheme: 'batch' })),
    ],
    [
      'a chain that is missing',
      'invalid_network',
      ['`network`'],
      () => v2(payloadV2({ network: 8_453 })),
    ],
    ['a missing asset', 'invalid_payload', needs, () => v2(payloadV2({ asset: undefined }))],
    ['a missing payTo', 'invalid_payload', needs, () => v2(payloadV2({ payTo: undefined }))],
    ['an amount as a number', 'invalid_payload', needs, () => v2(payloadV2({ amount: 10_000 }))],
    [
      'an order that is missing',
      'invalid_payload',
      ['`payload.authorization`', 'EIP-3009'],
      () => v1(payloadV1({ payload: null })),
    ],
    ['a missing signature', SIGNED, wallet, () => signedBy(undefined)],
    ['a signature of 64 bytes', SIGNED, wallet, () => signedBy(SIGNATURE.slice(0, -2))],
    ['a signature in a list', SIGNED, wallet, () => signedBy([SIGNATURE])],
    ['a payer that is no address', 'invalid_payload', addresses, () => ordered({ from: '0x01' })],
    ['a receiver that is none', 'invalid_payload', addresses, () => ordered({ to: null })],
    [
      'a nonce of 31 bytes',
      'invalid_payload',
      nonce,
      () => ordered({ nonce: `0x${'1'.repeat(62)}` }),
    ],
    [
      'a nonce in a list',
      'invalid_payload',
      nonce,
      () => ordered({ nonce: [`0x${'1'.repeat(64)}`] }),
    ],
    ['a value that is a number', VALUE, amount, () => ordered({ value: 10_000 })],
    ['a negative value', VALUE, amount, () => ordered({ value: '-10000' })],
    ['a value in a list', VALUE, amount, () => ordered({ value: ['10000'] })],
    ['a beginning as a number', 'invalid_payload', seconds, () => ordered({ validAfter: 0 })],
    [
      'an end as a number',
      'invalid_payload',
      seconds,
      () => ordered({ validBefore: 1_740_672_154 }),
    ],
    [
      'an end in another notation',
      'invalid_payload',
      seconds,
      () => ordered({ validBefore: '1e9' }),
    ],
    [
      'an end with a leading zero',
      'invalid_payload',
      seconds,
      () => ordered({ validBefore: '017' }),
    ],
  ]);
});

describe('the refusal of an x402 order', () => {
  const terms = 'invalid_payment_requirements';
  itRefuses([
    [
      'another chain in version 1',
      'invalid_network',
      ['base'],
      () => v1(payloadV1({ network: 'polygon' })),
    ],
    [
      'the words of version 1 in version 2',
      'invalid_network',
      ['eip155:8453'],
      () => v2(payloadV2({ network: 'base' })),
    ],
    [
      'the words of version 2 in version 1',
      'invalid_network',
      ['base'],
      () => v1(payloadV1({ network: 'eip155:8453' })),
    ],
    [
      'another chain in version 2',
      'invalid_network',
      ['eip155:8453'],
      () => v2(payloadV2({ network: 'eip155:84532' })),
    ],
    ['another token', terms, [TOKEN], () => v2(payloadV2({ asset: HUB }))],
    ['another payTo', terms, ['payTo', HUB], () => v2(payloadV2({ payTo: TOKEN }))],
    [
      'an accepted amount that is not signed',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      ['`accepted.amount`', '`value`'],
      () => v2(payloadV2({ amount: '9999' })),
    ],
    [
      'another receiver',
      'invalid_exact_evm_payload_recipient_mismatch',
      [TOKEN, HUB],
      () => ordered({ to: TOKEN }),
    ],
    [
      'an end in five seconds',
      BEFORE,
      ['1740672105', '1740672100'],
      () => ordered({ validBefore: '1740672105' }),
    ],
    [
      'an end in more than an hour',
      BEFORE,
      ['1740675701', '3600 s', '1740672100'],
      () => ordered({ validBefore: '1740675701' }),
    ],
    [
      'a beginning at this second',
      AFTER,
      ['after 1740672100'],
      () => ordered({ validAfter: '1740672100' }),
    ],
    ['too little', VALUE, ['9999', '10000'], () => ordered({ value: '9999' })],
    ['too much', VALUE, ['1000000001', '1000000000'], () => ordered({ value: '1000000001' })],
  ]);

  it('leaves what lies within its limits, to the second and to the unit', () => {
    assert.equal(PAYMENT_MAX, atomic(1_000_000_000n));
    for (const within of [
      { validBefore: '1740672106' },
      { validBefore: '1740675700' },
      { validAfter: '1740672099' },
      { validAfter: '0' },
      { value: '1000000000' },
    ]) {
      assert.equal(ordered(within), undefined, JSON.stringify(within));
    }
  });

  it('comes in one order: chain, terms, receiver, time, amount', () => {
    const late = { validBefore: '0', validAfter: '1740672100', value: '1' };
    const wrong = { network: 'base', asset: HUB, payTo: TOKEN };
    const faults = [
      v2(payloadV2(wrong, { to: TOKEN, ...late })),
      v2(payloadV2({ asset: HUB, payTo: TOKEN, amount: '1' }, { to: TOKEN, ...late })),
      v2(payloadV2({ amount: '1' }, { to: TOKEN, ...late })),
      ordered(late),
      ordered({ validAfter: '1740672100', value: '1' }),
      ordered({ value: '1' }),
    ].map((refused) => refused?.fault);
    assert.deepEqual(faults, [
      'invalid_network',
      terms,
      'invalid_exact_evm_payload_recipient_mismatch',
      BEFORE,
      AFTER,
      VALUE,
    ]);
  });
});
