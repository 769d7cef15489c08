import { signed, text, whole } from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Statement } from '../connection.ts';

/** Public sums of the books, which name no user (choices ledger.invariants, ledger.seals). */
export interface BookSums {
  readonly network: string;
  readonly asset: string;
  readonly accounts: number;
  readonly users: bigint;
  /** The house's own accounts, pots included. */
  readonly hub: bigint;
  /** Held for tasks, accepted payouts and chains. */
  readonly escrow: bigint;
  /** Promised by live tasks and by steps that wait: equal to `escrow` (I8). */
  readonly liveRewards: bigint;
  readonly pots: bigint;
  /** The money at tables: equal to `pots` (I9), as settled markets leave nothing. */
  readonly atTables: bigint;
  readonly transfers: number;
}

const ACCOUNTS = statement(`
  SELECT network, asset, count(DISTINCT name) AS accounts,
    CAST(sum(CASE WHEN class = 'user' THEN posted ELSE 0 END) AS TEXT) AS users,
    CAST(sum(CASE WHEN class = 'hub' THEN posted ELSE 0 END) AS TEXT) AS hub,
    CAST(sum(CASE WHEN name LIKE 'hub:pot:%' THEN posted ELSE 0 END) AS TEXT) AS pots
  FROM accounts GROUP BY network, asset ORDER BY network, asset`);
const ESCROW = statement(`
  SELECT a.network, a.asset, CAST(sum(c.remaining) AS TEXT) AS total
  FROM commitments c JOIN accounts a ON a.id = c.account_id
  WHERE c.state = 'open' AND c.kind IN ('task', 'payout', 'chain') GROUP BY a.network, a.asset`);
const LIVE = statement(`
  SELECT n.id AS network, n.asset, CAST(sum(promised.reward) AS TEXT) AS total
  FROM (SELECT network, reward FROM tasks
      WHERE state IN ('open', 'held', 'delivered', 'accepted', 'disputed')
    UNION ALL SELECT network, waiting FROM chains WHERE waiting > 0) AS promised
  JOIN networks n ON n.id = promised.network GROUP BY n.id, n.asset`);
const TABLES = statement(`
  SELECT n.id AS network, n.asset, CAST(sum(t.money) AS TEXT) AS total
  FROM poker_tables t JOIN networks n ON n.id = t.network
  WHERE t.state <> 'finished' GROUP BY n.id, n.asset`);
const TRANSFERS = statement(`
  SELECT network, asset, CAST(count(*) AS TEXT) AS total FROM transfers GROUP BY network, asset`);
/** Reads one snapshot; in the order of network and asset. */
export async function bookSums(db: Reader): Promise<readonly BookSums[]> {
  const accounts = await linkOf(db).rows(ACCOUNTS, []);
  const [escrow, live, tables, transfers] = [
    await totals(db, ESCROW),
    await totals(db, LIVE),
    await totals(db, TABLES),
    await totals(db, TRANSFERS),
  ];
  return accounts.map((row) => ({
    network: text(row, 'network'),
    asset: text(row, 'asset'),
    accounts: whole(row, 'accounts'),
    users: signed(row, 'users'),
    hub: signed(row, 'hub'),
    pots: signed(row, 'pots'),
    escrow: escrow.get(placeOf(row)) ?? 0n,
    liveRewards: live.get(placeOf(row)) ?? 0n,
    atTables: tables.get(placeOf(row)) ?? 0n,
    transfers: Number(transfers.get(placeOf(row)) ?? 0n),
  }));
}

async function totals(db: Reader, of: Statement): Promise<ReadonlyMap<string, bigint>> {
  const rows = await linkOf(db).rows(of, []);
  return new Map(rows.map((row) => [placeOf(row), signed(row, 'total')]));
}

function placeOf(row: Row): string {
  return `${text(row, 'network')} ${text(row, 'asset')}`;
}
