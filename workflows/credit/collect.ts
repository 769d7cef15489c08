import { strict as assert } from 'node:assert';
import { CREDIT_LINES } from '../../db/credit/lines.ts';
import { LOAN_PAYMENTS, LOANS, UNPAID_LOANS } from '../../db/credit/loans.ts';
import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { accountKey, ACCOUNTS } from '../../db/ledger/accountsTable.ts';
import { FEES } from '../../db/ledger/shards.ts';
import { houseAccount, type Account } from '../../domain/account.ts';
import {
  apportion,
  collectable,
  coveredBy,
  earnedBy,
  fallenDue,
  isLate,
  repaid,
  total,
  type Loan,
  type Payment,
} from '../../domain/credit.ts';
import type { Instant } from '../../domain/instant.ts';
import { atomic, ZERO } from '../../domain/money.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import type { Settlement } from '../../domain/settlement.ts';
import type { Task } from '../../domain/tasks/model.ts';
import type { Hub } from '../kernel/hub.ts';
import { move } from '../wallet/transfer.ts';

/**
 * How debts come back (choices credit.collection): out of settlements before any payee, and once
 * due out of what the borrower can spend. The borrower's line is locked before its loans are read.
 */
export const CREDIT = houseAccount('hub:credit');

export function readsOfDebts({ reward }: Task, borrower: Account): readonly Need[] {
  return reward === undefined ? [] : [need(UNPAID_LOANS, { borrower, network: reward.network })];
}

/** The loans that a release of this task pays first. */
export function debtsOn(db: Decider, { id, reward }: Task, borrower: Account): readonly Loan[] {
  if (reward === undefined) return [];
  return collectable(db.list(UNPAID_LOANS, { borrower, network: reward.network }), id);
}

/** Writes what a release took back and what it earned the worker's line. */
export function settleDebts(
  db: Decider,
  hub: Hub,
  paid: {
    readonly task: Task;
    readonly worker: Account;
    readonly debts: readonly Loan[];
    readonly split: Settlement;
    readonly transferId: string;
    readonly at: Instant;
  },
): void {
  const { task, worker, debts, split, at } = paid;
  assert(task.reward !== undefined, 'only a reward is released');
  for (const payment of apportion(split.loan, debts)) savePayment(db, payment, paid);
  const own = debts.filter((loan) => loan.taskId === task.id);
  const earned = earnedBy(split, { requester: task.requester, carriesLoan: own.length > 0 });
  const { network } = task.reward;
  if (earned > ZERO) {
    const key = { account: worker, network };
    const line = db.find(CREDIT_LINES, key);
    const before = line?.earned ?? ZERO;
    db.put(CREDIT_LINES, key, { ...key, ...line, earned: atomic(before + earned) });
  }
  callLoans(db, hub, { borrower: worker, network, of: own.map(({ attemptId }) => attemptId) }, at);
}

export interface EndedClaims {
  readonly borrower: Account;
  readonly network: NetworkId;
  readonly of: readonly string[];
}

/** Claims ended unpaid: the loans against them are due, and taken from what is spendable. */
export function callLoans(
  db: Decider,
  hub: Hub,
  { borrower, network, of }: EndedClaims,
  at: Instant,
): void {
  if (of.length === 0) return;
  for (const loan of db.list(UNPAID_LOANS, { borrower, network })) {
    if (loan.state !== 'open' || !of.includes(loan.attemptId)) continue;
    const due = fallenDue(loan, at);
    db.put(LOANS, due.id, due);
    sweep(db, hub, due, at);
  }
}

/** Takes what can be spent of a due loan, but not of a late one: settlements collect a default. */
export function collectDue(db: Decider, hub: Hub, of: Pick<Loan, 'id' | 'borrower' | 'network'>) {
  const now = hub.clock.now();
  const loan = unpaidLoan(db, of);
  if (loan?.state === 'due' && !isLate(loan, now)) sweep(db, hub, loan, now);
}

/** The loan while it is not repaid. */
export function unpaidLoan(
  db: Decider,
  { id, borrower, network }: Pick<Loan, 'id' | 'borrower' | 'network'>,
): Loan | undefined {
  return db.list(UNPAID_LOANS, { borrower, network }).find((loan) => loan.id === id);
}

/** Takes what the borrower can spend, at most what is left of the loan. */
function sweep(db: Decider, hub: Hub, loan: Loan, at: Instant): void {
  const { id, borrower, network } = loan;
  const row = db.find(ACCOUNTS, accountKey({ network, asset: ASSET, account: borrower }));
  const payment = coveredBy(row === undefined ? 0n : row.posted - row.held, loan);
  if (payment === undefined) return;
  const { principal, origination } = payment.paid;
  const posted = move(db, hub, {
    at,
    network,
    event: 'loan.collected',
    ref: { kind: 'loan', id },
    actor: 'hub',
    steps: [
      { verb: 'move', from: borrower, to: CREDIT, amount: principal, reason: 'loan.repay' },
      { verb: 'move', from: borrower, to: FEES, amount: origination, reason: 'loan.origination' },
    ],
  });
  assert(!('refused' in posted), 'a locked balance does not shrink');
  savePayment(db, payment, { transferId: posted.transferId, at });
}

function savePayment(
  db: Decider,
  payment: Payment,
  { transferId, at }: { readonly transferId: string; readonly at: Instant },
): void {
  const { loan, paid } = payment;
  const after = repaid(payment, at);
  assert(total(after.left) < total(loan.left), 'a payment lowers what is left');
  const key = { loanId: loan.id, transferId };
  db.put(LOAN_PAYMENTS, key, { ...key, ...paid, at });
  db.put(LOANS, loan.id, after);
}
