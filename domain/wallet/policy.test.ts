import assert from 'node:assert/strict';
import { parseInstant, type Instant } from '../instant.ts';
import { atomic } from '../money.ts';
import {
  limitsOf,
  NOTHING_SPENT,
  overLimit,
  spentAt,
  take,
  takeAgain,
  whyForbidden,
  windowEnd,
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

  it('leave nothing when a policy was lowered below what was used', () => {
    const limits = limitsOf({ perDay: atomic(3n) }, take(NOTHING_SPENT, 5n, now), now);
    assert.deepEqual(
      limits.map(({ left }) => left),
      [0n],
    );
  });
});

describe('what a spending policy forbids', () => {
  const pay = { operation: 'wallet.pay', isRead: false };
  const cases = [
    ['nothing without lists', {}, pay, undefined],
    ['another operation', { operations: ['wallet.pay'] }, { ...pay, operation: 'a.b' }, /not a\.b/],
    ['no read', { operations: [] }, { ...pay, isRead: true }, undefined],
    [
      'work of owners',
      { operations: ['x.y'] },
      { ...pay, operation: 'x.y', ownerKey: 'always' },
      /cannot call/,
    ],
    ['a withdrawal', {}, { ...pay, ownerKey: 'unless-named' }, /does not name/],
    [
      'no named withdrawal',
      { operations: ['wallet.pay'] },
      { ...pay, ownerKey: 'unless-named' },
      undefined,
    ],
    ['another tool', { tools: ['read'] }, { ...pay, tool: 'write' }, /not write/],
    ['another model', { models: [] }, { ...pay, model: 'm' }, /models none/],
  ] as const;
  for (const [title, policy, call, expected] of cases) {
    it(title, () => {
      const why = whyForbidden(policy, call);
      if (expected === undefined) assert.equal(why, undefined);
      else assert.match(String(why), expected);
    });
  }
});
