import { accountClass, type Account } from '../../domain/account.ts';
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
import { textCell, wholeCell, type Table } from '../declared/table.ts';
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
const accountId = ({ network, asset, account }: Place & { readonly account: Account }): string =>
  `${network} ${asset} ${account}`;

export const ACCOUNTS: Table<AccountKey, AccountRow> = {
  name: 'accounts',
  read: {
    sqlite: `SELECT json_group_array(json_array(${ACCOUNT_CELLS})) FROM json_each(?) k
      CROSS JOIN accounts a ON a.network = k.value ->> 0 AND a.asset = k.value ->> 1
        AND a.name = k.value ->> 2 AND a.shard = k.value ->> 3`,
    postgres: 'SELECT accounts_for_batch(?::jsonb)',
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
      ...{ network, asset, account, id: wholeCell(cells, 4), seq: wholeCell(cells, 7) },
      posted: BigInt(wholeCell(cells, 5)),
      held: BigInt(wholeCell(cells, 6)),
      isNew: cells[8] === true,
    };
    return [accountId(row), row];
  },
  inserted({ id, network, asset, account, posted, held, seq }) {
    const name = accountOfShard(account);
    const place = [id, network, asset, name, accountClass(name), shardNumber(account)];
    return [...place, Number(posted), Number(held), seq];
  },
  updated: ({ id, posted, held, seq }, before) => [
    id,
    Number(posted),
    Number(held),
    seq,
    before.seq,
  ],
  unmade: ({ id, isNew }) => (isNew ? [id] : undefined),
};

/** What the one writer of SQLite numbers next; PostgreSQL numbers by itself. */
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
  inserted: () => undefined,
};

/** A number where the one writer counts. */
export type NumberedTransfer = Transfer & { readonly seq: number | undefined };
export const TRANSFERS: Table<string, NumberedTransfer> = {
  name: 'transfers',
  id: (key) => key,
  keyCells: (key) => [key],
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
}
/** Its owner's account is a need beside it: nobody else changes a commitment while that is locked. */
export const COMMITMENTS: Table<CommitmentId, CommitmentRow> = {
  name: 'commitments',
  read: {
    sqlite: `SELECT json_group_array(json_array(${commitmentCells()})) FROM json_each(?) k
      CROSS JOIN commitments c ON c.id = k.value ->> 0 CROSS JOIN accounts a ON a.id = c.account_id`,
    postgres: `SELECT json_agg(json_build_array(${commitmentCells()}))::text
      FROM jsonb_array_elements(?::jsonb) AS k (value)
      JOIN commitments c ON c.id = k.value ->> 0 JOIN accounts a ON a.id = c.account_id`,
  },
  id: (id) => id,
  keyCells: (id) => [id],
  found(cells) {
    const network = parseNetworkId(textCell(cells, 3));
    if (network === undefined) throw new Error('not a network');
    const id = commitmentId(textCell(cells, 0));
    const commitment: Commitment = {
      ...{ id, account: textCell(cells, 2) as Account, network, asset: textCell(cells, 4) },
      kind: holdKindIn(textCell(cells, 5)),
      ref: { kind: textCell(cells, 6), id: textCell(cells, 7) },
      amount: atomic(BigInt(wholeCell(cells, 8))),
      remaining: atomic(BigInt(wholeCell(cells, 9))),
      ...(cells[10] === null ? {} : { expiresAt: instant(wholeCell(cells, 10)) }),
    };
    return [id, { commitment, accountId: wholeCell(cells, 1) }];
  },
  inserted({ commitment: held, accountId, opened, closedBy }) {
    const amounts = [Number(held.amount), Number(held.remaining), held.expiresAt ?? null];
    const of = [held.id, accountId, held.kind, held.ref.kind, held.ref.id];
    return [...of, ...amounts, opened?.id ?? null, opened?.at ?? null, closedBy ?? null];
  },
  updated: ({ commitment, closedBy }, before) => [
    ...[commitment.id, Number(commitment.remaining), Number(before.commitment.remaining)],
    closedBy ?? null,
  ],
};

function commitmentCells(): string {
  return `c.id, c.account_id, a.name, a.network, a.asset, c.kind, c.ref_kind, c.ref_id, c.amount,
    c.remaining, c.expires_at`;
}

function holdKindIn(text: string): HoldKind {
  const kind = HOLD_KINDS.find((each) => each === text);
  if (kind === undefined) throw new Error(`not a hold kind: ${text}`);
  return kind;
}
