import { sha256Hex } from '../../domain/digest.ts';
import { OUTSIDE_REASONS } from '../../domain/ledger/reasons.ts';
import { signed, text, whole } from '../columns.ts';
import { statement, linkOf, type Reader, type Row } from '../connection.ts';

/**
 * Recomputes the invariants of choices 1.4 from the rows themselves. Each check is one aggregate
 * that the database streams, and answers only the rows that break the rule.
 */
export interface Difference {
  readonly invariant: string;
  readonly says: string;
  /** The offending row, as the database gave it. */
  readonly found: Readonly<Record<string, string>>;
}
export interface NetworkSum {
  readonly network: string;
  readonly asset: string;
  /** Sum of all balances: zero when the books are right (I2). */
  readonly total: bigint;
  /** Money inside: what the outside owes. */
  readonly supply: bigint;
  readonly held: bigint;
  /** What open commitments have remaining: equal to `held` (I3). */
  readonly committed: bigint;
}
export interface Audit {
  readonly differences: readonly Difference[];
  readonly sums: readonly NetworkSum[];
  readonly transfers: number;
  /** SHA-256 over the newest entry's columns; undefined while the journal is empty. */
  readonly newestDigest?: string;
}

/** Rows shown of one broken rule: enough to start looking. */
const SHOWN_MAX = 20;
const OUTSIDE = OUTSIDE_REASONS.map((reason) => `'${reason}'`).join(', ');

interface Check {
  readonly invariant: string;
  readonly says: string;
  readonly sql: string;
}

const CHECKS: readonly Check[] = [
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
    invariant: 'I8',
    says: 'money waits for one thing once',
    sql: `SELECT ref_kind, ref_id, count(*) AS open FROM commitments
      WHERE state = 'open' AND kind IN ('task', 'payout', 'chain')
      GROUP BY ref_kind, ref_id HAVING count(*) > 1`,
  },
  {
    invariant: 'I10',
    says: 'a once-only call has one transfer, and the transfer exists',
    sql: `SELECT i.account, i.operation, i.key FROM idempotency i
      LEFT JOIN transfers t ON t.id = i.transfer_id
      WHERE i.result IS NULL OR (i.transfer_id IS NOT NULL AND t.id IS NULL)`,
  },
];
const PREPARED = CHECKS.map((check) => ({
  ...check,
  text: statement(`SELECT * FROM (${check.sql}) AS found LIMIT ${SHOWN_MAX}`),
}));
const SUMS = statement(`
  SELECT a.network, a.asset, CAST(sum(a.posted) AS TEXT) AS total,
    CAST(sum(a.held) AS TEXT) AS held, CAST(coalesce(max(c.total), 0) AS TEXT) AS committed,
    CAST(-sum(CASE WHEN a.class = 'external' THEN a.posted ELSE 0 END) AS TEXT) AS supply
  FROM accounts a LEFT JOIN (
    SELECT b.network, b.asset, sum(o.remaining) AS total FROM commitments o
    JOIN accounts b ON b.id = o.account_id WHERE o.state = 'open' GROUP BY b.network, b.asset
  ) c ON c.network = a.network AND c.asset = a.asset
  GROUP BY a.network, a.asset ORDER BY a.network, a.asset`);
const TRANSFERS = statement('SELECT count(*) AS transfers FROM transfers');
const NEWEST = statement(`SELECT e.account_id, e.account_seq, e.kind, e.reason, e.delta,
    e.posted_after, e.held_after, e.at, t.seq, t.id
  FROM entries e JOIN transfers t ON t.seq = e.transfer_seq
  WHERE e.transfer_seq = (SELECT max(seq) FROM transfers)
  ORDER BY e.account_id DESC, e.account_seq DESC LIMIT 1`);

/** Reads one snapshot; differences are empty when the books are right. */
export async function audit(db: Reader): Promise<Audit> {
  const link = linkOf(db);
  const differences: Difference[] = [];
  for (const { invariant, says, text: check } of PREPARED) {
    for (const row of await link.rows(check, [])) {
      differences.push({ invariant, says, found: shown(row) });
    }
  }
  const sums = (await link.rows(SUMS, [])).map((row) => ({
    network: text(row, 'network'),
    asset: text(row, 'asset'),
    total: signed(row, 'total'),
    supply: signed(row, 'supply'),
    held: signed(row, 'held'),
    committed: signed(row, 'committed'),
  }));
  const [counted] = await link.rows(TRANSFERS, []);
  const [newest] = await link.rows(NEWEST, []);
  return {
    differences,
    sums,
    transfers: counted === undefined ? 0 : whole(counted, 'transfers'),
    ...(newest === undefined ? {} : { newestDigest: digest(newest) }),
  };
}

function digest(row: Row): string {
  return sha256Hex(JSON.stringify(Object.values(row).map(String)));
}

function shown(row: Row): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]));
}
