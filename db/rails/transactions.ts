import type { Instant } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EvmAddress, Hex } from '../../domain/rails/evm.ts';
import {
  TRANSACTION_STATES,
  type Attempt,
  type ChainTransaction,
} from '../../domain/rails/transaction.ts';
import * as columns from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { shaped, table } from '../batch/table.ts';
import { addressColumn, hashColumn, wideColumn } from './columns.ts';

/**
 * The transactions of the hot wallet. Network, sender and nonce are unique in the database, so two
 * signers could not use a nonce twice; every signed form is stored before it is sent to a node.
 */
export const CHAIN_TRANSACTIONS = shaped(
  table(
    'chain_transactions',
    {
      id: columns.text().key(),
      network: columns.network().fixed(),
      purpose: columns.text().fixed(),
      refId: columns.text().fixed(),
      toAddress: addressColumn().fixed(),
      data: columns.text<Hex>().fixed(),
      state: columns.oneOf(TRANSACTION_STATES),
      sender: addressColumn().orNull(),
      nonce: columns.integer().orNull(),
      final: columns.flag(),
      needs: columns.amount().fixed(),
      tries: columns.integer(),
      triesMax: columns.integer().fixed(),
      nextTryAt: columns.moment(),
      cancelAsked: columns.flag(),
      minedHash: hashColumn().orNull(),
      minedBlock: columns.integer().orNull(),
      replacedBy: hashColumn().orNull(),
      note: columns.text().orNull(),
      createdAt: columns.moment().fixed(),
      updatedAt: columns.moment(),
    },
    { use: 'single', personal: { apart: 'withdrawals and the books have what was paid' } },
  ),
  {
    of: ({ toAddress: to, ...row }): ChainTransaction => ({ ...row, to }),
    flat: ({ to: toAddress, ...row }) => ({ ...row, toAddress }),
  },
);

export const CHAIN_ATTEMPTS = table(
  'chain_attempts',
  {
    transactionId: columns.text().key(),
    attempt: columns.integer().key(),
    kind: columns.oneOf(['call', 'cancel']),
    hash: hashColumn(),
    raw: columns.text<Hex>(),
    gas: wideColumn(),
    maxFee: wideColumn(),
    priorityFee: wideColumn(),
    signedAt: columns.moment(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);

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
  return row && CHAIN_TRANSACTIONS.fromRow(row);
}

export async function lockTransaction(tx: Writer, id: string): Promise<ChainTransaction> {
  const row = column.one(await linkOf(tx).rows(LOCKED, [id]));
  if (row === undefined) throw new Error(`no transaction ${id}`);
  return CHAIN_TRANSACTIONS.fromRow(row);
}

const INSERT = statement(CHAIN_TRANSACTIONS.insertion);

export async function insertTransaction(tx: Writer, row: ChainTransaction): Promise<void> {
  await linkOf(tx).rows(INSERT, CHAIN_TRANSACTIONS.cells(row));
}

const UPDATE = statement(`${CHAIN_TRANSACTIONS.change} WHERE id = ?`);

export async function updateTransaction(tx: Writer, row: ChainTransaction): Promise<void> {
  await linkOf(tx).rows(UPDATE, [...CHAIN_TRANSACTIONS.changes(row), row.id]);
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
  return (await linkOf(db).rows(QUEUED, [of, now, limit])).map(CHAIN_TRANSACTIONS.fromRow);
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
  return (await linkOf(db).rows(UNDERWAY, [of, limit])).map(CHAIN_TRANSACTIONS.fromRow);
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
  return (await linkOf(db).rows(BEFORE_FINALITY, [of, now, limit])).map(CHAIN_TRANSACTIONS.fromRow);
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

const ADD_ATTEMPT = statement(CHAIN_ATTEMPTS.insertion);

export async function insertAttempt(tx: Writer, of: string, attempt: Attempt): Promise<void> {
  await linkOf(tx).rows(ADD_ATTEMPT, CHAIN_ATTEMPTS.cells({ transactionId: of, ...attempt }));
}

const ATTEMPTS = statement(
  'SELECT * FROM chain_attempts WHERE transaction_id = ? ORDER BY attempt DESC',
);

/** Newest first. */
export async function attemptsOf(db: Reader, of: string): Promise<readonly Attempt[]> {
  return (await linkOf(db).rows(ATTEMPTS, [of])).map(CHAIN_ATTEMPTS.fromRow);
}
