import assert from 'node:assert/strict';
import { atomic } from '../money.ts';
import type { LoanDue } from '../settlement.ts';
import { published, REQUESTER, RIVAL, T0, WORKER } from './fixture.ts';
import type { Over } from './fixture.ts';
import type { Task } from './model.ts';
import { earmarked, feesOf, partPlan, payPlan, promise, refundPlan, rulingPlan } from './plan.ts';

const NO_LOAN = { principal: 0n, origination: 0n };
const LOAN: LoanDue = { principal: atomic(100_000n), origination: atomic(2_000n) };
const REWARD = { amount: 1_000_000n, asset: 'USDC', network: 'sandbox' };
const JUDGES = [WORKER, RIVAL, REQUESTER];
const task = (over: Over = {}, judges: Task['judges'] = []): Task => ({
  ...published(over).task,
  judges,
});
const PANEL = { verification: 'validator' } as const;

describe('the money of a task', () => {
  it('is divided among the hub, the judges who decided, the loan and the worker', () => {
    assert.deepEqual(payPlan(task()), {
      reward: REWARD,
      judges: [],
      split: { hub: 30_000n, judges: [], loan: NO_LOAN, worker: 970_000n },
    });
    assert.deepEqual(payPlan(task(PANEL, JUDGES), LOAN), {
      reward: REWARD,
      judges: JUDGES,
      split: {
        hub: 30_000n,
        judges: [3_334n, 3_333n, 3_333n],
        loan: LOAN,
        worker: 858_000n,
      },
    });
    assert.equal(payPlan(task({ unpaid: true })), undefined);
  });

  it('is promised without the share of a panel that may yet judge', () => {
    const worker = (of: Task, loan?: LoanDue) => promise(of, loan)?.split.worker;
    assert.equal(worker(task()), 970_000n);
    assert.equal(worker(task(PANEL)), 960_000n);
    assert.equal(worker(task(PANEL), LOAN), 858_000n);
    assert.equal(worker(task(), LOAN), 868_000n);
    for (const sure of [task(), task(PANEL, JUDGES)]) {
      assert.deepEqual(promise(sure), payPlan(sure));
    }
    assert.deepEqual(promise(task(PANEL))?.judges, []);
    assert.equal(promise(task({ ...PANEL, unpaid: true })), undefined);
  });

  it('pays a part of a divided reward less the fee of the hub, and no judges', () => {
    assert.deepEqual(partPlan(task(PANEL, JUDGES), atomic(10_001n)), {
      hub: 300n,
      judges: [],
      loan: NO_LOAN,
      worker: 9_701n,
    });
    assert.equal(partPlan(task(), atomic(200_000n), LOAN).worker, 92_000n);
  });

  it('is divided by the ruling on a dispute', () => {
    const ruled = rulingPlan(task(), LOAN, { verdict: 'upheld', raisedBy: 'requester' });
    assert.deepEqual(ruled?.split, {
      hub: 0n,
      judges: [],
      loan: NO_LOAN,
      worker: 0n,
      arbiter: 9_700n,
      requester: 990_300n,
    });
    assert.deepEqual([ruled.reward, ruled.judges], [REWARD, []]);
    const judged = rulingPlan(task(PANEL, JUDGES), LOAN, { verdict: 'rejected' });
    assert.deepEqual(judged?.split.judges, [3_334n, 3_333n, 3_333n]);
    assert.equal(judged.split.worker, 1_000_000n - 30_000n - 10_000n - 9_600n - 102_000n);
    assert.equal(rulingPlan(task({ unpaid: true }), LOAN, { verdict: 'rejected' }), undefined);
  });

  it('goes back, less what judges have earned', () => {
    assert.deepEqual(refundPlan(task(PANEL, JUDGES)), {
      reward: REWARD,
      end: { judges: [3_334n, 3_333n, 3_333n], requester: 990_000n },
    });
    assert.equal(refundPlan(task({ unpaid: true })), undefined);
    assert.deepEqual(earmarked(task(PANEL, JUDGES)), { judges: 10_000n, ifRefunded: 990_000n });
    for (const none of [task(PANEL), task({ unpaid: true }, JUDGES), task({}, JUDGES)]) {
      assert.equal(earmarked(none), undefined);
    }
  });

  it('pays no panel that was asked and did not decide', () => {
    const accepted = { attemptId: 'attempt', at: T0 };
    const both = { hubBps: 300, judgesBps: 100 };
    assert.deepEqual(feesOf(task(PANEL)), both);
    assert.deepEqual(feesOf({ ...task(PANEL, JUDGES), accepted }), both);
    assert.deepEqual(feesOf({ ...task(PANEL), accepted }), { hubBps: 300, judgesBps: 0 });
  });
});
