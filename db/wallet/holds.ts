import type { Account } from '../../domain/account.ts';
import type { HoldKind } from '../../domain/ledger/reasons.ts';
import type { Instant } from '../../domain/instant.ts';
import { atomic, ZERO, type Atomic } from '../../domain/money.ts';
import { holdKind, type Place } from '../ledger/accounts.ts';
import { holds, HOLDS_LISTED_MAX, type HeldFor } from '../ledger/balances.ts';
import { amount, time, whole } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

/** The open holds of an account; listed and older ones together are what it holds. */
export interface OpenHolds {
  /** The newest, oldest of them first. */
  readonly listed: readonly HeldFor[];
  /** Those too many to list, as one line a kind. */
  readonly older: readonly OlderHolds[];
}
interface OlderHolds {
  readonly kind: HoldKind;
  readonly count: number;
  readonly amount: Atomic;
  readonly since: Instant;
}

const BY_KIND = statement(`SELECT c.kind, count(*) AS open, min(c.opened_at) AS since,
    CAST(sum(c.remaining) AS TEXT) AS total
  FROM commitments c JOIN accounts a ON a.id = c.account_id
  WHERE a.network = ? AND a.asset = ? AND a.name = ? AND c.state = 'open'
  GROUP BY c.kind ORDER BY c.kind`);

export async function openHolds(db: Reader, account: Account, place: Place): Promise<OpenHolds> {
  const listed = [...(await holds(db, account, place))].reverse();
  if (listed.length < HOLDS_LISTED_MAX) return { listed, older: [] };
  const rows = await linkOf(db).rows(BY_KIND, [place.network, place.asset, account]);
  const older = rows.map((row) => {
    const kind = holdKind(row, 'kind');
    const shown = listed.filter((each) => each.kind === kind);
    return {
      kind,
      count: whole(row, 'open') - shown.length,
      amount: atomic(amount(row, 'total') - sum(shown)),
      since: time(row, 'since'),
    };
  });
  return { listed, older: older.filter(({ count }) => count > 0) };
}

function sum(shown: readonly HeldFor[]): bigint {
  return shown.reduce<bigint>((total, each) => total + each.amount, ZERO);
}
