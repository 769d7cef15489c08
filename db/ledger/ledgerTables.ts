import type { Account, KeyId } from '../../domain/account.ts';
import { HOLD_KINDS, type HoldKind } from '../../domain/ledger/reasons.ts';
import {
  commitmentId,
  type Commitment,
  type CommitmentId,
  type Entry,
  type Transfer,
} from '../../domain/ledger/transfer.ts';
import { atomic } from '../../domain/money.ts';
import { parseNetworkId } from '../../domain/network.ts';
import { instant } from '../../domain/instant.ts';
import type { SpentPart } from '../../domain/wallet/spentParts.ts';
import * as column from '../batch/columns.ts';
import { STAYS } from '../batch/personal.ts';
import { described } from '../batch/table.ts';
import { rowGuard, VERSION } from '../batch/versions.ts';
import { writeObject } from '../batch/writeObject.ts';
import { KEYS, textCell, wholeCell, type Table } from '../batch/need.ts';
import { ACCOUNTS } from './accountsTable.ts';
import { accountOfShard } from './shards.ts';

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
  remembered: 'rows',
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
  ...described('transfers', {
    seq: column.integer().numbered(),
    id: column.text(),
    network: column.network(),
    asset: column.text(),
    event: column.text(),
    refKind: column.text(),
    refId: column.text(),
    actor: column.text(),
    memo: column.text().orNull(),
    at: column.moment(),
  }),
  id: (key) => key,
  keyCells: (key) => [key],
  insert: writeObject('transfers', {
    statement: (rows, dialect) => `
      INSERT INTO transfers (${COUNTED[dialect].column}id, network, asset, event, ref_kind, ref_id,
        actor, memo, at)
      SELECT ${COUNTED[dialect].cell}$1, $2, $3, $4, $5, $6, $7, $8, $9:int FROM ${rows}`,
  }),
  inserted: ({ seq, id, network, asset, event, ref, actor, memo, at }) => [
    seq ?? null,
    id,
    network,
    asset,
    event,
    ref.kind,
    ref.id,
    actor,
    memo ?? null,
    at,
  ],
  personal: { apart: 'an export has the entries of each transfer' },
  after: [ACCOUNTS],
};

export type PostedEntry = Entry & {
  readonly accountId: number;
  readonly transfer: Pick<Transfer, 'id' | 'at'>;
};
export const ENTRIES: Table<Pick<PostedEntry, 'accountId' | 'accountSeq'>, PostedEntry> = {
  name: 'entries',
  ...described('entries', {
    accountId: column.integer().key(),
    accountSeq: column.integer().key(),
    transferSeq: column.integer(),
    kind: column.text(),
    reason: column.text(),
    counterparty: column.account().orNull(),
    delta: column.signedAmount(),
    postedAfter: column.signedAmount(),
    heldAfter: column.amount(),
    at: column.moment(),
  }),
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
    entry.accountId,
    entry.accountSeq,
    entry.kind,
    entry.reason,
    counterparty === undefined ? null : accountOfShard(counterparty),
    Number(entry.delta),
    Number(entry.postedAfter),
    Number(entry.heldAfter),
    entry.transfer.id,
    entry.transfer.at,
  ],
  personal: {
    owner: 'account_id',
    through: 'accounts',
    order: ['account_id:int', 'account_seq:int'],
    stays: STAYS.books,
  },
  under: [TRANSFERS],
};

export interface CommitmentRow {
  readonly commitment: Commitment;
  /** The number of the account that it is held in. */
  readonly accountId: number;
  /** The transfer that opened it in this batch. */
  readonly opened?: Pick<Transfer, 'id' | 'at'>;
  readonly closedBy?: string;
  /** The keys that it was counted for under their policies, and when (db/ledger/spending.ts). */
  readonly spent?: readonly SpentPart[];
}
const JOINED = `${KEYS}
      JOIN commitments AS t ON t.id = k.value ->> 0 JOIN accounts a ON a.id = t.account_id`;
/** Also needs its owner's account, whose lock keeps other transactions from the commitment. */
export const COMMITMENTS: Table<CommitmentId, CommitmentRow> = {
  name: 'commitments',
  ...described('commitments', {
    id: column.text().key(),
    accountId: column.integer(),
    kind: column.text(),
    refKind: column.text(),
    refId: column.text(),
    amount: column.amount(),
    remaining: column.amount(),
    state: column.text(),
    openedBy: column.integer(),
    openedAt: column.moment(),
    closedBy: column.integer().orNull(),
    expiresAt: column.moment().orNull(),
    spent: column.text().orNull(),
  }),
  read: {
    sqlite: `SELECT json_group_array(json_array(${commitmentCells()})) FROM json_each(?) k
      CROSS JOIN commitments t ON t.id = k.value ->> 0 CROSS JOIN accounts a ON a.id = t.account_id`,
    postgres: `SELECT json_agg(json_build_array(${commitmentCells()}))::text FROM ${JOINED}`,
  },
  look: `SELECT json_agg(json_build_array(${commitmentCells()}, ${VERSION}))::text FROM ${JOINED}`,
  guard: rowGuard('commitments', {
    joined: 'JOIN commitments AS t ON t.id = k.value ->> 0',
    order: undefined,
    versionAt: 1,
  }),
  remembered: 'rows',
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
    commitment.id,
    Number(commitment.remaining),
    Number(before.commitment.remaining),
    closedBy ?? null,
  ],
  personal: { owner: 'account_id', through: 'accounts', order: ['id'], stays: STAYS.books },
  under: [ACCOUNTS, TRANSFERS],
};

function stateOf(remaining: string): string {
  return `CASE WHEN ${remaining} > 0 THEN 'open' ELSE 'closed' END`;
}

function commitmentCells(): string {
  return `t.id, t.account_id, a.name, a.network, a.asset, t.kind, t.ref_kind, t.ref_id, t.amount,
    t.remaining, t.expires_at, t.spent`;
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
