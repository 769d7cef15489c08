import { addEffect, addEffects, inserting, type Effect } from '../effect.ts';
import type { Migration } from '../migration.ts';

/**
 * What declared units write of nonces, once-only answers, key homes and the ledger: every table
 * once a batch, all of them in one statement.
 */
export const effects: Migration = {
  name: '0026_effects',
  async up(knex, words) {
    await addEffects(knex, words);
    // PostgreSQL numbers accounts by itself and makes them before it locks them.
    if (words.dialect === 'sqlite') await addEffect(knex, words, ACCOUNT);
    for (const effect of EFFECTS) await addEffect(knex, words, effect);
  },
};

const ACCOUNT = inserting('accounts', [
  ['id', 'int'],
  ['network', 'text'],
  ['asset', 'text'],
  ['name', 'text'],
  ['class', 'text'],
  ['shard', 'int'],
  ['posted', 'int'],
  ['held', 'int'],
  ['seq', 'int'],
]);
const ACCOUNT_CHANGED: Effect = {
  name: 'accounts_changed',
  statement: (rows) => `UPDATE accounts SET posted = $1:int, held = $2:int, seq = $3:int
    FROM ${rows} WHERE accounts.id = $0:int AND accounts.seq = $4:int`,
};

/** On SQLite the one writer counts; PostgreSQL counts by itself, so cell 0 is null there. */
const TRANSFER_SQLITE = `transfers (seq, id, network, asset, event, ref_kind, ref_id, actor, memo, at)
  SELECT $0:int, $1, $2, $3, $4, $5, $6, $7, $8, $9:int`;
const TRANSFER_POSTGRES = `transfers (id, network, asset, event, ref_kind, ref_id, actor, memo, at)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9:int`;
const TRANSFER: Effect = {
  name: 'transfers',
  statement: (rows, dialect) =>
    `INSERT INTO ${dialect === 'sqlite' ? TRANSFER_SQLITE : TRANSFER_POSTGRES} FROM ${rows}`,
};

/** By the id of the transfer, which is known before its number. */
const seqOf = (cell: string): string => `(SELECT seq FROM transfers WHERE id = ${cell})`;
const ENTRY: Effect = {
  name: 'entries',
  statement: (rows) => `INSERT INTO entries (account_id, account_seq, kind, reason, counterparty,
      delta, posted_after, held_after, transfer_seq, at)
    SELECT $0:int, $1:int, $2, $3, $4, $5:int, $6:int, $7:int, ${seqOf('$8')}, $9:int FROM ${rows}`,
};

const state = (cell: string): string => `CASE WHEN ${cell} > 0 THEN 'open' ELSE 'closed' END`;
const OPENED: Effect = {
  name: 'commitments',
  statement: (rows) => `INSERT INTO commitments (id, account_id, kind, ref_kind, ref_id, amount,
      remaining, expires_at, state, opened_by, opened_at, closed_by)
    SELECT $0, $1:int, $2, $3, $4, $5:int, $6:int, $7:int, ${state('$6:int')}, ${seqOf('$8')},
      $9:int, ${seqOf('$10')} FROM ${rows}`,
};
const CHANGED: Effect = {
  name: 'commitments_changed',
  statement: (rows) => `UPDATE commitments SET remaining = $1:int, state = ${state('$1:int')},
      closed_by = ${seqOf('$3')}
    FROM ${rows} WHERE commitments.id = $0 AND commitments.remaining = $2:int`,
};

const EFFECTS: readonly Effect[] = [
  inserting('nonces', [
    ['key_id', 'text'],
    ['nonce', 'text'],
    ['seen_at', 'int'],
  ]),
  inserting('key_homes', [
    ['key_id', 'text'],
    ['account', 'text'],
    ['settled_at', 'int'],
  ]),
  ACCOUNT_CHANGED,
  TRANSFER,
  ENTRY,
  OPENED,
  CHANGED,
  inserting('idempotency', [
    ['account', 'text'],
    ['operation', 'text'],
    ['key', 'text'],
    ['request_digest', 'text'],
    ['at', 'int'],
    ['result', 'text'],
    ['transfer_id', 'text'],
  ]),
];
