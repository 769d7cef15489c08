import type { Account } from '../../domain/account.ts';
import { DEFAULT_AFTER, LOAN_STATES } from '../../domain/credit.ts';
import type { Loan, Payment } from '../../domain/credit.ts';
import { instant } from '../../domain/instant.ts';
import type { Instant } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import { parseNetworkId } from '../../domain/network.ts';
import { account } from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';

/** Accounts with a loan that is not repaid, on whichever network. */
export const DEBTORS = lookup('debtors', {
  by: { account: account() },
  found: {},
  sql: () => ({}),
  where: (key) =>
    `EXISTS (SELECT 1 FROM loans WHERE borrower = ${key.account} AND state <> 'repaid')`,
});

/** The tables of loans and of what was paid of them. Their borrower's line is locked for writes. */
const INSERT = statement(`
  INSERT INTO loans (id, borrower, task_id, attempt_id, network, principal, origination,
    principal_left, origination_left, state, taken_at, transfer_id, on_trust, site)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);

export async function insertLoan(tx: Writer, loan: Loan): Promise<void> {
  await linkOf(tx).rows(INSERT, [
    loan.id,
    loan.borrower,
    loan.taskId,
    loan.attemptId,
    loan.network,
    `${loan.lent.principal}`,
    `${loan.lent.origination}`,
    `${loan.left.principal}`,
    `${loan.left.origination}`,
    loan.state,
    loan.takenAt,
    loan.transferId,
    `${loan.onTrust}`,
    loan.site,
  ]);
}

const UPDATE = statement(`
  UPDATE loans SET principal_left = ?, origination_left = ?, state = ?, due_at = ?,
    defaulted_at = ?, repaid_at = ? WHERE id = ?`);

/** Saves what time and payments change. */
export async function updateLoan(tx: Writer, loan: Loan): Promise<void> {
  await linkOf(tx).rows(UPDATE, [
    `${loan.left.principal}`,
    `${loan.left.origination}`,
    loan.state,
    loan.dueAt ?? null,
    loan.defaultedAt ?? null,
    loan.repaidAt ?? null,
    loan.id,
  ]);
}

const PAY = statement(`
  INSERT INTO loan_payments (loan_id, transfer_id, principal, origination, at)
  VALUES (?, ?, ?, ?, ?)`);

export async function insertPayment(
  tx: Writer,
  { loan, paid }: Payment,
  { transferId, at }: { readonly transferId: string; readonly at: Instant },
): Promise<void> {
  const values = [loan.id, transferId, `${paid.principal}`, `${paid.origination}`, at];
  await linkOf(tx).rows(PAY, values);
}

const UNPAID_ON = statement(`
  SELECT * FROM loans WHERE borrower = ? AND network = ? AND state <> 'repaid' ORDER BY id`);

/** Loans on one network that are not repaid, oldest first. */
export async function unpaidLoansOn(
  db: Reader,
  borrower: Account,
  network: NetworkId,
): Promise<readonly Loan[]> {
  return (await linkOf(db).rows(UNPAID_ON, [borrower, network])).map(loanOf);
}

/** As many as `wallet.me` shows. A live claim carries one loan, and few others stay unpaid. */
const LISTED_MAX = 200;
const UNPAID = statement(`
  SELECT * FROM loans WHERE borrower = ? AND state <> 'repaid' ORDER BY id LIMIT ${LISTED_MAX}`);

/** Loans on all networks that are not repaid, oldest first. */
export async function unpaidLoans(db: Reader, borrower: Account): Promise<readonly Loan[]> {
  return (await linkOf(db).rows(UNPAID, [borrower])).map(loanOf);
}

const OF_ATTEMPTS = statement(
  `SELECT * FROM loans
    WHERE attempt_id IN (SELECT value FROM json_each(?)) AND state = 'open' ORDER BY id`,
  `SELECT * FROM loans WHERE attempt_id = ANY(?) AND state = 'open' ORDER BY id`,
);

/** Open loans against these claims. */
export async function loansAgainst(
  db: Reader,
  attemptIds: readonly string[],
): Promise<readonly Loan[]> {
  return (await linkOf(db).rows(OF_ATTEMPTS, [attemptIds])).map(loanOf);
}

const BY_ID = statement('SELECT * FROM loans WHERE id = ?');

export async function readLoan(db: Reader, id: string): Promise<Loan | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ID, [id]));
  return row && loanOf(row);
}

const COLLECTABLE = statement(`
  SELECT l.* FROM loans l
    JOIN networks n ON n.id = l.network
    LEFT JOIN accounts a ON a.network = l.network AND a.asset = n.asset AND a.name = l.borrower
   WHERE l.state = 'due' AND (l.due_at <= ? OR a.posted > a.held)
   ORDER BY l.due_at LIMIT ?`);

/** Loans that are due and either late by now, or their borrower can spend something. */
export async function collectableLoans(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly Loan[]> {
  const late = instant(now - DEFAULT_AFTER * 1000);
  return (await linkOf(db).rows(COLLECTABLE, [late, limit])).map(loanOf);
}

function loanOf(row: Row): Loan {
  const state = LOAN_STATES.find((each) => each === row['state']);
  const network = parseNetworkId(column.text(row, 'network'));
  if (state === undefined || network === undefined) throw new Error('a damaged loan');
  const dueAt = column.timeOrNull(row, 'due_at');
  const defaultedAt = column.timeOrNull(row, 'defaulted_at');
  const repaidAt = column.timeOrNull(row, 'repaid_at');
  return {
    id: column.text(row, 'id'),
    borrower: column.account(row, 'borrower'),
    taskId: column.text(row, 'task_id'),
    attemptId: column.text(row, 'attempt_id'),
    network,
    lent: {
      principal: column.amount(row, 'principal'),
      origination: column.amount(row, 'origination'),
    },
    left: {
      principal: column.amount(row, 'principal_left'),
      origination: column.amount(row, 'origination_left'),
    },
    state,
    takenAt: column.time(row, 'taken_at'),
    ...(dueAt !== null && { dueAt }),
    ...(defaultedAt !== null && { defaultedAt }),
    ...(repaidAt !== null && { repaidAt }),
    transferId: column.text(row, 'transfer_id'),
    onTrust: column.amount(row, 'on_trust'),
    site: column.text(row, 'site'),
  };
}
