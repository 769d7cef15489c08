import { text, whole } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

/**
 * On PostgreSQL a transfer may commit after others with a higher sequence. The newest one seen is
 * the end only when all transactions of that time have ended: a transfer takes its number in a
 * transaction that has locked its accounts before.
 */
export interface HighWaterMark {
  /** Every transfer up to this sequence was there, and was looked at. */
  readonly auditedUpTo: number;
  readonly seen?: Horizon;
}
interface Horizon {
  readonly newest: number;
  /** Younger than every transaction that had a number then: the look's own. */
  readonly next: bigint;
}

/**
 * `oldest` is the first transaction of this database that the snapshot sees running; those of other
 * databases may last for hours and are left out. One that ends during the statement still counts.
 * The end that a snapshot names would not do for `next`: it follows the last transaction that
 * ended, and younger ones may be running.
 */
const ELSEWHERE = `
  SELECT backend_xid FROM pg_stat_activity
  WHERE backend_xid IS NOT NULL AND datname <> current_database()
  UNION ALL SELECT transaction FROM pg_prepared_xacts WHERE database <> current_database()`;
const HORIZON = statement(
  `SELECT coalesce(max(seq), 0) AS newest, '0' AS oldest, '0' AS next FROM transfers`,
  `SELECT coalesce(max(seq), 0) AS newest, pg_current_xact_id()::text AS next,
    coalesce(
      (SELECT min(running) FROM pg_snapshot_xip(pg_current_snapshot()) AS running
        WHERE running::xid NOT IN (${ELSEWHERE})),
      pg_snapshot_xmax(pg_current_snapshot()))::text AS oldest
    FROM transfers`,
);

/** Where the journal is whole up to now; call it again later for what was still under way. */
export async function advance(db: Reader, mark: HighWaterMark | undefined): Promise<HighWaterMark> {
  const [row] = await linkOf(db).rows(HORIZON, []);
  if (row === undefined) throw new Error('a maximum has a row');
  const newest = whole(row, 'newest');
  const [oldest, next] = [BigInt(text(row, 'oldest')), BigInt(text(row, 'next'))];
  if (oldest >= next) return { auditedUpTo: newest };
  const { auditedUpTo: looked, seen } = mark ?? { auditedUpTo: 0, seen: undefined };
  if (seen === undefined) return { auditedUpTo: looked, seen: { newest, next } };
  return oldest < seen.next
    ? { auditedUpTo: looked, seen }
    : { auditedUpTo: seen.newest, seen: { newest, next } };
}
