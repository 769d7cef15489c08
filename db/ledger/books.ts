import { sha256Hex } from '../../domain/digest.ts';
import { canonical } from '../../domain/json.ts';
import type { Instant } from '../../domain/instant.ts';
import { signed, text, textOrNull, time, whole } from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Statement } from '../connection.ts';

/**
 * The sums of the books that a stranger may see: no account of a user is named. Each is one
 * aggregate over the rows themselves (choices 1.4, 1.8).
 */
export interface BookSums {
  readonly network: string;
  readonly asset: string;
  readonly accounts: number;
  readonly users: bigint;
  /** The house's own accounts, pots included. */
  readonly hub: bigint;
  /** Held for tasks, accepted payouts and chains. */
  readonly escrow: bigint;
  /** Promised by live tasks: equal to `escrow` (I8). */
  readonly liveRewards: bigint;
  readonly pots: bigint;
  readonly transfers: number;
}

export interface NewestTransfer {
  readonly seq: number;
  readonly transferId: string;
  readonly at: Instant;
  /** SHA-256 over the canonical JSON (RFC 8785) of the transfer with its entries. */
  readonly digest: string;
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
  SELECT n.id AS network, n.asset, CAST(sum(t.reward) AS TEXT) AS total
  FROM tasks t JOIN networks n ON n.id = t.network
  WHERE t.state IN ('open', 'held', 'delivered', 'accepted', 'disputed') GROUP BY n.id, n.asset`);
const TRANSFERS = statement(`
  SELECT network, asset, CAST(count(*) AS TEXT) AS total FROM transfers GROUP BY network, asset`);
const NEWEST = statement('SELECT * FROM transfers ORDER BY seq DESC LIMIT 1');
const ENTRIES = statement(`
  SELECT a.name, a.shard, e.account_seq, e.kind, e.reason, e.counterparty, e.delta,
    e.posted_after, e.held_after
  FROM entries e JOIN accounts a ON a.id = e.account_id
  WHERE e.transfer_seq = ?`);

/** Reads one snapshot; in the order of network and asset. */
export async function bookSums(db: Reader): Promise<readonly BookSums[]> {
  const accounts = await linkOf(db).rows(ACCOUNTS, []);
  const [escrow, live, transfers] = [
    await totals(db, ESCROW),
    await totals(db, LIVE),
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
    transfers: Number(transfers.get(placeOf(row)) ?? 0n),
  }));
}

/** The newest transfer; undefined while the journal is empty. */
export async function newestTransfer(db: Reader): Promise<NewestTransfer | undefined> {
  const [row] = await linkOf(db).rows(NEWEST, []);
  if (row === undefined) return undefined;
  const seq = whole(row, 'seq');
  const at = time(row, 'at');
  const transferId = text(row, 'id');
  // Ordered here: databases differ on the order of texts.
  const entries = (await linkOf(db).rows(ENTRIES, [seq])).map(entry).sort(byPlace);
  const document = {
    id: transferId,
    seq,
    network: text(row, 'network'),
    asset: text(row, 'asset'),
    event: text(row, 'event'),
    refKind: text(row, 'ref_kind'),
    refId: text(row, 'ref_id'),
    actor: text(row, 'actor'),
    memo: textOrNull(row, 'memo'),
    at,
    entries,
  };
  return { seq, transferId, at, digest: sha256Hex(canonical(document)) };
}

function entry(row: Row) {
  return {
    account: text(row, 'name'),
    shard: whole(row, 'shard'),
    accountSeq: whole(row, 'account_seq'),
    kind: text(row, 'kind'),
    reason: text(row, 'reason'),
    counterparty: textOrNull(row, 'counterparty'),
    delta: `${signed(row, 'delta')}`,
    postedAfter: `${signed(row, 'posted_after')}`,
    heldAfter: `${signed(row, 'held_after')}`,
  };
}

function byPlace(a: ReturnType<typeof entry>, b: ReturnType<typeof entry>): number {
  if (a.account !== b.account) return a.account < b.account ? -1 : 1;
  return a.shard - b.shard || a.accountSeq - b.accountSeq;
}

async function totals(db: Reader, of: Statement): Promise<ReadonlyMap<string, bigint>> {
  const rows = await linkOf(db).rows(of, []);
  return new Map(rows.map((row) => [placeOf(row), signed(row, 'total')]));
}

function placeOf(row: Row): string {
  return `${text(row, 'network')} ${text(row, 'asset')}`;
}
