import { one, text, whole } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { advance, type HighWaterMark } from '../ledger/highWaterMark.ts';

/** The amount that moved for a reason between two positions of the journal. */
export interface Moved {
  readonly network: string;
  readonly reason: string;
  /** Atomic units that came to accounts, as a number: a figure for plots, not for books. */
  readonly amount: number;
  readonly count: number;
}

const MOVED = statement(`
  SELECT a.network, e.reason, CAST(sum(CAST(e.delta AS REAL)) AS TEXT) AS amount,
    CAST(count(*) AS TEXT) AS entries
  FROM entries e JOIN accounts a ON a.id = e.account_id
  WHERE e.transfer_seq > ? AND e.transfer_seq <= ? AND e.delta > 0 AND e.kind = 'move'
  GROUP BY a.network, e.reason`);

const NEWEST = statement('SELECT coalesce(max(seq), 0) AS newest FROM transfers');

/** Each transfer is in one answer: the mark says how far the last one looked. The first has none. */
export async function movedSince(
  db: Reader,
  mark: HighWaterMark | undefined,
): Promise<{ readonly moved: readonly Moved[]; readonly mark: HighWaterMark }> {
  if (mark === undefined) {
    const row = one(await linkOf(db).rows(NEWEST, []));
    return { moved: [], mark: { auditedUpTo: row === undefined ? 0 : whole(row, 'newest') } };
  }
  const next = await advance(db, mark);
  const rows = await linkOf(db).rows(MOVED, [mark.auditedUpTo, next.auditedUpTo]);
  const moved = rows.map((row) => ({
    network: text(row, 'network'),
    reason: text(row, 'reason'),
    amount: Number(text(row, 'amount')),
    count: Number(text(row, 'entries')),
  }));
  return { moved, mark: next };
}
