import { strict as assert } from 'node:assert';
import { earn, lockLine } from '../../db/credit/lines.ts';
import {
  insertPayment,
  loansAgainst,
  readLoan,
  unpaidLoansOn,
  updateLoan,
} from '../../db/credit/loans.ts';
import { balance } from '../../db/ledger/balances.ts';
import { FEES } from '../../db/ledger/shards.ts';
import type { Reader, Writer } from '../../db/store.ts';
import { houseAccount, type Account } from '../../domain/account.ts';
import {
  apportion,
  collectable,
  coveredBy,
  earnedBy,
  fallenDue,
  isLate,
  owed,
  repaid,
  total,
  type Loan,
  type Payment,
} from '../../domain/credit.ts';
import type { Instant } from '../../domain/instant.ts';
import type { LoanDue, Settlement } from '../../domain/settlement.ts';
import type { Task } from '../../domain/task/model.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { ASSET } from '../../domain/network.ts';
import { transfer } from '../wallet/transfer.ts';

/**
 * How debts come back (choices credit.collection): out of settlements before any payee, and once
 * due out of what the borrower can spend. The borrower's line is locked first, then loans, then the
 * ledger.
 */
export const CREDIT = houseAccount('hub:credit');

/** What a settlement of this task would take back from its worker, as it stands now. */
export async function owedOn(db: Reader, task: Task, worker: Account): Promise<LoanDue> {
  return owed(await debtsOn(db, task, worker));
}

/** The loans that a release of this task pays first, which nobody else changes until it is done. */
export async function lockDebts(tx: Writer, task: Task, worker: Account): Promise<readonly Loan[]> {
  assert(task.reward !== undefined, 'only a reward is released');
  await lockLine(tx, worker, task.reward.network);
  return debtsOn(tx, task, worker);
}

async function debtsOn(db: Reader, task: Task, worker: Account): Promise<readonly Loan[]> {
  if (task.reward === undefined) return [];
  return collectable(await unpaidLoansOn(db, worker, task.reward.network), task.id);
}

/** Writes what a release took back and what it earned the worker's line. */
export async function settleDebts(
  tx: Writer,
  hub: Hub,
  paid: {
    readonly task: Task;
    readonly worker: Account;
    readonly debts: readonly Loan[];
    readonly split: Settlement;
    readonly transferId: string;
    readonly at: Instant;
  },
): Promise<void> {
  const { task, worker, debts, split, at } = paid;
  assert(task.reward !== undefined, 'only a reward is released');
  for (const payment of apportion(split.loan, debts)) await keepPayment(tx, payment, paid);
  const own = debts.filter((loan) => loan.taskId === task.id);
  const earned = earnedBy(split, { requester: task.requester, carriesLoan: own.length > 0 });
  if (earned > 0n) await earn(tx, worker, task.reward.network, earned);
  await callLoans(
    tx,
    hub,
    own.map(({ attemptId }) => attemptId),
    at,
  );
}

/** Claims ended unpaid: the loans against them are due, and taken from what is spendable. */
export async function callLoans(
  tx: Writer,
  hub: Hub,
  attemptIds: readonly string[],
  at: Instant,
): Promise<void> {
  if (attemptIds.length === 0) return;
  for (const { id, borrower, network } of await loansAgainst(tx, attemptIds)) {
    await lockLine(tx, borrower, network);
    const loan = await readLoan(tx, id);
    assert(loan !== undefined, 'a loan is never deleted');
    const due = fallenDue(loan, at);
    await updateLoan(tx, due);
    await sweep(tx, hub, due, at);
  }
}

/**
 * Takes what can be spent of a loan that is due; nothing of one that is not, nor of one that is late,
 * which is a default and collected from settlements.
 */
export async function collectDue(
  tx: Writer,
  hub: Hub,
  { id, borrower, network }: Loan,
): Promise<void> {
  await lockLine(tx, borrower, network);
  const loan = await readLoan(tx, id);
  const now = hub.clock.now();
  if (loan?.state === 'due' && !isLate(loan, now)) await sweep(tx, hub, loan, now);
}

/**
 * Takes what the borrower can spend, at most what is left of the loan; answers the loan after it.
 */
async function sweep(tx: Writer, hub: Hub, loan: Loan, at: Instant): Promise<Loan> {
  const place = { network: loan.network, asset: ASSET };
  const { spendable } = await balance(tx, loan.borrower, place);
  const first = await take(tx, hub, coveredBy(spendable, loan), at);
  if (!('short' in first)) return first.loan ?? loan;
  // Spent between the look and the lock; from here on the balance is this unit's alone.
  const second = await take(tx, hub, coveredBy(first.short, loan), at);
  assert(!('short' in second), 'a locked balance does not shrink');
  return second.loan ?? loan;
}

async function take(
  tx: Writer,
  hub: Hub,
  payment: Payment | undefined,
  at: Instant,
): Promise<{ readonly loan?: Loan } | { readonly short: bigint }> {
  if (payment === undefined) return {};
  const { id, borrower: from, network } = payment.loan;
  const { principal, origination } = payment.paid;
  const posted = await transfer(tx, hub, {
    at,
    network,
    event: 'loan.collected',
    ref: { kind: 'loan', id },
    actor: 'hub',
    steps: [
      { verb: 'move', from, to: CREDIT, amount: principal, reason: 'loan.repay' },
      { verb: 'move', from, to: FEES, amount: origination, reason: 'loan.origination' },
    ],
  });
  if ('refused' in posted) return { short: posted.spendable };
  return { loan: await keepPayment(tx, payment, { transferId: posted.transferId, at }) };
}

async function keepPayment(
  tx: Writer,
  payment: Payment,
  by: { readonly transferId: string; readonly at: Instant },
): Promise<Loan> {
  const after = repaid(payment, by.at);
  assert(total(after.left) < total(payment.loan.left), 'a payment lowers what is left');
  await insertPayment(tx, payment, by);
  await updateLoan(tx, after);
  return after;
}
