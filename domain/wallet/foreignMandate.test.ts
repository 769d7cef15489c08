import assert from 'node:assert/strict';
import { keyAccount, keyIdOf } from '../account.ts';
import { instant } from '../instant.ts';
import type { JsonObject } from '../jsonObject.ts';
import { AMOUNT_MAX, atomic } from '../money.ts';
import { MANDATE_TYPE, mandateIn, type Mandate } from './mandate.ts';
import type { KeyPolicy } from './policy.ts';

const NOW = instant(Date.parse('2026-11-26T09:10:00.250Z'));
const KEY_BYTES = Uint8Array.from({ length: 32 }, (_, place) => place + 1);
const KEY = keyIdOf(KEY_BYTES);
const OWN = 'urn:agent-exchange:constraint:spending:1';
const HUB = 'urn:agent-exchange:payee:hub';
const RANGE = { type: 'payment.amount_range', currency: 'USDC', max: 500 };
const BUDGET = { type: 'payment.budget', currency: 'USDC', max: 5 };
const PAYEES = 'payment.allowed_payees';
const DATES = 'payment.execution_date';
const AP2 = { vct: 'mandate.payment.open.1' };
const ON_DEMAND = { type: 'payment.agent_recurrence', frequency: 'ON_DEMAND' };
const JWK = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(KEY_BYTES).toString('base64url') };
const ACCOUNT = keyAccount(KEY);
const secondsOf = (text: string): number => Date.parse(text) / 1000;
const END_OF_MONTH = secondsOf('2026-12-01T00:00:00Z');

const read = (constraints: unknown, more: JsonObject = {}, payload: JsonObject = {}) =>
  mandateIn(
    {
      delegate_payload: [{ vct: MANDATE_TYPE, constraints, cnf: { jwk: JWK }, ...more }],
      ...payload,
    },
    NOW,
  );
const policyOf = (...of: Parameters<typeof read>): KeyPolicy => {
  const found = read(...of);
  assert.ok(typeof found !== 'string', String(found));
  return found.policy;
};
const mustFail = (why: string, ...of: Parameters<typeof read>): void =>
  assert.equal(read(...of), why);

describe('a mandate that others wrote', () => {
  it('names the key that it limits', () => {
    const { keyId, policy } = read([]) as Mandate;
    assert.deepEqual([keyId, policy], [KEY, {}]);
    const claims = { iss: 'x', sub: 'x', jti: 'x', iat: 1, nbf: 1, _sd_alg: 'sha-256' };
    assert.deepEqual(policyOf([], { risk_data: {}, iat: 1, nbf: 1 }, claims), {});
  });

  it('is kept to each constraint of AP2 that the hub can count', () => {
    const cases: readonly (readonly [object, KeyPolicy])[] = [
      [RANGE, { perCall: atomic(500n) }],
      [{ ...RANGE, min: 0 }, { perCall: atomic(500n) }],
      [{ ...RANGE, max: Number.MAX_SAFE_INTEGER }, { perCall: atomic(AMOUNT_MAX) }],
      [ON_DEMAND, {}],
      [
        { type: PAYEES, allowed: [{ id: ACCOUNT, name: 'A', website: 'https://a.example' }] },
        { counterparties: [ACCOUNT], operations: ['wallet.pay'] },
      ],
      [{ type: PAYEES, allowed: [{ id: HUB }, { id: ACCOUNT }] }, { counterparties: [ACCOUNT] }],
      [{ type: DATES, not_before: '2026-11-26T09:10:00Z' }, {}],
      [
        { type: DATES, not_after: '2026-11-29T12:00:00Z' },
        { expiresAt: instant(Date.parse('2026-11-29T12:00:00Z')) },
      ],
      [
        { type: OWN, perHour: '1', perDay: '2', perMonth: '3', approveAbove: '0' },
        { perHour: atomic(1n), perDay: atomic(2n), perMonth: atomic(3n), approveAbove: atomic(0n) },
      ],
      [
        { type: OWN, operations: ['wallet.pay'], tools: ['t'], models: ['m'], networks: ['base'] },
        { operations: ['wallet.pay'], tools: ['t'], models: ['m'], networks: ['base'] },
      ],
    ];
    for (const [constraint, policy] of cases) assert.deepEqual(policyOf([constraint]), policy);
    assert.deepEqual(policyOf([ON_DEMAND, RANGE], AP2), { perCall: atomic(500n) });
  });

  it('has a budget in USDC, to six decimals, that ends within the month', () => {
    const cases = [
      [5, 5_000_000n],
      [0.0009, 900n],
      [12.345678, 12_345_678n],
      [0.1234569, 123_456n],
      [999_999_999, 999_999_999_000_000n],
    ] as const;
    for (const [max, units] of cases) {
      const { perMonth } = policyOf([{ ...BUDGET, max }], { exp: END_OF_MONTH });
      assert.equal(perMonth, atomic(units), String(max));
    }
    const late =
      'The hub counts no longer than a month, so `payment.budget` needs an `exp` in this one.';
    mustFail(late, [BUDGET]);
    mustFail(late, [BUDGET], { exp: END_OF_MONTH + 1 });
    for (const max of [-1, 1e-7, 1e9, '5', undefined]) {
      const why = '`max` of `payment.budget` must be an amount in USDC.';
      mustFail(why, [{ ...BUDGET, max }], { exp: END_OF_MONTH });
    }
  });

  it('ends with the first of its ends, in whole seconds', () => {
    const [soon, late] = [NOW / 1000 + 5.9, NOW / 1000 + 50];
    for (const [content, claims] of [
      [{ exp: soon }, { exp: late }],
      [{ exp: late }, { exp: soon }],
    ] as const) {
      assert.equal(policyOf([], content, claims).expiresAt, Math.floor(soon) * 1000);
    }
  });

  it('is rejected when it is over, not begun, or made in the future', () => {
    const [now, over] = [Math.floor(NOW / 1000), 'It expired at 2026-11-26T09:10:00.000Z (`exp`).'];
    mustFail(over, [RANGE], { exp: now });
    mustFail(over, [RANGE], {}, { exp: now });
    mustFail('Its `nbf` is in the future: it does not count yet.', [], { nbf: now + 1 });
    mustFail('Its `iat` is in the future.', [], { iat: now + 61 });
    assert.deepEqual(
      policyOf([], { iat: now + 60, nbf: now, exp: now + 1 }).expiresAt,
      (now + 1) * 1000,
    );
    for (const exp of ['soon', -1, 1e11, null]) {
      mustFail('`exp` must be a time in seconds.', [], { exp });
    }
    const dates = (at: JsonObject): readonly JsonObject[] => [{ type: DATES, ...at }];
    const early = 'Its `not_before` is in the future: it does not count yet.';
    mustFail(early, dates({ not_before: '2026-11-26T09:10:00.251Z' }));
    mustFail('Its `not_after` is over.', dates({ not_after: '2026-11-26T09:10:00.250Z' }));
    for (const name of ['not_before', 'not_after']) {
      const why = `\`${name}\` of \`payment.execution_date\` must be a time with its zone.`;
      for (const time of ['2026-12-01', 7, null]) mustFail(why, dates({ [name]: time }));
    }
  });

  it('is rejected for a key that cannot sign at the hub', () => {
    const why =
      '`cnf` must be a `jwk` of the curve Ed25519: keys of another kind cannot sign at the hub.';
    const { x } = JWK;
    for (const cnf of [
      undefined,
      'x',
      {},
      { kid: 'x' },
      { jwk: JWK, kid: 'x' },
      { jwk: 'x' },
      { jwk: { ...JWK, kty: 'EC' } },
      { jwk: { ...JWK, crv: 'X25519' } },
      { jwk: { ...JWK, x: 7 } },
      { jwk: { ...JWK, x: x.slice(4) } },
      { jwk: { ...JWK, x: `${x}=` } },
    ]) {
      mustFail(why, [], { cnf });
    }
  });

  it('is rejected with the name of what the hub cannot keep a key to', () => {
    const cannot = (name: string): string => `The hub cannot keep a key to ${name}.`;
    const noObject = '`constraints` must be a list of objects.';
    const noItem = '`delegate_payload` must have one item, the content of the mandate.';
    const cases: readonly (readonly [string, ...Parameters<typeof read>])[] = [
      [cannot('the constraint `payment.reference`'), [RANGE, { type: 'payment.reference' }]],
      [cannot('the constraint without a name'), [{ max: 5 }]],
      [cannot(`the constraint \`${'x'.repeat(80)}\``), [{ type: 'x'.repeat(81) }]],
      [cannot('`step` of `payment.amount_range`'), [{ ...RANGE, step: 5 }]],
      [cannot('the `min` of `payment.amount_range`'), [{ ...RANGE, min: 5 }]],
      [cannot('`step` of `payment.budget`'), [{ ...BUDGET, step: 5 }], { exp: END_OF_MONTH }],
      [cannot(`\`perWeek\` of \`${OWN}\``), [{ type: OWN, perWeek: '5' }]],
      [
        cannot('`max_occurrences` of `payment.agent_recurrence`'),
        [{ ...ON_DEMAND, max_occurrences: 3 }],
      ],
      [cannot('`mode` of `payment.allowed_payees`'), [{ type: PAYEES, allowed: [], mode: 'x' }]],
      [
        cannot('`zip` of `payment.allowed_payees`'),
        [{ type: PAYEES, allowed: [{ id: HUB, zip: 1 }] }],
      ],
      [cannot('`tz` of `payment.execution_date`'), [{ type: DATES, tz: 'x' }]],
      [cannot('`payee`'), [RANGE], { payee: {} }],
      [cannot('`aud`'), [RANGE], {}, { aud: 'x' }],
      ['The constraint `payment.amount_range` is there twice.', [RANGE, { ...RANGE, max: 9 }]],
      [
        `\`vct\` must be ${MANDATE_TYPE} or mandate.payment.open.1.`,
        [RANGE],
        { vct: 'mandate.payment.open.2' },
      ],
      [noObject, 'x'],
      [noObject, [RANGE, 'x']],
      [noItem, [], {}, { delegate_payload: [] }],
      [noItem, [], {}, { delegate_payload: ['x'] }],
      [noItem, [], {}, { delegate_payload: [{}, {}] }],
      [
        'Without `payment.agent_recurrence` it permits one payment, and the hub counts none.',
        [RANGE],
        AP2,
      ],
      [
        'The hub keeps no other `frequency` of `payment.agent_recurrence` than ON_DEMAND.',
        [{ ...ON_DEMAND, frequency: 'DAILY' }],
      ],
      [
        'The payee `merchant_1` is no account of a hub.',
        [{ type: PAYEES, allowed: [{ id: 'merchant_1' }] }],
      ],
      [
        'The payee without a name is no account of a hub.',
        [{ type: PAYEES, allowed: [{ id: 7 }] }],
      ],
      [
        'A payee of `payment.allowed_payees` must be an object.',
        [{ type: PAYEES, allowed: ['x'] }],
      ],
      ['The hub has no network `moon`.', [{ type: OWN, networks: ['base', 'moon'] }]],
    ];
    for (const [why, ...of] of cases) mustFail(why, ...of);
  });

  it('is rejected for amounts with decimals, below zero, too long or in another currency', () => {
    for (const max of [0.5, -1, 1e21, '500', null, undefined]) {
      const why = '`max` of `payment.amount_range` must be a whole number of atomic units.';
      mustFail(why, [{ ...RANGE, max }]);
    }
    for (const constraint of [RANGE, BUDGET]) {
      const why = `\`currency\` of \`${constraint.type}\` must be USDC, the only money of the hub.`;
      for (const currency of ['USD', 'usdc', undefined])
        mustFail(why, [{ ...constraint, currency }]);
    }
    for (const name of ['perHour', 'perDay', 'perMonth', 'approveAbove']) {
      for (const amount of ['1.5', '-1', '01', 5, '9'.repeat(17), null]) {
        mustFail(`\`${name}\` must be an amount in atomic units.`, [{ type: OWN, [name]: amount }]);
      }
    }
  });

  it('lists at most a hundred names and payees, none of them too long', () => {
    const names = { operations: 64, tools: 128, models: 200 };
    for (const [name, lengthMax] of Object.entries(names)) {
      const list = (count: number, length: number) => [
        { type: OWN, [name]: Array<string>(count).fill('é'.repeat(length)) },
      ];
      policyOf(list(100, lengthMax));
      const why = `\`${name}\` must be a list of at most 100 names.`;
      for (const bad of [list(101, 1), list(1, lengthMax + 1), list(1, 0)]) mustFail(why, bad);
      mustFail(why, [{ type: OWN, [name]: 'x' }]);
      mustFail(why, [{ type: OWN, [name]: [7] }]);
    }
    const payees = (count: number, ...more: readonly object[]) => [
      { type: PAYEES, allowed: [...Array<object>(count).fill({ id: ACCOUNT }), ...more] },
    ];
    assert.equal(policyOf(payees(100, { id: HUB })).counterparties?.length, 100);
    mustFail('`payment.allowed_payees` lists too many payees.', payees(101));
    const many = '`allowed` of `payment.allowed_payees` must list at most 100 payees.';
    mustFail(many, payees(102));
    mustFail(many, [{ type: PAYEES, allowed: 'x' }]);
  });
});
