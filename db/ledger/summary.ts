import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Reason } from '../../domain/ledger/reasons.ts';
import type { Atomic } from '../../domain/money.ts';
import { amount, whole } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import type { Place } from './accounts.ts';
import { reason } from './statement.ts';

/** Money in and out of an account for one reason. Holds move no money and are not counted. */
export interface ReasonTotal {
  readonly reason: Reason;
  readonly in: Atomic;
  readonly out: Atomic;
  readonly count: number;
}

const TOTALS = statement(`
  SELECT e.reason, CAST(sum(CASE WHEN e.delta > 0 THEN e.delta ELSE 0 END) AS TEXT) AS total_in,
    CAST(sum(CASE WHEN e.delta < 0 THEN -e.delta ELSE 0 END) AS TEXT) AS total_out,
    count(*) AS entries
  FROM accounts a JOIN entries e ON e.account_id = a.id
  WHERE a.network = ? AND a.asset = ? AND a.name = ? AND e.at >= ? AND e.kind = 'move'
  GROUP BY e.reason ORDER BY e.reason`);

/** Totals by reason from `since` on, in the order of the reasons' names. */
export async function summary(
  db: Reader,
  account: Account,
  { network, asset }: Place,
  since: Instant,
): Promise<readonly ReasonTotal[]> {
  const rows = await linkOf(db).rows(TOTALS, [network, asset, account, since]);
  return rows.map((row) => ({
    reason: reason(row),
    in: amount(row, 'total_in'),
    out: amount(row, 'total_out'),
    count: whole(row, 'entries'),
  }));
}
