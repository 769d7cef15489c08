import { accountClass } from '../../domain/account.ts';
import { HOLD_KINDS, type HoldKind } from '../../domain/ledger/reasons.ts';
import type { Balance } from '../../domain/ledger/transfer.ts';
import type { NetworkId } from '../../domain/network.ts';
import { text } from '../columns.ts';
import { statement, type Link, type Row } from '../connection.ts';
import type { AccountRow } from './memory.ts';
import { accountOfShard, shardNumber } from './shards.ts';

/** The state of an account's row. */
export interface Held extends Balance {
  readonly id: number;
}
export interface Place {
  readonly network: NetworkId;
  readonly asset: string;
}

/** Lock order of choices ledger.locks: users, pots, hub accounts, the outside; each by id. */
export const LOCKED = `
  ORDER BY CASE WHEN class = 'user' THEN 0 WHEN name LIKE 'hub:pot:%' THEN 1
                WHEN class = 'hub' THEN 2 ELSE 3 END, id
  FOR NO KEY UPDATE`;
const CREATE_ALL = statement(
  '',
  `INSERT INTO accounts (network, asset, name, class, shard, posted, held, seq)
  SELECT ?, ?, v.name, v.class, v.shard, 0, 0, 0
  FROM unnest(?::text[], ?::text[], ?::bigint[]) AS v (name, class, shard)
  ON CONFLICT (network, asset, name, shard) DO NOTHING`,
);

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

export function holdKind(row: Row, name: string): HoldKind {
  const kind = HOLD_KINDS.find((each) => each === row[name]);
  if (kind === undefined) throw new Error(`not a hold kind: ${text(row, name)}`);
  return kind;
}
