import assert from 'node:assert/strict';
import { plus, seconds } from '../instant.ts';
import { atomic } from '../money.ts';
import {
  closedBy,
  decidingCheck,
  dueAt,
  endedByClock,
  holds,
  mayResolve,
  resolve,
  settledBy,
  withdraw,
} from './change.ts';
import { after, ALICE, before, BOB, CHECK, CLOSES, opened } from './fixture.ts';
import type { Market, Outcome, Position } from './model.ts';

const COUNTED = plus(CLOSES, seconds(10));

function market(over: Partial<Market> = {}): Market {
  return { ...opened(), ...over };
}
const CLOSED = market({ state: 'closed' });
const CHECKED: Market = { ...CLOSED, check: CHECK, resolveBy: plus(CLOSES, seconds(86_400)) };

function ended(outcome: Outcome, over: Partial<Market> = {}): Market {
  const none = { judgeShare: atomic(0n), won: atomic(0n), returned: atomic(0n) };
  const state = outcome === 'void' ? 'voided' : 'resolved';
  return market({ state, ended: { outcome, ...none, at: COUNTED }, ...over });
}

describe('the clock of a market', () => {
  it('closes an open market once, at its closing time', () => {
    const open = market({ version: 4 });
    assert.equal(closedBy(open, before(CLOSES)), open);
    const closed = closedBy(open, CLOSES);
    assert.deepEqual(closed, { ...open, state: 'closed', version: 5 });
    assert.equal(closedBy(closed, after(CLOSES)), closed);
    const over = ended('yes');
    assert.equal(closedBy(over, after(CLOSES)), over);
  });

  it('is due at the closing time, then for the number or the end of patience, then never', () => {
    assert.equal(dueAt(market()), CLOSES);
    assert.equal(dueAt(market({ check: CHECK })), CLOSES);
    assert.equal(dueAt(CLOSED), plus(CLOSES, seconds(7 * 86_400)));
    assert.equal(dueAt(CHECKED), COUNTED);
    assert.equal(dueAt(ended('no')), undefined);
    assert.equal(dueAt(ended('void', { check: CHECK })), undefined);
  });

  it('lets the check decide from ten seconds after closing until the end of its day', () => {
    const limit = CHECKED.resolveBy;
    const moments = [before(COUNTED), COUNTED, before(limit), limit];
    const decided = [undefined, CHECK, CHECK, undefined];
    const checks = (of: Market): unknown => moments.map((now) => decidingCheck(of, now));
    assert.deepEqual(checks(CHECKED), decided);
    assert.deepEqual(checks({ ...CHECKED, state: 'open' }), decided);
    const never = [undefined, undefined, undefined, undefined];
    assert.deepEqual(checks({ ...CHECKED, state: 'resolved' }), never);
    assert.deepEqual(checks({ ...CHECKED, state: 'voided' }), never);
    assert.deepEqual(checks(CLOSED), never);
  });
});

describe('the end of a market', () => {
  const stakes: readonly Position[] = [
    { account: ALICE, yes: atomic(10_000n), no: atomic(0n), place: 1 },
    { account: BOB, yes: atomic(0n), no: atomic(20_000n), place: 2 },
  ];
  const none = { returned: 0n, won: 0n, lost: 0n };
  const returned = {
    outcome: 'void',
    judgeShare: 0n,
    won: 0n,
    returned: 30_000n,
    payouts: [
      { ...none, account: ALICE, returned: 10_000n },
      { ...none, account: BOB, returned: 20_000n },
    ],
  };
  const yes = (judgeShare: bigint): object => ({
    outcome: 'yes',
    judgeShare,
    won: 20_000n - judgeShare,
    returned: 10_000n,
    payouts: [
      { ...none, account: ALICE, returned: 10_000n, won: 20_000n - judgeShare },
      { ...none, account: BOB, lost: 20_000n },
    ],
  });
  const no = {
    outcome: 'no',
    judgeShare: 0n,
    won: 10_000n,
    returned: 20_000n,
    payouts: [
      { ...none, account: ALICE, lost: 10_000n },
      { ...none, account: BOB, returned: 20_000n, won: 10_000n },
    ],
  };
  const sample = (value: bigint) => ({ value, at: CLOSES, pulseSeq: 3 });

  it('follows the word of a judge, who gets one percent of the losing pot', () => {
    assert.deepEqual(resolve(CLOSED, stakes, 'yes'), { settlement: yes(200n) });
    const unanswerable = { settlement: returned, voidReason: 'unanswerable' };
    assert.deepEqual(resolve(CLOSED, stakes, 'void'), unanswerable);
  });

  it('returns the stakes when the judge names a side without bets', () => {
    const [alice] = stakes;
    assert.ok(alice !== undefined);
    assert.deepEqual(resolve(CLOSED, [alice], 'no'), {
      settlement: { ...returned, returned: 10_000n, payouts: returned.payouts.slice(0, 1) },
      voidReason: 'empty-side',
    });
  });

  it('waits for a judge, unless the market has a check', () => {
    assert.equal(settledBy({}), 'judge');
    assert.equal(settledBy({ check: CHECK }), 'check');
    assert.equal(mayResolve(CLOSED), undefined);
  });

  const judged = 'already-resolved';
  const refusals: readonly [string, Market, object][] = [
    [
      'an open market',
      market(),
      { refused: 'market-open', why: 'The market is open until 2027-01-15T09:00:00.000Z.' },
    ],
    [
      'a resolved market',
      ended('no'),
      { refused: judged, why: 'The market was resolved no at 2027-01-15T09:00:10.000Z.' },
    ],
    [
      'a voided market, even one with a check',
      ended('void', { check: CHECK }),
      { refused: judged, why: 'The market was voided at 2027-01-15T09:00:10.000Z.' },
    ],
    [
      'a market with a check',
      CHECKED,
      { refused: 'bad-check', why: 'agents.total settles this market, no judge does.' },
    ],
  ];
  for (const [name, of, refusal] of refusals) {
    it(`refuses the word of a judge on ${name}`, () => {
      assert.deepEqual(mayResolve(of), refusal);
      assert.deepEqual(resolve(of, stakes, 'yes'), refusal);
    });
  }

  it('follows the number, without a share for a judge', () => {
    const now = before(CHECKED.resolveBy);
    assert.deepEqual(endedByClock(CHECKED, stakes, sample(5n), now), { settlement: yes(0n) });
    assert.deepEqual(endedByClock(CHECKED, stakes, sample(4n), now), { settlement: no });
  });

  it('waits for a number or a judge until the limit, and then returns the stakes', () => {
    const cases = [
      { of: CHECKED, given: undefined, voidReason: 'no-sample' },
      { of: CLOSED, given: sample(5n), voidReason: 'unresolved' },
    ];
    for (const { of, given, voidReason } of cases) {
      assert.equal(endedByClock(of, stakes, given, before(of.resolveBy)), undefined);
      const late = { settlement: returned, voidReason };
      assert.deepEqual(endedByClock(of, stakes, given, of.resolveBy), late);
    }
  });

  it('is decided by the clock only for a market that is closed and not settled', () => {
    for (const of of [market(), ended('yes'), ended('void')]) {
      assert.equal(endedByClock(of, stakes, sample(5n), of.resolveBy), undefined);
    }
  });

  it('compares with at most, and below, on both sides of the value', () => {
    const around = [4n, 5n, 6n];
    assert.deepEqual(
      around.map((each) => holds(each, 'lte', 5n)),
      [true, true, false],
    );
    assert.deepEqual(
      around.map((each) => holds(each, 'lt', 5n)),
      [true, false, false],
    );
  });
});

describe('a withdrawal by the creator', () => {
  it('ends a market without bets in every state before its end, and moves nothing', () => {
    for (const of of [market(), CLOSED, CHECKED]) {
      const ending = withdraw(of);
      assert.ok('settlement' in ending);
      assert.deepEqual(ending.settlement.payouts, []);
      assert.equal(ending.voidReason, 'unanswerable');
    }
  });

  it('is refused with one bet, and after the end', () => {
    const refusal = (of: Market): unknown => {
      const found = withdraw(of);
      return 'refused' in found && found.refused;
    };
    assert.equal(refusal(market({ bettors: { yes: 1, no: 0, all: 1 } })), 'creator-may-not');
    for (const outcome of ['yes', 'no', 'void'] as const) {
      assert.equal(refusal(ended(outcome)), 'already-resolved');
    }
  });
});
