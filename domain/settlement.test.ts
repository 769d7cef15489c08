import { deepEqual, equal, throws } from 'node:assert/strict';
import fc from 'fast-check';
import vectors from '../spec/vectors/settlement.json' with { type: 'json' };
import { AMOUNT_MAX, atomic, bps, ZERO } from './money.ts';
import type { Atomic } from './money.ts';
import { endUnpaid, NO_LOAN, settle, settleDispute, shares } from './settlement.ts';
import type { Ruling, SettlementTerms } from './settlement.ts';

const money = (text = '0'): Atomic => atomic(BigInt(text));
const sum = (parts: readonly Atomic[]): bigint => parts.reduce((total, part) => total + part, 0n);

describe('settlement', () => {
  for (const vector of vectors.settle) {
    it(`pays every leg of the table: ${vector.case}`, () => {
      const loan = { principal: money(vector.principal), origination: money(vector.origination) };
      const split = settle({
        reward: money(vector.reward),
        hubBps: bps(vector.hubBps),
        judgesBps: bps(vector.judgesBps),
        judges: vector.judgeCount,
        loan,
      });
      deepEqual(split, {
        hub: money(vector.hub),
        judges: vector.judges.map((share) => money(share)),
        loan,
        worker: money(vector.worker),
      });
    });
  }

  for (const vector of vectors.endUnpaid) {
    it(`keeps the share judges earned when a task ends unpaid: ${vector.case}`, () => {
      const end = endUnpaid({
        reward: money(vector.reward),
        judgesBps: bps(vector.judgesBps),
        judges: vector.judgeCount,
      });
      deepEqual(end.judges.map(String), vector.judges);
      equal(String(end.requester), vector.requester);
    });
  }

  for (const vector of vectors.dispute) {
    it(`moves money as the arbiter ruled: ${vector.case}`, () => {
      const split = settleDispute(judged(money(vector.reward)), ruling(vector));
      equal(String(split.hub), vector.hub);
      equal(String(sum(split.judges)), vector.judges);
      equal(String(split.arbiter), vector.arbiter);
      equal(String(split.worker), vector.worker);
      equal(String(split.requester), vector.requester);
    });
  }

  it('collects principal before origination when the worker side cannot pay both', () => {
    const loan = { principal: atomic(300_000n), origination: atomic(6_000n) };
    const upheld: Ruling = { verdict: 'split', workerShareBps: bps(3_200) };
    const split = settleDispute({ ...judged(atomic(1_000_000n)), loan }, upheld);
    deepEqual(split.loan, { principal: atomic(300_000n), origination: atomic(4_128n) });
    equal(split.worker, ZERO);
  });

  it('refuses a judge count that is none', () => {
    throws(() => shares(atomic(10n), -1), RangeError);
    throws(() => shares(atomic(10n), 1.5), RangeError);
  });

  const anyTerms: fc.Arbitrary<SettlementTerms> = fc.record({
    reward: fc.bigInt({ min: 0n, max: AMOUNT_MAX }).map(atomic),
    hubBps: fc.integer({ min: 0, max: 5_000 }).map(bps),
    judgesBps: fc.integer({ min: 0, max: 5_000 }).map(bps),
    judges: fc.integer({ min: 0, max: 9 }),
    loan: fc.record({
      principal: fc.bigInt({ min: 0n, max: AMOUNT_MAX }).map(atomic),
      origination: fc.bigInt({ min: 0n, max: AMOUNT_MAX }).map(atomic),
    }),
  });

  it('sums to the reward exactly and never lets judges differ by more than a unit', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const { hub, judges, loan, worker } = settle(terms);
        const parts = [hub, ...judges, loan.principal, loan.origination, worker];
        equal(sum(parts), terms.reward);
        deepEqual(
          [...judges],
          [...judges].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)),
        );
        equal((judges[0] ?? 0n) - (judges.at(-1) ?? 0n) <= 1n, true);
      }),
    );
  });

  it('sums to the reward whatever is ruled', () => {
    const rulings: fc.Arbitrary<Ruling> = fc.oneof(
      fc.constant<Ruling>({ verdict: 'rejected' }),
      fc.constantFrom<Ruling>(
        { verdict: 'upheld', raisedBy: 'worker' },
        { verdict: 'upheld', raisedBy: 'requester' },
      ),
      fc
        .integer({ min: 0, max: 10_000 })
        .map((share): Ruling => ({ verdict: 'split', workerShareBps: bps(share) })),
    );
    fc.assert(
      fc.property(anyTerms, rulings, (terms, ruled) => {
        const { hub, judges, loan, worker, arbiter, requester } = settleDispute(terms, ruled);
        const workerSide = [loan.principal, loan.origination, worker];
        equal(sum([hub, ...judges, ...workerSide, arbiter, requester]), terms.reward);
        const end = endUnpaid(terms);
        equal(sum([...end.judges, end.requester]), terms.reward);
      }),
    );
  });
});

function judged(reward: Atomic): SettlementTerms {
  return { reward, hubBps: bps(300), judgesBps: bps(100), judges: 3, loan: NO_LOAN };
}

interface RulingText {
  readonly verdict: string;
  readonly raisedBy?: string;
  readonly workerShareBps?: number;
}

function ruling({ verdict, raisedBy, workerShareBps }: RulingText): Ruling {
  if (verdict === 'rejected') return { verdict };
  if (verdict === 'split') return { verdict, workerShareBps: bps(workerShareBps ?? 0) };
  equal(verdict, 'upheld');
  return { verdict: 'upheld', raisedBy: raisedBy === 'worker' ? 'worker' : 'requester' };
}
