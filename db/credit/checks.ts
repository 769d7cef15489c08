import type { AreaChecks, Check } from '../audit/check.ts';

/**
 * Credit and the ledger agree: a loan owes what its rows say, every movement of the lending account
 * is one of a loan or its funding, and each loan and payment has the transfer it names.
 */
const FUNDING = "'issue', 'deposit', 'recirculate', 'adjust'";
const OF_LENDER = `entries e JOIN accounts a ON a.id = e.account_id AND a.name = 'hub:credit'
  JOIN transfers t ON t.seq = e.transfer_seq`;

const LOAN_CHECKS: readonly Check[] = [
  {
    invariant: 'I11',
    says: 'a loan owes what was lent less what was paid',
    sql: `SELECT l.id AS loan, l.network, l.borrower, l.principal_left, l.origination_left
      FROM loans l LEFT JOIN (
        SELECT loan_id, sum(principal) AS principal, sum(origination) AS origination
        FROM loan_payments GROUP BY loan_id) p ON p.loan_id = l.id
      WHERE l.principal_left <> l.principal - coalesce(p.principal, 0)
        OR l.origination_left <> l.origination - coalesce(p.origination, 0)`,
  },
  {
    invariant: 'I11',
    says: 'the lending account moves for loans and for its funding only',
    sql: `SELECT t.id AS transfer, t.network, e.reason, e.delta FROM ${OF_LENDER}
      WHERE e.kind = 'move' AND e.reason NOT IN ('loan.advance', 'loan.repay', ${FUNDING})`,
  },
  {
    invariant: 'I11',
    says: 'every advance is a loan of that much, and every loan was paid out',
    sql: `SELECT t.id AS transfer, t.network, e.delta, l.id AS loan
      FROM ${OF_LENDER} LEFT JOIN loans l ON l.transfer_id = t.id
      WHERE e.reason = 'loan.advance' AND (l.id IS NULL OR l.principal <> -e.delta
        OR l.network <> t.network OR l.borrower <> e.counterparty)
      UNION ALL SELECT l.transfer_id, l.network, l.principal, l.id FROM loans l
      WHERE NOT EXISTS (SELECT 1 FROM transfers t JOIN entries e ON e.transfer_seq = t.seq
        WHERE t.id = l.transfer_id AND e.reason = 'loan.advance')`,
  },
  {
    invariant: 'I11',
    says: 'what came back to the lending account was paid of loans',
    sql: `SELECT t.id AS transfer, t.network, CAST(sum(e.delta) AS TEXT) AS total
      FROM ${OF_LENDER} WHERE e.reason = 'loan.repay' GROUP BY t.id, t.network
      HAVING sum(e.delta) <> (SELECT coalesce(sum(p.principal), 0) FROM loan_payments p
        WHERE p.transfer_id = t.id)`,
  },
  {
    invariant: 'I11',
    says: 'every payment of a loan was moved',
    sql: `SELECT p.transfer_id AS transfer, CAST(sum(p.principal) AS TEXT) AS principal,
        CAST(sum(p.origination) AS TEXT) AS origination
      FROM loan_payments p GROUP BY p.transfer_id
      HAVING sum(p.principal) <> (SELECT coalesce(sum(e.delta), 0) FROM transfers t
          JOIN entries e ON e.transfer_seq = t.seq
          WHERE t.id = p.transfer_id AND e.reason = 'loan.repay' AND e.delta > 0)
        OR sum(p.origination) <> (SELECT coalesce(sum(e.delta), 0) FROM transfers t
          JOIN entries e ON e.transfer_seq = t.seq
          WHERE t.id = p.transfer_id AND e.reason = 'loan.origination' AND e.delta > 0)`,
  },
];

export const checks: AreaChecks = {
  table: 'loans',
  current: LOAN_CHECKS,
};
