import type { Instant } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EvmAddress, Hex } from '../../domain/rails/evm.ts';
import {
  TRANSACTION_STATES,
  type Attempt,
  type ChainTransaction,
} from '../../domain/rails/transaction.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Cell, Reader, Row, Writer } from '../connection.ts';
import { address, hash, hashOrNull, network, oneOf } from './columns.ts';

/**
 * The transactions of the hot wallet. Network, sender and nonce are unique in the database, so two
 * signers could not use a nonce twice; every signed form is stored before it is sent to a node.
 */
const BY_ID = statement('SELECT * FROM chain_transactions WHERE id = ?');
const LOCKED = statement(
  'SELECT * FROM chain_transactions WHERE id = ?',
  'SELECT * FROM chain_transactions WHERE id = ? FOR UPDATE',
);

export async function readTransaction(
  db: Reader,
  id: string,
): Promise<ChainTransaction | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ID, [id]));
  return row && transaction(row);
}

export async function lockTransaction(tx: Writer, id: string): Promise<ChainTransaction> {
  const row = column.one(await linkOf(tx).rows(LOCKED, [id]));
  if (row === undefined) throw new Error(`no transaction ${id}`);
  return transaction(row);
}

const INSERT = statement(`
  INSERT INTO chain_transactions (id, network, purpose, ref_id, to_address, data, needs, tries_max,
    created_at, state, sender, nonce, final, tries, next_try_at, cancel_asked, mined_hash,
    mined_block, replaced_by, note, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);

export async function insertTransaction(tx: Writer, row: ChainTransaction): Promise<void> {
  await linkOf(tx).rows(INSERT, [
    row.id,
    row.network,
    row.purpose,
    row.refId,
    row.to,
    row.data,
    `${row.needs}`,
    row.triesMax,
    row.createdAt,
    ...moving(row),
  ]);
}

const UPDATE = statement(`
  UPDATE chain_transactions SET state = ?, sender = ?, nonce = ?, final = ?, tries = ?,
    next_try_at = ?, cancel_asked = ?, mined_hash = ?, mined_block = ?, replaced_by = ?, note = ?,
    updated_at = ? WHERE id = ?`);

export async function updateTransaction(tx: Writer, row: ChainTransaction): Promise<void> {
  await linkOf(tx).rows(UPDATE, [...moving(row), row.id]);
}

function moving(row: ChainTransaction): readonly Cell[] {
  return [
    row.state,
    row.sender,
    row.nonce,
    Number(row.final),
    row.tries,
    row.nextTryAt,
    Number(row.cancelAsked),
    row.minedHash,
    row.minedBlock,
    row.replacedBy,
    row.note,
    row.updatedAt,
  ];
}

const QUEUED = statement(`SELECT * FROM chain_transactions
  WHERE network = ? AND final = 0 AND nonce IS NULL AND state = 'queued' AND next_try_at <= ?
  ORDER BY id LIMIT ?`);

/** The oldest calls that wait for a nonce and are due. */
export async function queuedTransactions(
  db: Reader,
  of: NetworkId,
  now: Instant,
  limit: number,
): Promise<readonly ChainTransaction[]> {
  return (await linkOf(db).rows(QUEUED, [of, now, limit])).map(transaction);
}

const UNDERWAY = statement(`SELECT * FROM chain_transactions
  WHERE network = ? AND final = 0 AND nonce IS NOT NULL AND state <> 'confirmed'
  ORDER BY nonce LIMIT ?`);

/** Signed and not known to be deep in the chain, lowest nonce first. */
export async function underwayTransactions(
  db: Reader,
  of: NetworkId,
  limit: number,
): Promise<readonly ChainTransaction[]> {
  return (await linkOf(db).rows(UNDERWAY, [of, limit])).map(transaction);
}

const BEFORE_FINALITY = statement(`SELECT * FROM chain_transactions
  WHERE network = ? AND final = 0 AND state = 'confirmed' AND next_try_at <= ?
  ORDER BY next_try_at, nonce LIMIT ?`);

/** Confirmed and not final, due to be looked at again; what was seen longest ago is first. */
export async function confirmedTransactions(
  db: Reader,
  of: NetworkId,
  now: Instant,
  limit: number,
): Promise<readonly ChainTransaction[]> {
  return (await linkOf(db).rows(BEFORE_FINALITY, [of, now, limit])).map(transaction);
}

const NEXT_NONCE = statement(`SELECT coalesce(max(nonce) + 1, 0) AS next FROM chain_transactions
  WHERE network = ? AND sender = ?`);

/** One above the highest nonce that was ever given. */
export async function nextNonce(db: Reader, of: NetworkId, sender: EvmAddress): Promise<number> {
  const row = column.one(await linkOf(db).rows(NEXT_NONCE, [of, sender]));
  return row === undefined ? 0 : Number(column.signed(row, 'next'));
}

const AT_NONCE = statement(`SELECT 1 AS found FROM chain_transactions
  WHERE network = ? AND sender = ? AND nonce = ?`);

export async function hasNonce(
  db: Reader,
  of: NetworkId,
  sender: EvmAddress,
  nonce: number,
): Promise<boolean> {
  return (await linkOf(db).rows(AT_NONCE, [of, sender, nonce])).length > 0;
}

const ADD_ATTEMPT = statement(`
  INSERT INTO chain_attempts (transaction_id, attempt, kind, hash, raw, gas, max_fee, priority_fee,
    signed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);

export async function insertAttempt(tx: Writer, of: string, attempt: Attempt): Promise<void> {
  await linkOf(tx).rows(ADD_ATTEMPT, [
    of,
    attempt.attempt,
    attempt.kind,
    attempt.hash,
    attempt.raw,
    `${attempt.gas}`,
    `${attempt.maxFee}`,
    `${attempt.priorityFee}`,
    attempt.signedAt,
  ]);
}

const ATTEMPTS = statement(
  'SELECT * FROM chain_attempts WHERE transaction_id = ? ORDER BY attempt DESC',
);

/** Newest first. */
export async function attemptsOf(db: Reader, of: string): Promise<readonly Attempt[]> {
  const rows = await linkOf(db).rows(ATTEMPTS, [of]);
  return rows.map((row) => ({
    attempt: column.whole(row, 'attempt'),
    kind: oneOf(row, 'kind', ['call', 'cancel']),
    hash: hash(row, 'hash'),
    raw: column.text(row, 'raw') as Hex,
    gas: column.signed(row, 'gas'),
    maxFee: column.signed(row, 'max_fee'),
    priorityFee: column.signed(row, 'priority_fee'),
    signedAt: column.time(row, 'signed_at'),
  }));
}

function transaction(row: Row): ChainTransaction {
  return {
    id: column.text(row, 'id'),
    network: network(row, 'network'),
    purpose: column.text(row, 'purpose'),
    refId: column.text(row, 'ref_id'),
    to: address(row, 'to_address'),
    data: column.text(row, 'data') as Hex,
    state: oneOf(row, 'state', TRANSACTION_STATES),
    sender: row['sender'] === null ? null : address(row, 'sender'),
    nonce: column.wholeOrNull(row, 'nonce'),
    final: column.flag(row, 'final'),
    needs: column.amount(row, 'needs'),
    tries: column.whole(row, 'tries'),
    triesMax: column.whole(row, 'tries_max'),
    nextTryAt: column.time(row, 'next_try_at'),
    cancelAsked: column.flag(row, 'cancel_asked'),
    minedHash: hashOrNull(row, 'mined_hash'),
    minedBlock: column.wholeOrNull(row, 'mined_block'),
    replacedBy: hashOrNull(row, 'replaced_by'),
    note: column.textOrNull(row, 'note'),
    createdAt: column.time(row, 'created_at'),
    updatedAt: column.time(row, 'updated_at'),
  };
}
