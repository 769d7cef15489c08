import assert from 'node:assert/strict';
import type { Account } from '../account.ts';
import { parseInstant, type Instant } from '../instant.ts';
import { atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import {
  limitsOf,
  listed,
  narrower,
  NOTHING_SPENT,
  overLimit,
  spentAt,
  take,
  takeAgain,
  whyForbidden,
  windowEnd,
  windowStart,
} from './policy.ts';

const at = (text: string): Instant => {
  const found = parseInstant(text);
  assert.ok(found !== undefined);
  return found;
};

describe('windows of a spending policy', () => {
  const noon = at('2026-12-31T12:30:00.000Z');

  it('end with the hour, day and month of UTC', () => {
    const ends = (['hour', 'day', 'month'] as const).map((window) =>
      new Date(windowEnd(window, noon)).toISOString(),
    );
    assert.deepEqual(ends, [
      '2026-12-31T13:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
    ]);
  });

  it('begin with them', () => {
    const late = at('2026-12-31T23:59:59.999Z');
    const starts = (['hour', 'day', 'month'] as const).map((window) =>
      new Date(windowStart(window, late)).toISOString(),
    );
    assert.deepEqual(starts, [
      '2026-12-31T23:00:00.000Z',
      '2026-12-31T00:00:00.000Z',
      '2026-12-01T00:00:00.000Z',
    ]);
  });

  it('are empty once they are over, and a clock that is behind changes nothing', () => {
    const spent = take(NOTHING_SPENT, 10n, noon);
    const later = spentAt(spent, at('2026-12-31T13:00:00.000Z'));
    assert.deepEqual([later.hour, later.day, later.month], [0n, 10n, 10n]);
    const newYear = spentAt(spent, at('2027-01-01T00:00:00.000Z'));
    assert.deepEqual([newYear.hour, newYear.day, newYear.month], [0n, 0n, 0n]);
    assert.deepEqual(spentAt(newYear, noon), newYear);
    const behind = take(newYear, 5n, noon);
    assert.deepEqual([behind.hour, behind.at], [5n, newYear.at]);
  });

  it('take back what was taken in them, and never below nothing', () => {
    const first = take(NOTHING_SPENT, 10n, noon);
    const next = take(first, 3n, at('2026-12-31T14:00:00.000Z'));
    const returned = takeAgain(next, -10n, noon);
    assert.deepEqual([returned.hour, returned.day, returned.month], [3n, 3n, 3n]);
    assert.deepEqual(takeAgain(returned, -10n, noon).day, 0n);
  });
});

describe('limits of a spending policy', () => {
  const now = at('2026-11-26T09:00:00.000Z');
  const policy = { perCall: atomic(10n), perDay: atomic(12n), perMonth: atomic(30n) };

  it('are met by the one that has least left', () => {
    const limits = limitsOf(policy, take(NOTHING_SPENT, 5n, now), now);
    assert.deepEqual(
      limits.map(({ window, left }) => [window, left]),
      [
        ['call', 10n],
        ['day', 7n],
        ['month', 25n],
      ],
    );
    assert.equal(overLimit(limits, 7n), undefined);
    assert.equal(overLimit(limits, 8n)?.window, 'day');
    assert.equal(overLimit(limits, 11n)?.window, 'day');
  });

  it('have the moment of their next reset, and count what the call at hand took before', () => {
    const all = { ...policy, perHour: atomic(11n) };
    assert.deepEqual(limitsOf(all, take(NOTHING_SPENT, 5n, now), now, 3n), [
      { window: 'call', limit: 10n, used: 3n, left: 7n },
      { window: 'hour', limit: 11n, used: 5n, left: 6n, resetsAt: at('2026-11-26T10:00:00Z') },
      { window: 'day', limit: 12n, used: 5n, left: 7n, resetsAt: at('2026-11-27T00:00:00Z') },
      { window: 'month', limit: 30n, used: 5n, left: 25n, resetsAt: at('2026-12-01T00:00:00Z') },
    ]);
    assert.equal(limitsOf(policy, NOTHING_SPENT, now)[0]?.used, 0n);
    assert.deepEqual(limitsOf({}, NOTHING_SPENT, now), []);
  });

  it('leave nothing when a policy was lowered below what was used', () => {
    const limits = limitsOf({ perDay: atomic(3n) }, take(NOTHING_SPENT, 5n, now), now);
    assert.deepEqual(
      limits.map(({ left }) => left),
      [0n],
    );
  });
});

describe('the narrower of two policies', () => {
  it('has the lower amount, the sooner end and the names that both list', () => {
    const networks = ['base', 'sandbox'] as NetworkId[];
    const one = { perCall: atomic(1n), perDay: atomic(9n), tools: ['a', 'b'], models: ['m'] };
    const other = { perCall: atomic(2n), perDay: atomic(8n), tools: ['b', 'c'], networks };
    const [soon, late] = [at('2026-11-27T00:00:00Z'), at('2026-11-28T00:00:00Z')];
    const both = { perCall: 1n, perDay: 8n, tools: ['b'], models: ['m'], networks };
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const) {
      assert.deepEqual(narrower({ ...a, expiresAt: late }, { ...b, expiresAt: soon }), {
        ...both,
        expiresAt: soon,
      });
      assert.deepEqual(narrower({ ...a, expiresAt: late }, b), { ...both, expiresAt: late });
      assert.deepEqual(narrower(a, { ...b, expiresAt: soon }), { ...both, expiresAt: soon });
      assert.deepEqual(narrower(a, b), both);
    }
    const rest = { perHour: atomic(1n), perMonth: atomic(2n), approveAbove: atomic(3n) };
    const names = { operations: ['a'], counterparties: [] };
    assert.deepEqual(narrower({ ...rest, ...names }, {}), { ...rest, ...names });
    assert.deepEqual(narrower({}, { ...rest, ...names }), { ...rest, ...names });
  });
});

describe('what a spending policy forbids', () => {
  const pay = { operation: 'wallet.pay', isRead: false };
  const ALICE = 'key:alice' as Account;
  const cases = [
    ['nothing without lists', {}, pay, undefined],
    [
      'another operation',
      { operations: ['wallet.pay', 'x.y'] },
      { ...pay, operation: 'a.b' },
      /^The policy of this key allows wallet\.pay, x\.y, and not a\.b\.$/,
    ],
    ['no operation of its list', { operations: ['wallet.pay'] }, pay, undefined],
    ['no tool of its list', { tools: ['read'] }, { ...pay, tool: 'read' }, undefined],
    ['no model of its list', { models: ['m'] }, { ...pay, model: 'm' }, undefined],
    ['no tool without a list', {}, { ...pay, tool: 'read', model: 'm' }, undefined],
    ['no read', { operations: [] }, { ...pay, isRead: true }, undefined],
    [
      'work of owners',
      { operations: ['x.y'] },
      { ...pay, operation: 'x.y', ownerKey: 'always' },
      /^A key with a spending policy cannot call x\.y\.$/,
    ],
    [
      'a withdrawal',
      {},
      { ...pay, ownerKey: 'unless-named' },
      /^The policy of this key does not name wallet\.pay\.$/,
    ],
    [
      'no named withdrawal',
      { operations: ['wallet.pay'] },
      { ...pay, ownerKey: 'unless-named' },
      undefined,
    ],
    [
      'another tool',
      { tools: ['read'] },
      { ...pay, tool: 'write' },
      /^The policy of this key allows the tools read, and not write\.$/,
    ],
    [
      'another model',
      { models: [] },
      { ...pay, model: 'm' },
      /^The policy of this key allows the models none, and not m\.$/,
    ],
    [
      'a payee without a list',
      {},
      { ...pay, payee: ALICE },
      /^The policy of this key names no counterparties, so it cannot have key:alice paid for work\.$/,
    ],
    ['no payee of its list', { counterparties: [ALICE] }, { ...pay, payee: ALICE }, undefined],
    [
      'another payee',
      { counterparties: [] },
      { ...pay, payee: ALICE },
      /^The policy of this key allows payments to none, and not to key:alice\.$/,
    ],
  ] as const;
  for (const [title, policy, call, expected] of cases) {
    it(title, () => {
      const why = whyForbidden(policy, call);
      if (expected === undefined) assert.equal(why, undefined);
      else assert.match(String(why), expected);
    });
  }
});

describe('names in a refusal', () => {
  it('are at most ten, with the number of the others', () => {
    const names = Array.from({ length: 12 }, (_, nth) => `n${nth}`);
    assert.equal(listed([]), 'none');
    assert.equal(listed(names.slice(0, 10)), names.slice(0, 10).join(', '));
    assert.equal(listed(names), `${names.slice(0, 10).join(', ')} and 2 more`);
  });
});
