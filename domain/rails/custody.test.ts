import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import {
  blocksOnTop,
  FINALITY_ABOVE,
  isDeepEnough,
  reversalOf,
  waitsForDeposits,
} from './deposit.ts';
import type { TransactionState } from './transaction.ts';
import {
  arrives,
  AUTOMATIC_DAILY,
  AUTOMATIC_EACH,
  coolingUntil,
  needsOperator,
  SIMULATED_FAILURE,
  SIMULATED_SECONDS,
  stageOf,
} from './withdrawal.ts';

describe('a deposit', () => {
  const depth = { head: 110, finalized: 90, confirmations: 10 };
  const at = (height: number, amount = 1n) => ({ height, amount: atomic(amount) });

  it('is credited when it is deep enough or final', () => {
    assert.equal(blocksOnTop(at(100), 110), 10);
    assert.equal(blocksOnTop(at(111), 110), 0);
    assert.ok(isDeepEnough(at(100), depth));
    assert.ok(!isDeepEnough(at(101), depth));
    assert.ok(isDeepEnough(at(100, FINALITY_ABOVE), depth));
  });

  it('above 1,000 USDC waits for finality', () => {
    assert.equal(FINALITY_ABOVE, 1_000_000_000n);
    const large = FINALITY_ABOVE + 1n;
    assert.ok(!isDeepEnough(at(91, large), depth));
    assert.ok(isDeepEnough(at(90, large), depth));
  });

  it('keeps as much of its account from leaving while it is missing', () => {
    const risk = { missing: atomic(100n), spendable: 60n, unsent: atomic(50n) };
    assert.ok(!waitsForDeposits(atomic(10n), risk));
    assert.ok(waitsForDeposits(atomic(11n), risk));
    assert.ok(!waitsForDeposits(atomic(110n), { ...risk, missing: atomic(0n) }));
  });

  it('is taken from the account when it vanished, then from the reserve, and the rest is lost', () => {
    const cases = [
      [100n, 0n, 100n, 0n, 0n],
      [60n, 100n, 60n, 40n, 40n],
      [60n, 30n, 60n, 30n, 40n],
      [-5n, 200n, 0n, 100n, 100n],
      [60n, -5n, 60n, 0n, 40n],
    ] as const;
    for (const [spendable, reserve, account, fromReserve, shortfall] of cases) {
      assert.deepEqual(reversalOf(atomic(100n), spendable, reserve), {
        account,
        reserve: fromReserve,
        shortfall,
      });
    }
  });
});

describe('a withdrawal', () => {
  const asked = instant(1_000_000);
  const of = (network: 'sandbox' | 'base', state: 'pending' | 'confirmed' = 'pending') => ({
    network,
    state,
    requestedAt: asked,
  });

  it('is as far as the call that carries it', () => {
    const stages = {
      queued: 'queued',
      dropped: 'signed',
      signed: 'signed',
      broadcast: 'broadcast',
      confirmed: 'broadcast',
      reverted: 'broadcast',
      replaced: 'broadcast',
    } as const;
    for (const [state, stage] of Object.entries(stages)) {
      const carried = { state: state as TransactionState };
      assert.equal(stageOf(of('base'), carried, asked), stage, state);
      assert.equal(stageOf(of('base', 'confirmed'), carried, asked), undefined);
    }
    assert.equal(stageOf(of('base'), undefined, asked), 'queued');
  });

  it('shows each stage of test money for some seconds', () => {
    const stage = (ms: number) => stageOf(of('sandbox'), undefined, instant(asked + ms));
    assert.deepEqual([0, 3_999, 4_000, 5_999, 6_000].map(stage), [
      'queued',
      'queued',
      'signed',
      'signed',
      'broadcast',
    ]);
    assert.equal(SIMULATED_SECONDS, 10);
    assert.equal(SIMULATED_FAILURE.slice(-4), 'dead');
  });

  it('needs an operator above 500 USDC, and above 2,000 a day', () => {
    assert.deepEqual([AUTOMATIC_EACH, AUTOMATIC_DAILY], [500_000_000n, 2_000_000_000n]);
    assert.ok(!needsOperator(AUTOMATIC_EACH, AUTOMATIC_DAILY));
    assert.ok(needsOperator(atomic(AUTOMATIC_EACH + 1n), AUTOMATIC_EACH));
    assert.ok(needsOperator(atomic(1n), atomic(AUTOMATIC_DAILY + 1n)));
  });

  it('arrives without its fee', () => {
    assert.equal(arrives({ amount: atomic(100n), fee: atomic(3n) }), 97n);
  });

  it('cools for a day after a new address', () => {
    const day = 86_400_000;
    assert.equal(coolingUntil(null, asked), undefined);
    assert.equal(coolingUntil(asked, asked), asked + day);
    assert.equal(coolingUntil(asked, instant(asked + day - 1)), asked + day);
    assert.equal(coolingUntil(asked, instant(asked + day)), undefined);
  });
});
