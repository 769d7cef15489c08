import { accountClass, type Account } from '../../domain/account.ts';
import { HOLD_KINDS, type HoldKind } from '../../domain/ledger/reasons.ts';
import {
  commitmentId,
  type Balance,
  type Commitment,
  type CommitmentId,
} from '../../domain/ledger/transfer.ts';
import { parseNetworkId, type NetworkId } from '../../domain/network.ts';
import { account, amount, signed, text, timeOrNull, whole } from '../columns.ts';
import { linkOf, statement, type Link, type Row, type Writer } from '../connection.ts';
import type { AccountRow } from './memory.ts';
import { accountOfShard, shardNumber, shardAccount } from './shards.ts';

/** Reads the rows that a transfer touches, locked on PostgreSQL until the unit ends. */
export interface Held extends Balance {
  readonly id: number;
}
export interface Locked {
  readonly accounts: ReadonlyMap<Account, Held>;
  readonly nextSeq?: number;
}
export interface Place {
  readonly network: NetworkId;
  readonly asset: string;
}

const COLUMNS = 'id, name, shard, posted, held, seq';
/** Lock order of choices ledger.locks: users, pots, hub accounts, the outside; each by id. */
export const LOCKED = `
  ORDER BY CASE WHEN class = 'user' THEN 0 WHEN name LIKE 'hub:pot:%' THEN 1
                WHEN class = 'hub' THEN 2 ELSE 3 END, id
  FOR NO KEY UPDATE`;
const BY_NAME = `SELECT ${COLUMNS} FROM accounts WHERE network = ? AND asset = ? AND name`;
const ONE_SHARD = 'AND (shard = 0 OR shard = ?)';
const LIST = 'IN (SELECT value FROM json_each(?))';
/** The one writer of SQLite reads the next transfer's number along. */
const NEXT = '(SELECT coalesce(max(seq), 0) + 1 FROM transfers) AS next_seq';
const NAMED_SQLITE = `SELECT ${COLUMNS}, ${NEXT} FROM accounts
  WHERE network = ? AND asset = ? AND name ${LIST} ${ONE_SHARD}`;
const NAMED = statement(NAMED_SQLITE, `${BY_NAME} = ANY (?::text[]) ${ONE_SHARD} ${LOCKED}`);
/** PostgreSQL keeps the plan of a list that is written out, and plans an array anew each time. */
const WRITTEN_OUT_MAX = 8;
const FEW_NAMED = Array.from({ length: WRITTEN_OUT_MAX + 1 }, (_, count) => {
  const names = Array.from({ length: count }, () => '?').join(', ');
  return statement('', `${BY_NAME} IN (${names}) ${ONE_SHARD} ${LOCKED}`);
});
/** With the owners of commitments, of whom only the commitment ids are known yet. */
const OWNERS = 'id IN (SELECT account_id FROM commitments WHERE id';
const NAMED_OR_OWNING = statement(
  `SELECT ${COLUMNS}, ${NEXT} FROM accounts WHERE id IN (SELECT id FROM accounts WHERE network = ?
     AND asset = ? AND name ${LIST} ${ONE_SHARD}) OR ${OWNERS} ${LIST})`,
  `SELECT ${COLUMNS} FROM accounts WHERE id = ANY (ARRAY(SELECT id FROM accounts
     WHERE network = ? AND asset = ? AND name = ANY (?::text[]) ${ONE_SHARD}
     UNION SELECT account_id FROM commitments WHERE id = ANY (?::text[]))) ${LOCKED}`,
);
const FEE_SHARDS = statement(
  `SELECT ${COLUMNS} FROM accounts WHERE network = ? AND asset = ? AND name = ? ORDER BY id`,
  `SELECT ${COLUMNS} FROM accounts WHERE network = ? AND asset = ? AND name = ?
   ORDER BY id FOR NO KEY UPDATE`,
);
const NEW_ACCOUNT = `INSERT INTO accounts (network, asset, name, class, shard, posted, held, seq)
  VALUES (?, ?, ?, ?, ?, 0, 0, 0) ON CONFLICT (network, asset, name, shard) DO NOTHING`;
const CREATE = statement(NEW_ACCOUNT);
const CREATE_ALL = statement(
  '',
  `INSERT INTO accounts (network, asset, name, class, shard, posted, held, seq)
  SELECT ?, ?, v.name, v.class, v.shard, 0, 0, 0
  FROM unnest(?::text[], ?::text[], ?::bigint[]) AS v (name, class, shard)
  ON CONFLICT (network, asset, name, shard) DO NOTHING`,
);
const COMMITMENTS_TEXT = `SELECT c.id, a.name, a.network, a.asset, c.kind, c.ref_kind, c.ref_id,
    c.amount, c.remaining, c.expires_at
  FROM commitments c JOIN accounts a ON a.id = c.account_id WHERE c.id`;
const COMMITMENTS = statement(
  `${COMMITMENTS_TEXT} ${LIST}`,
  `${COMMITMENTS_TEXT} = ANY (?::text[])`,
);

export async function lockAccounts(
  tx: Writer,
  { network, asset }: Place,
  accounts: readonly Account[],
  commitments: readonly CommitmentId[],
  shard: number,
): Promise<Locked> {
  const link = linkOf(tx);
  const few = link.dialect === 'postgres' ? FEW_NAMED[accounts.length] : undefined;
  const plain = [network, asset, accounts, shard] as const;
  const rows =
    commitments.length > 0
      ? await link.rows(NAMED_OR_OWNING, [...plain, commitments])
      : few === undefined
        ? await link.rows(NAMED, plain)
        : await link.rows(few, [network, asset, ...accounts, shard]);
  const next = rows[0]?.['next_seq'];
  return {
    accounts: bySlot(rows),
    ...(typeof next === 'number' ? { nextSeq: next } : {}),
  };
}

/** All rows of the sharded account, for the rare transfer that takes money out of it. */
export async function lockShards(
  tx: Writer,
  { network, asset }: Place,
  sharded: Account,
): Promise<ReadonlyMap<Account, Held>> {
  return bySlot(await linkOf(tx).rows(FEE_SHARDS, [network, asset, sharded]));
}

/** Makes rows for accounts that receive for the first time; a twin may have made them meanwhile. */
export async function createAccounts(
  tx: Writer,
  { network, asset }: Place,
  shardAccounts: readonly Account[],
): Promise<void> {
  for (const each of shardAccounts) {
    const name = accountOfShard(each);
    const values = [network, asset, name, accountClass(name), shardNumber(each)];
    await linkOf(tx).rows(CREATE, values);
  }
}

/**
 * On PostgreSQL every account that receives has its row before the first lock is taken. Made later,
 * it would be locked by whoever sees it at once but by its maker last, behind accounts that come
 * after it in the lock order: many first payments to one account deadlocked. Makers wait for each
 * other in one order too, holding no lock yet. Rows known to be committed cost nothing.
 */
export async function prepareReceivers(
  tx: Writer,
  place: Place,
  shardAccounts: Iterable<Account>,
): Promise<void> {
  const rows = [...shardAccounts].map((each) => ({ ...placeOf(place), shard: each }));
  const unknown = rows.filter((row) => !tx.ledger.knows(row));
  if (unknown.length === 0) return;
  await makeReceivers(linkOf(tx), place, unknown);
  tx.afterCommit(() => {
    for (const row of unknown) tx.ledger.learn(row);
  });
}

function placeOf({ network, asset }: Place): Place {
  return { network, asset };
}

/** The rows of one place, made in one order whoever makes them. */
export async function makeReceivers(
  link: Link,
  { network, asset }: Place,
  unknown: readonly AccountRow[],
): Promise<void> {
  const sorted = [...unknown].sort(byClassAndName);
  const names = sorted.map((row) => accountOfShard(row.shard));
  const classes = names.map(accountClass);
  const shards = sorted.map((row) => shardNumber(row.shard));
  await link.rows(CREATE_ALL, [network, asset, names, classes, shards]);
}

/** The lock order, by name where the ids are not known yet. */
const CLASSES = ['user', 'hub', 'external'];
function byClassAndName(a: AccountRow, b: AccountRow): number {
  const [classA, classB] = [accountClass(a.shard), accountClass(b.shard)];
  if (classA !== classB) return CLASSES.indexOf(classA) - CLASSES.indexOf(classB);
  return a.shard < b.shard ? -1 : 1;
}

/** Read after their owners were locked: nobody else changes them then. */
export async function readCommitments(
  tx: Writer,
  ids: readonly CommitmentId[],
): Promise<ReadonlyMap<CommitmentId, Commitment>> {
  if (ids.length === 0) return new Map();
  const rows = await linkOf(tx).rows(COMMITMENTS, [ids]);
  return new Map(rows.map((row) => [commitmentId(text(row, 'id')), commitment(row)]));
}

function bySlot(rows: readonly Row[]): ReadonlyMap<Account, Held> {
  const found = new Map<Account, Held>();
  for (const row of rows) {
    found.set(shardAccount(account(row, 'name'), whole(row, 'shard')), {
      id: whole(row, 'id'),
      posted: signed(row, 'posted'),
      held: signed(row, 'held'),
      seq: whole(row, 'seq'),
    });
  }
  return found;
}

function commitment(row: Row): Commitment {
  const network = parseNetworkId(text(row, 'network'));
  if (network === undefined) throw new Error('not a network');
  const expiresAt = timeOrNull(row, 'expires_at');
  return {
    id: commitmentId(text(row, 'id')),
    account: account(row, 'name'),
    network,
    asset: text(row, 'asset'),
    kind: holdKind(row, 'kind'),
    ref: { kind: text(row, 'ref_kind'), id: text(row, 'ref_id') },
    amount: amount(row, 'amount'),
    remaining: amount(row, 'remaining'),
    ...(expiresAt === null ? {} : { expiresAt }),
  };
}

export function holdKind(row: Row, name: string): HoldKind {
  const kind = HOLD_KINDS.find((each) => each === row[name]);
  if (kind === undefined) throw new Error(`not a hold kind: ${text(row, name)}`);
  return kind;
}
