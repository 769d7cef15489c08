import { accountClass, type Account, type KeyId } from '../../domain/account.ts';
import { HOLD_KINDS, type HoldKind } from '../../domain/ledger/reasons.ts';
import {
  commitmentId,
  type Commitment,
  type CommitmentId,
  type Entry,
  type Transfer,
} from '../../domain/ledger/transfer.ts';
import { atomic } from '../../domain/money.ts';
import { parseNetworkId, type NetworkId } from '../../domain/network.ts';
import { instant } from '../../domain/instant.ts';
import type { SpentPart } from '../../domain/wallet/spentParts.ts';
import { postgresFunction, writeObject } from '../batch/writeObject.ts';
import { KEYS, textCell, wholeCell, type Table } from '../batch/need.ts';
import type { Held, Place } from './accounts.ts';
import { accountOfShard, shardAccount, shardNumber } from './shards.ts';

/** The ledger's tables; `post` alone puts rows into them. */
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

const ACCOUNT_CELLS = 'a.network, a.asset, a.name, a.shard, a.id, a.posted, a.held, a.seq';
const MADE_CELL = 4;
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
        SELECT json_agg(json_build_array(a.network, a.asset, a.name, a.shard, a.id, a.posted,
          a.held, a.seq, coalesce(a.id = ANY (made), false)))::text INTO found
        FROM (
          SELECT * FROM accounts WHERE (network, asset, name, shard) IN (
            SELECT k.value ->> 0, k.value ->> 1, k.value ->> 2, (k.value ->> 3)::bigint
            FROM unnest(keys) AS k (value))
          ORDER BY CASE WHEN class = 'user' THEN 0 WHEN name LIKE 'hub:pot:%' THEN 1
                        WHEN class = 'hub' THEN 2 ELSE 3 END, id
          FOR NO KEY UPDATE) AS a;
        RETURN found;
      END $$`,
);

export const ACCOUNTS: Table<AccountKey, AccountRow> = {
  name: 'accounts',
  read: {
    sqlite: `SELECT json_group_array(json_array(${ACCOUNT_CELLS})) FROM json_each(?) k
      CROSS JOIN accounts a ON a.network = k.value ->> 0 AND a.asset = k.value ->> 1
        AND a.name = k.value ->> 2 AND a.shard = k.value ->> 3`,
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

/** The next numbers that the one writer of SQLite assigns; PostgreSQL numbers by itself. */
interface Next {
  readonly transferSeq: number;
  readonly accountId: number;
}
export const LEDGER_NEXT: Table<'next', Next> = {
  name: 'ledger_next',
  read: {
    sqlite: `SELECT json_group_array(json_array((SELECT coalesce(max(seq), 0) + 1 FROM transfers),
      (SELECT coalesce(max(id), 0) + 1 FROM accounts))) FROM json_each(?)`,
    postgres: `SELECT NULL::text WHERE ?::jsonb IS NULL`,
  },
  id: (key) => key,
  keyCells: (key) => [key],
  found: (cells) => ['next', { transferSeq: wholeCell(cells, 0), accountId: wholeCell(cells, 1) }],
  isDerived: true,
};

/** By the id of a transfer, which is known before its number. */
const seqOf = (cell: string): string => `(SELECT seq FROM transfers WHERE id = ${cell})`;
/** On SQLite the one writer counts; PostgreSQL counts by itself, so cell 0 is null there. */
const COUNTED = {
  sqlite: { column: 'seq, ', cell: '$0:int, ' },
  postgres: { column: '', cell: '' },
} as const;

/** A number where the one writer counts. */
export type NumberedTransfer = Transfer & { readonly seq: number | undefined };
export const TRANSFERS: Table<string, NumberedTransfer> = {
  name: 'transfers',
  id: (key) => key,
  keyCells: (key) => [key],
  insert: writeObject('transfers', {
    statement: (rows, dialect) => `
      INSERT INTO transfers (${COUNTED[dialect].column}id, network, asset, event, ref_kind, ref_id,
        actor, memo, at)
      SELECT ${COUNTED[dialect].cell}$1, $2, $3, $4, $5, $6, $7, $8, $9:int FROM ${rows}`,
  }),
  inserted: ({ seq, id, network, asset, event, ref, actor, memo, at }) => [
    ...[seq ?? null, id, network, asset, event],
    ...[ref.kind, ref.id, actor, memo ?? null, at],
  ],
};

export type PostedEntry = Entry & {
  readonly accountId: number;
  readonly transfer: Pick<Transfer, 'id' | 'at'>;
};
export const ENTRIES: Table<Pick<PostedEntry, 'accountId' | 'accountSeq'>, PostedEntry> = {
  name: 'entries',
  id: ({ accountId, accountSeq }) => `${accountId} ${accountSeq}`,
  keyCells: ({ accountId, accountSeq }) => [accountId, accountSeq],
  insert: writeObject('entries', {
    statement: (rows) => `
      INSERT INTO entries (account_id, account_seq, kind, reason, counterparty, delta,
        posted_after, held_after, transfer_seq, at)
      SELECT $0:int, $1:int, $2, $3, $4, $5:int, $6:int, $7:int, ${seqOf('$8')}, $9:int
      FROM ${rows}`,
  }),
  inserted: ({ counterparty, ...entry }) => [
    ...[entry.accountId, entry.accountSeq, entry.kind, entry.reason],
    counterparty === undefined ? null : accountOfShard(counterparty),
    ...[Number(entry.delta), Number(entry.postedAfter), Number(entry.heldAfter)],
    ...[entry.transfer.id, entry.transfer.at],
  ],
};

export interface CommitmentRow {
  readonly commitment: Commitment;
  /** Of the account that it is held in. */
  readonly accountId: number;
  /** The transfer that opened it in this batch. */
  readonly opened?: Pick<Transfer, 'id' | 'at'>;
  readonly closedBy?: string;
  /** The keys that it was counted for under their policies, and when (db/ledger/spending.ts). */
  readonly spent?: readonly SpentPart[];
}
/** Also needs its owner's account, whose lock keeps other transactions from the commitment. */
export const COMMITMENTS: Table<CommitmentId, CommitmentRow> = {
  name: 'commitments',
  read: {
    sqlite: `SELECT json_group_array(json_array(${commitmentCells()})) FROM json_each(?) k
      CROSS JOIN commitments c ON c.id = k.value ->> 0 CROSS JOIN accounts a ON a.id = c.account_id`,
    postgres: `SELECT json_agg(json_build_array(${commitmentCells()}))::text
      FROM ${KEYS}
      JOIN commitments c ON c.id = k.value ->> 0 JOIN accounts a ON a.id = c.account_id`,
  },
  id: (id) => id,
  keyCells: (id) => [id],
  found(cells) {
    const network = parseNetworkId(textCell(cells, 3));
    if (network === undefined) throw new Error('not a network');
    const id = commitmentId(textCell(cells, 0));
    const commitment: Commitment = {
      id,
      account: textCell(cells, 2) as Account,
      network,
      asset: textCell(cells, 4),
      kind: holdKindIn(textCell(cells, 5)),
      ref: { kind: textCell(cells, 6), id: textCell(cells, 7) },
      amount: atomic(BigInt(wholeCell(cells, 8))),
      remaining: atomic(BigInt(wholeCell(cells, 9))),
      ...(cells[10] !== null && { expiresAt: instant(wholeCell(cells, 10)) }),
    };
    const spent = cells[11] === null ? {} : { spent: partsIn(textCell(cells, 11)) };
    return [id, { commitment, accountId: wholeCell(cells, 1), ...spent }];
  },
  insert: writeObject('commitments', {
    statement: (rows) => `
      INSERT INTO commitments (id, account_id, kind, ref_kind, ref_id, amount, remaining,
        expires_at, state, opened_by, opened_at, closed_by, spent)
      SELECT $0, $1:int, $2, $3, $4, $5:int, $6:int, $7:int, ${stateOf('$6:int')}, ${seqOf('$8')},
        $9:int, ${seqOf('$10')}, $11 FROM ${rows}`,
  }),
  inserted({ commitment: held, accountId, opened, closedBy, spent }) {
    const amounts = [Number(held.amount), Number(held.remaining), held.expiresAt ?? null];
    const of = [held.id, accountId, held.kind, held.ref.kind, held.ref.id];
    const by = [opened?.id ?? null, opened?.at ?? null, closedBy ?? null];
    return [...of, ...amounts, ...by, spent === undefined ? null : partsText(spent)];
  },
  update: writeObject('commitments_changed', {
    statement: (rows) => `
      UPDATE commitments SET remaining = $1:int, state = ${stateOf('$1:int')},
        closed_by = ${seqOf('$3')}
      FROM ${rows} WHERE commitments.id = $0 AND commitments.remaining = $2:int`,
  }),
  updated: ({ commitment, closedBy }, before) => [
    ...[commitment.id, Number(commitment.remaining), Number(before.commitment.remaining)],
    closedBy ?? null,
  ],
};

function stateOf(remaining: string): string {
  return `CASE WHEN ${remaining} > 0 THEN 'open' ELSE 'closed' END`;
}

function commitmentCells(): string {
  return `c.id, c.account_id, a.name, a.network, a.asset, c.kind, c.ref_kind, c.ref_id, c.amount,
    c.remaining, c.expires_at, c.spent`;
}

/** Each part as key, moment and amount. */
function partsText(parts: readonly SpentPart[]): string {
  return JSON.stringify(parts.map(({ keyId, at, amount }) => [keyId, at, Number(amount)]));
}

function partsIn(text: string): readonly SpentPart[] {
  const parts = JSON.parse(text) as readonly (readonly [KeyId, number, number])[];
  return parts.map(([keyId, at, sum]) => {
    return { keyId, at: instant(at), amount: atomic(BigInt(sum)) };
  });
}

function holdKindIn(text: string): HoldKind {
  const kind = HOLD_KINDS.find((each) => each === text);
  if (kind === undefined) throw new Error(`not a hold kind: ${text}`);
  return kind;
}
