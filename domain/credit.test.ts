import assert from 'node:assert/strict';
import fc from 'fast-check';
import { houseAccount, keyAccount, keyIdOf } from './account.ts';
import {
  advanceMax,
  apportion,
  collectable,
  coveredBy,
  DEFAULT_AFTER,
  defaulted,
  earnedBy,
  endedUnpaid,
  fallenDue,
  isLate,
  limitOf,
  originationOf,
  owed,
  repaid,
  total,
} from './credit.ts';
import type { Loan } from './credit.ts';
import { instant, plus, seconds } from './instant.ts';
import { atomic, bps } from './money.ts';
import { settle, settleDispute } from './settlement.ts';
import type { LoanDue, Settlement } from './settlement.ts';
import { accept } from './tasks/decide.ts';
import { deliver, giveBack } from './tasks/deliver.ts';
import { settleDue } from './tasks/due.ts';
import {
  acceptedAt,
  attempt,
  DAY,
  delivered,
  held,
  MISSES,
  must,
  PASSES,
} from './tasks/fixture.ts';
import { at, REQUESTER, T0 } from './tasks/fixture.ts';

const BORROWER = keyAccount(keyIdOf(new Uint8Array(32).fill(9)));
const HOUSE = houseAccount('hub:demand');
const due = (principal: bigint, origination: bigint): LoanDue => ({
  principal: atomic(principal),
  origination: atomic(origination),
});

function loan(over: Partial<Loan> = {}): Loan {
  const lent = over.lent ?? due(330_000n, 6_600n);
  return {
    id: 'loan',
    borrower: BORROWER,
    taskId: 'task',
    attemptId: 'attempt',
    network: 'sandbox',
    lent,
    left: lent,
    state: 'open',
    takenAt: T0,
    transferId: 'transfer',
    onTrust: lent.principal,
    site: 'v4 7f0000',
    ...over,
  };
}

const lines = (table: string): readonly (readonly string[])[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));

/** Reward; the most advanced of it (33%, down); its origination (2%, up); the worker's rest. */
const ADVANCES = `
  1000000      330000     6600    633400
  1000         330        7       633
  1001         330        7       634
  1234567      407407     8149    781974
  50000        16500      330     31670
  100          33         1       63`;

describe('an advance', () => {
  for (const [reward, principal, origination, rest] of lines(ADVANCES)) {
    it(`is ${principal} of a reward of ${reward} and costs ${origination}`, () => {
      const amount = atomic(BigInt(reward ?? ''));
      const lent = advanceMax(amount);
      const debt = { principal: lent, origination: originationOf(lent) };
      const terms = { reward: amount, hubBps: bps(300), judgesBps: bps(0), judges: 0 };
      const split = settle({ ...terms, loan: debt });
      assert.deepEqual([debt.principal, debt.origination, split.worker].map(String), [
        principal,
        origination,
        rest,
      ]);
      assert.deepEqual(split.loan, debt, 'the settlement repays it whole');
    });
  }

  it('is always repaid by a settlement, panel and all', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1_000n, max: 10n ** 15n }), (amount) => {
        const reward = atomic(amount);
        const principal = advanceMax(reward);
        const debt = { principal, origination: originationOf(principal) };
        const terms = { reward, hubBps: bps(300), judgesBps: bps(100), judges: 3, loan: debt };
        assert.deepEqual(settle(terms).loan, debt);
      }),
    );
  });
});

/** Earned, kind of network, limit: the cap is on what was earned, test networks add 10 USDC. */
const LIMITS = `
  0          0    real  0
  30000      20   real  30000
  25000000   0    real  25000000
  90000000   0    real  25000000
  0          20   play  0
  0          0    test  3300000
  0          1    test  3970000
  0          10   test  10000000
  0          200  test  10000000
  30000      0    test  3330000
  90000000   20   test  35000000`;

describe('a limit', () => {
  for (const [earned, karma, kind, limit] of lines(LIMITS)) {
    it(`is ${limit} with ${earned} earned at a standing of ${karma} on a ${kind} network`, () => {
      const line = { earned: atomic(BigInt(earned ?? '')) };
      const of = kind === 'real' || kind === 'test' ? kind : 'play';
      assert.equal(String(limitOf(line, of, Number(karma))), limit);
      assert.equal(
        limitOf({ ...line, defaultedAt: T0 }, of, 200),
        0n,
        'never again after a default',
      );
    });
  }
});

describe('what a settlement earns the line', () => {
  type Case = readonly [
    says: string,
    reward: bigint,
    debt: LoanDue,
    requester: typeof HOUSE,
    carriesLoan: boolean,
    earns: string,
  ];
  const none = due(0n, 0n);
  const full = due(330_000n, 6_600n);
  const cases: readonly Case[] = [
    ['the hub fee of a task without a loan', 1_000_000n, none, REQUESTER, false, '30000'],
    ['nothing from the house', 1_000_000n, none, HOUSE, false, '0'],
    ['a tenth of the principal repaid', 1_000_000n, full, REQUESTER, true, '33000'],
    ['the same where the house pays', 1_000_000n, full, HOUSE, true, '33000'],
    [
      'with an old loan collected, its fee and no more than the origination',
      1_000_000n,
      full,
      REQUESTER,
      false,
      '36600',
    ],
  ];
  for (const [says, reward, debt, requester, carriesLoan, earns] of cases) {
    it(`${says}: ${earns}`, () => {
      const split = settle({
        reward: atomic(reward),
        hubBps: bps(300),
        judgesBps: bps(0),
        judges: 0,
        loan: debt,
      });
      assert.equal(String(earnedBy(split, { requester, carriesLoan })), earns);
    });
  }

  /** 20,000 histories of self-paying accounts: with and without loans, late, by split rulings. */
  it('never adds up to more than the fees that were paid', () => {
    const step = fc.record({
      reward: fc.bigInt({ min: 1_000n, max: 50_000_000n }),
      asked: fc.integer({ min: 0, max: 10_000 }),
      ends: fc.constantFrom('settled', 'settled', 'lapsed', 'split'),
      workerBps: fc.integer({ min: 0, max: 10_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let [earned, fees] = [0n, 0n];
        let owing: LoanDue = due(0n, 0n);
        for (const { reward: amount, asked, ends, workerBps } of steps) {
          const reward = atomic(amount);
          const limit = limitOf({ earned: atomic(earned) }, 'real', 0);
          const room = owing.principal > 0n ? 0n : limit;
          const most = advanceMax(reward);
          const principal = atomic(((most < room ? most : room) * BigInt(asked)) / 10_000n);
          const debt = due(
            owing.principal + principal,
            owing.origination + originationOf(principal),
          );
          const carriesLoan = principal > 0n;
          if (ends === 'lapsed') {
            owing = debt;
            continue;
          }
          const terms = { reward, hubBps: bps(300), judgesBps: bps(0), judges: 0, loan: debt };
          const ruling = { verdict: 'split', workerShareBps: bps(workerBps) } as const;
          const split: Settlement = ends === 'split' ? settleDispute(terms, ruling) : settle(terms);
          earned += earnedBy(split, { requester: REQUESTER, carriesLoan });
          fees += split.hub + split.loan.origination;
          owing = due(
            debt.principal - split.loan.principal,
            debt.origination - split.loan.origination,
          );
          assert.ok(limitOf({ earned: atomic(earned) }, 'real', 0) <= fees);
        }
      }),
      { numRuns: 20_000 },
    );
  }).timeout(30_000);
});

describe('collecting', () => {
  it('takes the loan of the task first, then what is due, the longest first', () => {
    const own = loan({ id: 'own' });
    const elsewhere = loan({ id: 'elsewhere', taskId: 'other' });
    const late = loan({ id: 'late', taskId: 'x', state: 'due', dueAt: at(2) });
    const later = loan({ id: 'later', taskId: 'task', state: 'due', dueAt: at(9) });
    const lost = loan({ id: 'lost', taskId: 'y', state: 'defaulted', dueAt: at(1) });
    const order = collectable([later, elsewhere, late, own, lost], 'task').map(({ id }) => id);
    assert.deepEqual(order, ['own', 'lost', 'late', 'later']);
  });

  it('shares what came in among them in that order, all principal before any origination', () => {
    const [a, b] = [loan({ id: 'a' }), loan({ id: 'b', lent: due(100n, 2n) })];
    const shared = (principal: bigint, origination: bigint) =>
      apportion(due(principal, origination), [a, b]).map(({ loan: { id }, paid }) =>
        [id, paid.principal, paid.origination].join(' '),
      );
    assert.deepEqual(shared(330_100n, 6_602n), ['a 330000 6600', 'b 100 2']);
    assert.deepEqual(shared(330_001n, 0n), ['a 330000 0', 'b 1 0']);
    assert.deepEqual(shared(20n, 0n), ['a 20 0']);
    assert.deepEqual(shared(0n, 0n), []);
    assert.deepEqual(owed([a, b]), due(330_100n, 6_602n));
  });

  it('takes of a balance what it covers, principal first', () => {
    const paid = (spendable: bigint) => coveredBy(spendable, loan())?.paid;
    assert.deepEqual(paid(10n ** 12n), due(330_000n, 6_600n));
    assert.deepEqual(paid(330_010n), due(330_000n, 10n));
    assert.deepEqual(paid(7n), due(7n, 0n));
    assert.equal(paid(0n), undefined);
    assert.equal(paid(-5n), undefined);
  });

  it('ends a loan when nothing is left of it, and not before', () => {
    const half = repaid({ loan: loan(), paid: due(330_000n, 0n) }, T0);
    assert.deepEqual([half.state, total(half.left)], ['open', 6_600n]);
    const whole = repaid({ loan: half, paid: due(0n, 6_600n) }, at(5));
    assert.deepEqual([whole.state, whole.repaidAt], ['repaid', at(5)]);
    assert.equal(fallenDue(whole, at(6)).state, 'repaid', 'a repaid loan never falls due');
  });

  it('calls a default after seven days due, and collects it all the same', () => {
    const called = fallenDue(loan(), T0);
    assert.deepEqual([called.state, called.dueAt], ['due', T0]);
    assert.equal(isLate(called, instant(plus(T0, DEFAULT_AFTER) - 1)), false);
    assert.equal(isLate(called, plus(T0, seconds(7 * DAY))), true);
    assert.equal(isLate(loan(), at(900 * DAY)), false, 'an open loan is never late');
    const lost = defaulted(called, at(7 * DAY));
    const paid = repaid({ loan: lost, paid: lost.left }, at(8 * DAY));
    assert.deepEqual([paid.state, paid.defaultedAt], ['repaid', at(7 * DAY)]);
  });
});

describe('a claim that ends unpaid', () => {
  const rule = { acceptance: { kind: 'contains', values: ['x'] } } as const;
  const play = acceptedAt(T0, DAY);
  const refunded = { ...play.task, state: 'refunded' } as const;
  const rows = [
    ['refused', deliver(held(rule), attempt(), { result: 1, verdict: MISSES }, T0), ['attempt']],
    ['given back', giveBack(held(), attempt(), undefined, T0), ['attempt']],
    ['lapsed', settleDue(held(), at(DAY)), ['attempt']],
    ['refunded by a ruling', { task: refunded, attempts: [], events: [] }, ['attempt']],
    ['waiting', deliver(held(), attempt(), { result: 1, verdict: PASSES }, T0), []],
    ['accepted', deliver(held(rule), attempt(), { result: 1, verdict: PASSES }, T0), []],
    ['accepted and paid', must(accept(delivered(), REQUESTER, undefined, T0)), []],
  ] as const;
  for (const [name, change, ends] of rows) {
    it(`${name}: ${ends.length === 0 ? 'no loan falls due' : 'its loan falls due'}`, () => {
      assert.ok(change !== undefined);
      assert.deepEqual(endedUnpaid(change), ends);
    });
  }
});
