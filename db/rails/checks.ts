import type { AreaChecks, Check } from '../audit/check.ts';

/** Withdrawals and the ledger agree (I3): what is held is the whole amount of each pending one. */
const WITHDRAWAL_CHECKS: readonly Check[] = [
  {
    invariant: 'I3',
    says: 'money held as a withdrawal is the whole amount of one that is pending',
    sql: `SELECT c.id AS commitment, c.ref_id AS withdrawal, c.remaining, a.name AS account
      FROM commitments c JOIN accounts a ON a.id = c.account_id
        LEFT JOIN withdrawals w ON w.commitment = c.id
      WHERE c.state = 'open' AND c.kind = 'withdrawal'
        AND (w.id IS NULL OR w.id <> c.ref_id OR w.state <> 'pending' OR w.amount <> c.remaining
          OR w.account <> a.name OR w.network <> a.network)`,
    orderBy: 'commitment',
  },
  {
    invariant: 'I3',
    says: 'a pending withdrawal is held',
    sql: `SELECT w.id AS withdrawal, w.account, w.amount FROM withdrawals w
        LEFT JOIN commitments c ON c.id = w.commitment AND c.state = 'open'
      WHERE w.state = 'pending' AND c.id IS NULL`,
    orderBy: 'withdrawal',
  },
];

/** Deposits and the journal agree (I7): what was credited is a transfer of its amount from outside. */
const DEPOSIT_CHECKS: readonly Check[] = [
  {
    invariant: 'I7',
    says: 'a credited deposit is a transfer of its amount to its account',
    sql: `SELECT d.id AS deposit, d.account, d.amount, d.transfer_id AS transfer
      FROM chain_deposits d LEFT JOIN transfers t ON t.id = d.transfer_id
        LEFT JOIN accounts a ON a.name = d.account AND a.network = d.network
        LEFT JOIN entries e ON e.transfer_seq = t.seq AND e.account_id = a.id
          AND e.reason = 'deposit' AND e.delta = d.amount
      WHERE d.state IN ('credited', 'reversed') AND e.account_id IS NULL`,
    orderBy: 'deposit',
  },
];

export const checks: AreaChecks = {
  table: 'withdrawals',
  current: WITHDRAWAL_CHECKS,
  journal: DEPOSIT_CHECKS,
};
