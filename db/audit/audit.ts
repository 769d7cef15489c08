import { sha256Hex } from '../../domain/digest.ts';
import { signed, text, whole } from '../columns.ts';
import { statement, linkOf, type Reader, type Row } from '../connection.ts';
import { registeredChecks } from './areas.ts';
import { differencesOf, type Difference } from './check.ts';

/** Recomputes the invariants of choices ledger.invariants from the rows themselves, all of them. */
export interface NetworkSum {
  readonly network: string;
  readonly asset: string;
  /** Sum of all balances: zero when the books are right (I2). */
  readonly total: bigint;
  /** Money inside: what the outside owes. */
  readonly supply: bigint;
  readonly held: bigint;
  /** The sum that remains in open commitments; equal to `held` (I3). */
  readonly committed: bigint;
}
export interface Audit {
  readonly differences: readonly Difference[];
  readonly sums: readonly NetworkSum[];
  readonly transfers: number;
  /** SHA-256 over the newest entry's columns; undefined while the journal is empty. */
  readonly newestDigest?: string;
}

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
  const { current, journal } = await registeredChecks(db);
  const differences = await differencesOf(db, [...journal, ...current]);
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
    ...(newest !== undefined && { newestDigest: digest(newest) }),
  };
}

function digest(row: Row): string {
  return sha256Hex(JSON.stringify(Object.values(row).map(String)));
}
