import type { Reader } from '../connection.ts';
import {
  ACCOUNT_CHECKS,
  differencesOf,
  JOURNAL_CHECKS,
  OUTSIDE,
  prepared,
  type Difference,
} from './checks.ts';
import { advance, type HighWaterMark } from './highWaterMark.ts';

/**
 * The same invariants over what is new since the last look, for a hub that looks every minute: the
 * accounts as they are, and the journal from where the last look ended (choices ledger.freeze).
 */
export interface Recheck {
  readonly differences: readonly Difference[];
  /** Where the next look begins. */
  readonly mark: HighWaterMark;
}

const NEW_ENTRIES = prepared([
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
]);

/** Looks at everything when there is no mark yet. Reads one snapshot. */
export async function recheck(db: Reader, mark?: HighWaterMark): Promise<Recheck> {
  const next = await advance(db, mark);
  const journal =
    mark === undefined
      ? await differencesOf(db, JOURNAL_CHECKS)
      : await differencesOf(db, NEW_ENTRIES, [mark.auditedUpTo]);
  return { differences: [...journal, ...(await differencesOf(db, ACCOUNT_CHECKS))], mark: next };
}
