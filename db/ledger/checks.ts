import { OUTSIDE_REASONS } from '../../domain/ledger/reasons.ts';
import type { AreaChecks, Check } from '../audit/check.ts';

/** The ledger's own invariants (choices ledger.invariants). */
const OUTSIDE = OUTSIDE_REASONS.map((reason) => `'${reason}'`).join(', ');

/** The checks that read only the accounts and the open commitments, however long the journal is. */
const ACCOUNT_CHECKS: readonly Check[] = [
  {
    invariant: 'I2',
    says: 'the balances of a network and asset add up to zero',
    sql: `SELECT network, asset, CAST(sum(posted) AS TEXT) AS total FROM accounts
      GROUP BY network, asset HAVING sum(posted) <> 0`,
  },
  {
    invariant: 'I3',
    says: 'an account holds what its open commitments have remaining',
    sql: `SELECT a.id, a.name, a.held, CAST(coalesce(c.total, 0) AS TEXT) AS committed
      FROM accounts a LEFT JOIN (SELECT account_id, sum(remaining) AS total FROM commitments
        WHERE state = 'open' GROUP BY account_id) c ON c.account_id = a.id
      WHERE a.held <> coalesce(c.total, 0)`,
  },
  {
    invariant: 'I4',
    says: 'no account but the outside spends what it has not',
    sql: `SELECT id, name, posted, held FROM accounts
      WHERE held < 0 OR (class <> 'external' AND posted < held)`,
  },
  {
    invariant: 'I5',
    says: 'an account is what its last entry says',
    sql: `SELECT a.id, a.name, a.seq, a.posted, a.held FROM accounts a
      LEFT JOIN entries e ON e.account_id = a.id AND e.account_seq = a.seq
      WHERE (a.seq = 0 AND (a.posted <> 0 OR a.held <> 0))
        OR (a.seq > 0 AND (e.account_id IS NULL OR e.posted_after <> a.posted
          OR e.held_after <> a.held))
        OR EXISTS (SELECT 1 FROM entries x WHERE x.account_id = a.id AND x.account_seq > a.seq)`,
  },
  {
    invariant: 'I8',
    says: 'money waits for one thing once',
    sql: `SELECT ref_kind, ref_id, count(*) AS open FROM commitments
      WHERE state = 'open' AND kind IN ('task', 'payout', 'chain')
      GROUP BY ref_kind, ref_id HAVING count(*) > 1`,
  },
];

const JOURNAL_CHECKS: readonly Check[] = [
  {
    invariant: 'I1',
    says: 'the moves of a transfer add up to zero',
    sql: `SELECT transfer_seq, CAST(sum(delta) AS TEXT) AS total FROM entries
      WHERE kind = 'move' GROUP BY transfer_seq HAVING sum(delta) <> 0`,
  },
  {
    invariant: 'I1',
    says: 'a transfer has entries',
    sql: `SELECT t.seq FROM transfers t
      WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.transfer_seq = t.seq)`,
  },
  {
    invariant: 'I5',
    says: 'every entry follows from the one before it',
    sql: `SELECT account_id, account_seq, kind, delta, posted_after, held_after FROM (
        SELECT *, lag(account_seq, 1, 0) OVER own AS seq_before,
          lag(posted_after, 1, 0) OVER own AS posted_before,
          lag(held_after, 1, 0) OVER own AS held_before
        FROM entries WINDOW own AS (PARTITION BY account_id ORDER BY account_seq)) AS chained
      WHERE account_seq <> seq_before + 1
        OR posted_after <> posted_before + CASE WHEN kind = 'move' THEN delta ELSE 0 END
        OR held_after <> held_before + CASE WHEN kind = 'move' THEN 0 ELSE delta END`,
  },
  {
    invariant: 'I6',
    says: 'a transfer stays on one network and asset',
    sql: `SELECT e.transfer_seq, e.account_id FROM entries e
      JOIN accounts a ON a.id = e.account_id JOIN transfers t ON t.seq = e.transfer_seq
      WHERE a.network <> t.network OR a.asset <> t.asset OR e.at <> t.at`,
  },
  {
    invariant: 'I7',
    says: 'only in/out reasons touch the outside',
    sql: `SELECT e.transfer_seq, e.reason, a.name FROM accounts a
      JOIN entries e ON e.account_id = a.id
      WHERE a.class = 'external' AND e.reason NOT IN (${OUTSIDE})`,
  },
  {
    invariant: 'I10',
    says: 'a once-only call has one transfer, and the transfer exists',
    sql: `SELECT i.account, i.operation, i.key FROM idempotency i
      LEFT JOIN transfers t ON t.id = i.transfer_id
      WHERE i.result IS NULL OR (i.transfer_id IS NOT NULL AND t.id IS NULL)`,
  },
];

/** The same as far as entries behind a transfer number show it. */
const NEW_ENTRY_CHECKS: readonly Check[] = [
  {
    invariant: 'I1',
    says: 'the moves of a transfer add up to zero',
    sql: `SELECT transfer_seq, CAST(sum(delta) AS TEXT) AS total FROM entries
      WHERE transfer_seq > ? AND kind = 'move' GROUP BY transfer_seq HAVING sum(delta) <> 0`,
  },
  {
    invariant: 'I1',
    says: 'a transfer has entries',
    sql: `SELECT t.seq FROM transfers t WHERE t.seq > ?
      AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.transfer_seq = t.seq)`,
  },
  {
    invariant: 'I5',
    says: 'every entry follows from the one before it',
    sql: `SELECT e.account_id, e.account_seq, e.kind, e.delta, e.posted_after, e.held_after
      FROM entries e LEFT JOIN entries p
        ON p.account_id = e.account_id AND p.account_seq = e.account_seq - 1
      WHERE e.transfer_seq > ? AND ((e.account_seq > 1 AND p.account_seq IS NULL)
        OR e.posted_after <> coalesce(p.posted_after, 0)
          + CASE WHEN e.kind = 'move' THEN e.delta ELSE 0 END
        OR e.held_after <> coalesce(p.held_after, 0)
          + CASE WHEN e.kind = 'move' THEN 0 ELSE e.delta END)`,
  },
  {
    invariant: 'I6',
    says: 'a transfer stays on one network and asset',
    sql: `SELECT e.transfer_seq, e.account_id FROM transfers t
      JOIN entries e ON e.transfer_seq = t.seq JOIN accounts a ON a.id = e.account_id
      WHERE t.seq > ? AND (a.network <> t.network OR a.asset <> t.asset OR e.at <> t.at)`,
  },
  {
    invariant: 'I7',
    says: 'only in/out reasons touch the outside',
    sql: `SELECT e.transfer_seq, e.reason, a.name
      FROM entries e JOIN accounts a ON a.id = e.account_id
      WHERE e.transfer_seq > ? AND a.class = 'external' AND e.reason NOT IN (${OUTSIDE})`,
  },
  {
    invariant: 'I10',
    says: 'a once-only call has its result',
    sql: `SELECT i.account, i.operation, i.key
      FROM transfers t JOIN idempotency i ON i.transfer_id = t.id
      WHERE t.seq > ? AND i.result IS NULL`,
  },
];

export const checks: AreaChecks = {
  table: 'accounts',
  current: ACCOUNT_CHECKS,
  journal: JOURNAL_CHECKS,
  newEntries: NEW_ENTRY_CHECKS,
};
