import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { REASONS, type Reason } from '../../domain/ledger/reasons.ts';
import type { Atomic } from '../../domain/money.ts';
import { amount, whole } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import type { Place } from '../ledger/accounts.ts';
import { reason } from '../ledger/statement.ts';

/** The effect of a reason on an account: `in` and `out` moved money, `held` and `released` none. */
export interface Totals {
  readonly in: Atomic;
  readonly out: Atomic;
  readonly held: Atomic;
  readonly released: Atomic;
  /** Entries. */
  readonly count: number;
}
export interface TotalsOfReason extends Totals {
  readonly reason: Reason;
}

const sum = (kind: string, sign: '' | '-', name: string): string =>
  `CAST(coalesce(sum(CASE WHEN e.kind = '${kind}' AND ${sign}e.delta > 0
     THEN ${sign}e.delta END), 0) AS TEXT) AS ${name}`;
const TOTALS = statement(`
  SELECT e.reason, ${sum('move', '', 'total_in')}, ${sum('move', '-', 'total_out')},
    ${sum('hold', '', 'held')}, ${sum('release', '-', 'released')}, count(*) AS entries
  FROM accounts a JOIN entries e ON e.account_id = a.id
  WHERE a.network = ? AND a.asset = ? AND a.name = ? AND e.at >= ?
  GROUP BY e.reason`);

/** Totals by reason from `since` on, in the order of the closed set; silent ones are absent. */
export async function totalsByReason(
  db: Reader,
  account: Account,
  { network, asset }: Place,
  since: Instant,
): Promise<readonly TotalsOfReason[]> {
  const rows = await linkOf(db).rows(TOTALS, [network, asset, account, since]);
  const totals = rows.map((row) => ({
    reason: reason(row),
    in: amount(row, 'total_in'),
    out: amount(row, 'total_out'),
    held: amount(row, 'held'),
    released: amount(row, 'released'),
    count: whole(row, 'entries'),
  }));
  return totals.sort((a, b) => REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason));
}
