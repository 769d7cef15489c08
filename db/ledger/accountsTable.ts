import { accountClass, type Account } from '../../domain/account.ts';
import type { NetworkId } from '../../domain/network.ts';
import { account, amount, integer, signedAmount, text } from '../batch/columns.ts';
import { KEYS, textCell, wholeCell, type Table } from '../batch/need.ts';
import { described } from '../batch/table.ts';
import { NEW_ROW, rowGuard, VERSION } from '../batch/versions.ts';
import { postgresFunction, writeObject } from '../batch/writeObject.ts';
import type { Held, Place } from './accounts.ts';
import { accountOfShard, shardAccount, shardNumber } from './shards.ts';

/** The key of an account's row; `post` alone puts rows into the tables of the ledger. */
export interface AccountKey extends Place {
  /** By its shard, as the ledger works. */
  readonly account: Account;
  /** Whether PostgreSQL, which has to lock the row, makes it when it is missing. */
  readonly isMade: boolean;
}
export interface AccountRow extends Place, Held {
  readonly account: Account;
  /** The reading made it for this batch. */
  readonly isNew: boolean;
}

const MADE_CELL = 4;
const VERSION_CELL = 5;
const FOUND_CELLS = 't.network, t.asset, t.name, t.shard, t.id, t.posted, t.held, t.seq';
const JOINED = `JOIN accounts AS t ON t.network = k.value ->> 0 AND t.asset = k.value ->> 1
  AND t.name = k.value ->> 2 AND t.shard = (k.value ->> 3)::bigint`;
/** Users go before pots, and those before the hub's own accounts (choices ledger.locks). */
const LOCK_ORDER = `CASE WHEN t.class = 'user' THEN 0 WHEN t.name LIKE 'hub:pot:%' THEN 1
  WHEN t.class = 'hub' THEN 2 ELSE 3 END, t.id`;
/** Returns the key of an account that is not made when it is missing. */
export function accountKey({ network, asset, account }: Omit<AccountKey, 'isMade'>): AccountKey {
  return { network, asset, account, isMade: false };
}

const accountId = ({ network, asset, account }: Place & { readonly account: Account }): string =>
  `${network} ${asset} ${account}`;

/**
 * Reads and locks accounts. Receivers' rows are made first in the same function, so a new receiver
 * needs no commit of its own (choices ledger.locks). The last cell marks new rows; those of refused
 * transfers are deleted with the write of the batch.
 */
const FOR_BATCH = postgresFunction(
  'accounts_read',
  `(keys jsonb[]) RETURNS text LANGUAGE plpgsql AS $$
      DECLARE
        made bigint[];
        found text;
      BEGIN
        WITH missing AS (
          INSERT INTO accounts (network, asset, name, class, shard, posted, held, seq)
          SELECT k.value ->> 0, k.value ->> 1, k.value ->> 2, k.value ->> 4,
            (k.value ->> 3)::bigint, 0, 0, 0
          FROM unnest(keys) AS k (value)
          WHERE k.value ->> 4 IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM accounts AS a
            WHERE a.network = k.value ->> 0 AND a.asset = k.value ->> 1
              AND a.name = k.value ->> 2 AND a.shard = (k.value ->> 3)::bigint)
          ORDER BY k.value ->> 4, k.value ->> 0, k.value ->> 2, (k.value ->> 3)::bigint
          ON CONFLICT (network, asset, name, shard) DO NOTHING
          RETURNING id)
        SELECT array_agg(id) INTO made FROM missing;
        SELECT json_agg(json_build_array(${FOUND_CELLS}, coalesce(t.id = ANY (made), false)))::text
        INTO found FROM (SELECT t.* FROM unnest(keys) AS k (value) ${JOINED}
          ORDER BY ${LOCK_ORDER} FOR NO KEY UPDATE OF t) AS t;
        RETURN found;
      END $$`,
);

/**
 * Reads without a lock. A missing receiver's row is answered with the number that it will have, and
 * its version says so; the commit of the batch makes it.
 */
const LOOK = `SELECT json_agg(json_build_array(k.value ->> 0, k.value ->> 1, k.value ->> 2,
    (k.value ->> 3)::bigint, n.id, coalesce(t.posted, 0), coalesce(t.held, 0), coalesce(t.seq, 0),
    t.id IS NULL, CASE WHEN t.id IS NULL THEN '${NEW_ROW}' || n.id ELSE ${VERSION} END))::text
  FROM ${KEYS} LEFT ${JOINED}
  CROSS JOIN LATERAL (SELECT coalesce(t.id, nextval('accounts_id_seq')) AS id) AS n
  WHERE t.id IS NOT NULL OR k.value ->> ${MADE_CELL} IS NOT NULL`;

/** As the locking read does, it makes new rows before it locks the others. */
const GUARD = rowGuard('accounts', {
  joined: JOINED,
  order: LOCK_ORDER,
  versionAt: VERSION_CELL,
  make: `
    INSERT INTO accounts (id, network, asset, name, class, shard, posted, held, seq)
    OVERRIDING SYSTEM VALUE
    SELECT substr(k.value ->> ${VERSION_CELL}, ${NEW_ROW.length + 1})::bigint, k.value ->> 0,
      k.value ->> 1, k.value ->> 2, k.value ->> ${MADE_CELL}, (k.value ->> 3)::bigint, 0, 0, 0
    FROM unnest(cells) AS k (value) WHERE k.value ->> ${VERSION_CELL} LIKE '${NEW_ROW}%'
    ORDER BY k.value ->> ${MADE_CELL}, k.value ->> 0, k.value ->> 2, (k.value ->> 3)::bigint
    ON CONFLICT (network, asset, name, shard) DO NOTHING`,
});

export const ACCOUNTS: Table<AccountKey, AccountRow> = {
  name: 'accounts',
  ...described('accounts', {
    id: integer().numbered(),
    network: text(),
    asset: text(),
    name: account(),
    class: text(),
    shard: integer(),
    posted: signedAmount(),
    held: amount(),
    seq: integer(),
  }),
  read: {
    sqlite: `SELECT json_group_array(json_array(${FOUND_CELLS})) FROM json_each(?) k
      CROSS JOIN accounts t ON t.network = k.value ->> 0 AND t.asset = k.value ->> 1
        AND t.name = k.value ->> 2 AND t.shard = k.value ->> 3`,
    postgres: `SELECT ${FOR_BATCH.name}(?::jsonb[])`,
  },
  id: accountId,
  keyCells({ network, asset, account, isMade }) {
    const name = accountOfShard(account);
    return [network, asset, name, shardNumber(account), isMade ? accountClass(name) : null];
  },
  joined: (one, other) => (one[MADE_CELL] === null ? other : one),
  found(cells) {
    const [network, asset] = [textCell(cells, 0) as NetworkId, textCell(cells, 1)];
    const account = shardAccount(textCell(cells, 2) as Account, wholeCell(cells, 3));
    const row = {
      network,
      asset,
      account,
      id: wholeCell(cells, 4),
      seq: wholeCell(cells, 7),
      posted: BigInt(wholeCell(cells, 5)),
      held: BigInt(wholeCell(cells, 6)),
      isNew: cells[8] === true,
    };
    return [accountId(row), row];
  },
  calls: [FOR_BATCH],
  look: LOOK,
  guard: GUARD,
  remembered: 'rows',
  personal: { apart: 'sums of entries' },
  // One that no transfer needed is not made.
  seen: ({ before, now, version }) =>
    before === now && before?.isNew === true ? undefined : version,
  // PostgreSQL numbers accounts by itself, and makes them before it locks them.
  insert: writeObject('accounts', {
    statement: (rows) => `
      INSERT INTO accounts (id, network, asset, name, class, shard, posted, held, seq)
      SELECT $0:int, $1, $2, $3, $4, $5:int, $6:int, $7:int, $8:int FROM ${rows}`,
  }),
  inserted({ id, network, asset, account, posted, held, seq }) {
    const name = accountOfShard(account);
    const place = [id, network, asset, name, accountClass(name), shardNumber(account)];
    return [...place, Number(posted), Number(held), seq];
  },
  update: writeObject('accounts_changed', {
    statement: (rows) => `
      UPDATE accounts SET posted = $1:int, held = $2:int, seq = $3:int
      FROM ${rows} WHERE accounts.id = $0:int AND accounts.seq = $4:int`,
  }),
  updated: ({ id, posted, held, seq }, before) => [
    id,
    Number(posted),
    Number(held),
    seq,
    before.seq,
  ],
  unmake: writeObject('accounts_unmade', {
    statement: (rows, dialect) =>
      dialect === 'sqlite'
        ? `DELETE FROM accounts WHERE id IN (SELECT $0:int FROM ${rows}) AND seq = 0`
        : `DELETE FROM accounts USING ${rows} WHERE accounts.id = $0:int AND accounts.seq = 0`,
  }),
  unmade: ({ id, isNew }) => (isNew ? [id] : undefined),
};
