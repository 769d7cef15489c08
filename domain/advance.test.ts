import assert from 'node:assert/strict';
import { keyAccount, keyIdOf } from './account.ts';
import { advance, isNotLent, LOANS_MAX, securityOf } from './advance.ts';
import type { Ask } from './advance.ts';
import type { Loan } from './credit.ts';
import { atomic } from './money.ts';
import type { Atomic } from './money.ts';
import { at, attempt, DAY, held, published, RIVAL, T0, WORKER } from './tasks/fixture.ts';

const usdc = (amount: bigint): Atomic => atomic(amount);

function loan(over: Partial<Loan> = {}): Loan {
  const lent = { principal: usdc(330_000n), origination: usdc(6_600n) };
  return {
    id: 'loan',
    borrower: keyAccount(keyIdOf(new Uint8Array(32).fill(9))),
    taskId: 'other',
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

const base: Ask = {
  taskId: 'task',
  reward: { amount: usdc(1_000_000n), asset: 'USDC', network: 'sandbox' },
  line: { earned: usdc(0n) },
  kind: 'test',
  karma: 0,
  loans: [],
  unpaidOnTask: usdc(0n),
  now: T0,
};

describe('the claim that secures an advance', () => {
  const rows = [
    ['held, with the lease just begun', held(), WORKER, 0, 'taken'],
    ['held, 300 seconds left', held(), WORKER, 1_500, 'taken'],
    ['held, 299 seconds left', held(), WORKER, 1_501, 'an advance needs 300 seconds'],
    ["another worker's", held(), RIVAL, 0, 'You do not hold this task'],
    ['not held', published(), WORKER, 0, 'You do not hold this task'],
    ['unpaid', held({ unpaid: true }), WORKER, 0, 'no reward to advance'],
  ] as const;
  for (const [name, play, who, later, says] of rows) {
    it(`${name}: ${says}`, () => {
      const found = securityOf(play, who, at(later));
      if (!isNotLent(found)) return assert.deepEqual([says, found.attempt], ['taken', attempt()]);
      assert.equal(found.refused, 'no-live-claim');
      assert.match(found.why, new RegExp(says));
    });
  }
});

describe('an advance is decided', () => {
  const many = Array.from({ length: LOANS_MAX }, (_, n) => ({
    ...loan({ id: `loan-${n}` }),
    left: { principal: usdc(1n), origination: usdc(0n) },
  }));
  const nearlyFull = loan({ left: { principal: usdc(3_200_000n), origination: usdc(0n) } });
  const full = loan({ left: { principal: usdc(3_300_000n), origination: usdc(0n) } });
  type Row = readonly [name: string, over: Partial<Ask>, is: string];
  const rows: readonly Row[] = [
    ['a third of the reward', {}, '330000+6600'],
    ['what is wanted', { wanted: usdc(50_000n) }, '50000+1000'],
    ['never more than a third', { wanted: usdc(500_000n) }, '330000+6600'],
    ['what is left of the limit', { loans: [nearlyFull] }, '100000+2000'],
    ['what standing adds', { loans: [full], karma: 1, wanted: usdc(9n) }, '9+1'],
    ['what earlier claims of the task left of it', { unpaidOnTask: usdc(300_000n) }, '30000+600'],
    [
      'earlier claims of the task left nothing',
      { unpaidOnTask: usdc(330_000n) },
      'loan-open Earlier claims of this task left 330000 unpaid',
    ],
    ['one unit, with a unit of origination', { wanted: usdc(1n) }, '1+1'],
    ['real money: what was earned', { kind: 'real', line: { earned: usdc(90n) } }, '90+2'],
    ['real money, nothing earned', { kind: 'real' }, 'limit-zero Your limit on sandbox is 0.'],
    ['a default', { line: { earned: usdc(90n), defaultedAt: T0 } }, 'limit-zero'],
    [
      'a loan that is late, though it was not called',
      { loans: [loan({ state: 'due', dueAt: T0 })], now: at(7 * DAY) },
      'limit-zero Your limit on sandbox is 0 since the default',
    ],
    ['restricted', { karma: -1 }, 'limit-zero Your standing is -1'],
    ['the task carries one', { loans: [loan({ taskId: 'task' })] }, 'loan-open The task already'],
    [
      'the task carried one that is defaulted',
      { loans: [loan({ taskId: 'task', state: 'defaulted', dueAt: T0, defaultedAt: T0 })] },
      '330000+6600',
    ],
    [
      'one is due',
      { loans: [loan({ state: 'due', dueAt: T0 })] },
      'loan-open The loan loan is due',
    ],
    ['too many', { loans: many }, `loan-open You have ${LOANS_MAX} loans open`],
    ['the limit is used up', { loans: [full] }, 'over-limit Your limit on sandbox is 3300000'],
    [
      'default before everything else',
      { line: { earned: usdc(0n), defaultedAt: T0 }, karma: -20, loans: [full] },
      'limit-zero Your limit on sandbox is 0 since the default',
    ],
    [
      'a loan in the way before the limit',
      { loans: [full, loan({ taskId: 'task' })] },
      'loan-open The task already',
    ],
  ];
  for (const [name, over, is] of rows) {
    it(`${name}: ${is}`, () => {
      const lent = advance({ ...base, ...over });
      const reported = isNotLent(lent)
        ? `${lent.refused} ${lent.why}`
        : `${lent.principal}+${lent.origination}`;
      assert.ok(reported.startsWith(is), reported);
    });
  }
});
