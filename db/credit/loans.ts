import type { Account } from '../../domain/account.ts';
import { DEFAULT_AFTER, LOAN_STATES, type Loan } from '../../domain/credit.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import { STAYS } from '../batch/personal.ts';
import { account, amount, moment, network, oneOf, text } from '../batch/columns.ts';
import { list } from '../batch/list.ts';
import { shaped, table } from '../batch/table.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { parentIn } from '../batch/need.ts';
import { TRANSFERS } from '../ledger/ledgerTables.ts';
import { ATTEMPTS } from '../tasks/taskTables.ts';
import { CREDIT_LINES } from './lines.ts';

const lineOf = parentIn(
  CREDIT_LINES,
  ({ borrower, network: on }: Pick<Loan, 'borrower' | 'network'>) => ({
    account: borrower,
    network: on,
  }),
);

/** Loans. Every writer of a loan has locked the line of its borrower. */
export const LOANS = shaped(
  table(
    'loans',
    {
      id: text().key(),
      borrower: account().fixed(),
      taskId: text().fixed(),
      attemptId: text().fixed(),
      network: network().fixed(),
      principal: amount().fixed(),
      origination: amount().fixed(),
      principalLeft: amount().guard(),
      originationLeft: amount().guard(),
      state: oneOf(LOAN_STATES).guard(),
      takenAt: moment().fixed(),
      dueAt: moment().optional(),
      defaultedAt: moment().optional(),
      repaidAt: moment().optional(),
      transferId: text().fixed(),
      onTrust: amount().fixed(),
      site: text().fixed(),
    },
    {
      personal: { owner: 'borrower', stays: STAYS.parties },
      lock: 'none',
      parent: lineOf,
      under: [ATTEMPTS],
      after: [TRANSFERS],
    },
  ),
  {
    of: ({ principal, origination, principalLeft, originationLeft, ...loan }): Loan => ({
      ...loan,
      lent: { principal, origination },
      left: { principal: principalLeft, origination: originationLeft },
    }),
    flat: ({ lent, left, ...loan }) => ({
      ...loan,
      ...lent,
      principalLeft: left.principal,
      originationLeft: left.origination,
    }),
  },
);

/** Loans of a borrower on one network that are not repaid, oldest first. */
export const UNPAID_LOANS = list('unpaid_loans', LOANS, {
  by: { borrower: account(), network: network() },
  where: (key) =>
    `t.borrower = ${key.borrower} AND t.network = ${key.network} AND t.state <> 'repaid'`,
  order: 't.id',
  parent: lineOf,
});

export const LOAN_PAYMENTS = table(
  'loan_payments',
  {
    loanId: text().key(),
    transferId: text().key(),
    principal: amount().fixed(),
    origination: amount().fixed(),
    at: moment().fixed(),
  },
  {
    personal: { apart: 'parts of loans, and in the books' },
    use: 'append',
    under: [LOANS],
    after: [TRANSFERS],
  },
);

const UNPAID_ON = statement(`
  SELECT * FROM loans WHERE borrower = ? AND network = ? AND state <> 'repaid' ORDER BY id`);

/** Loans on one network that are not repaid, oldest first. */
export async function unpaidLoansOn(
  db: Reader,
  borrower: Account,
  on: NetworkId,
): Promise<readonly Loan[]> {
  return (await linkOf(db).rows(UNPAID_ON, [borrower, on])).map(LOANS.fromRow);
}

/** As many as `wallet.me` shows. A live claim carries one loan, and few others stay unpaid. */
const LISTED_MAX = 200;
const UNPAID = statement(`
  SELECT * FROM loans WHERE borrower = ? AND state <> 'repaid' ORDER BY id LIMIT ${LISTED_MAX}`);

/** Loans on all networks that are not repaid, oldest first. */
export async function unpaidLoans(db: Reader, borrower: Account): Promise<readonly Loan[]> {
  return (await linkOf(db).rows(UNPAID, [borrower])).map(LOANS.fromRow);
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
  return (await linkOf(db).rows(COLLECTABLE, [late, limit])).map(LOANS.fromRow);
}
