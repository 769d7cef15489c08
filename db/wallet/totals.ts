import type { Instant } from '../../domain/instant.ts';
import { REASONS, type Reason } from '../../domain/ledger/reasons.ts';
import type { Atomic } from '../../domain/money.ts';
import { account, amount, integer, moment, network, oneOf, text } from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import { rows } from '../batch/rows.ts';
import type { Decider } from '../batch/transaction.ts';
import type { OnNetwork } from './onNetwork.ts';

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
  `coalesce(sum(CASE WHEN e.kind = '${kind}' AND ${sign}e.delta > 0
     THEN ${sign}e.delta END), 0) AS ${name}`;
const totals = rows({
  reason: oneOf(REASONS),
  totalIn: amount(),
  totalOut: amount(),
  held: amount(),
  released: amount(),
  entries: integer(),
});

export const TOTALS = lookup('wallet_totals', {
  by: { account: account(), network: network(), asset: text(), since: moment() },
  found: { totals: totals.column() },
  sql(key, dialect) {
    const own = `SELECT id FROM accounts
      WHERE network = ${key.network} AND asset = ${key.asset} AND name = ${key.account}`;
    // As an array it is an index condition on PostgreSQL, whatever the statistics say.
    const among = dialect === 'sqlite' ? `IN (${own})` : `= ANY(ARRAY(${own}))`;
    const found = totals.sql(
      `SELECT e.reason, ${sum('move', '', 'total_in')}, ${sum('move', '-', 'total_out')},
          ${sum('hold', '', 'held')}, ${sum('release', '-', 'released')}, count(*) AS entries
        FROM entries e WHERE e.account_id ${among} AND e.at >= ${key.since}
        GROUP BY e.reason`,
      dialect,
    );
    return { totals: found };
  },
});

/** Totals by reason from `since` on, in the order of the closed set; silent ones are absent. */
export function totalsByReason(
  db: Decider,
  key: OnNetwork & { readonly since: Instant },
): readonly TotalsOfReason[] {
  const found = (db.find(TOTALS, key)?.totals ?? []).map(
    ({ totalIn, totalOut, entries: count, ...total }) => ({
      ...total,
      in: totalIn,
      out: totalOut,
      count,
    }),
  );
  return found.sort((a, b) => REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason));
}
