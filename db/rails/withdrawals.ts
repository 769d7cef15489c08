import type { Account } from '../../domain/account.ts';
import type { CommitmentId } from '../../domain/ledger/transfer.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { TRANSACTION_STATES } from '../../domain/rails/transaction.ts';
import {
  FAILURE_PROOFS,
  WITHDRAWAL_STATES,
  type Carried,
  type Withdrawal,
} from '../../domain/rails/withdrawal.ts';
import * as columns from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { addressColumn, hashColumn, oneOf } from './columns.ts';

/** A row is locked before its transaction, and both before accounts. */
export const WITHDRAWALS = table(
  'withdrawals',
  {
    id: columns.text().key(),
    network: columns.network().fixed(),
    account: columns.account().fixed(),
    address: addressColumn().fixed(),
    amount: columns.amount().fixed(),
    fee: columns.amount().fixed(),
    state: columns.oneOf(WITHDRAWAL_STATES),
    waitsForOperator: columns.flag(),
    commitment: columns.text<CommitmentId>().fixed(),
    transactionId: columns.text().orNull(),
    transferId: columns.text().orNull(),
    txHash: hashColumn().orNull(),
    failureProof: columns.oneOf(FAILURE_PROOFS).orNull(),
    failureReason: columns.text().orNull(),
    requestedAt: columns.moment().fixed(),
    updatedAt: columns.moment(),
  },
  {
    use: 'single',
    personal: {
      owner: 'account',
      order: ['network', 'id'],
      stays: 'The books and their seals need every entry.',
    },
  },
);

export interface FoundWithdrawal extends Withdrawal {
  readonly carried: Carried | undefined;
}

const FACTS = `w.*, t.state AS carried_state, t.mined_block, t.note,
  coalesce(w.tx_hash, t.mined_hash, (SELECT a.hash FROM chain_attempts a
    WHERE a.transaction_id = t.id ORDER BY a.attempt DESC LIMIT 1)) AS sent_hash
  FROM withdrawals w LEFT JOIN chain_transactions t ON t.id = w.transaction_id`;

const BY_ID = statement(`SELECT ${FACTS} WHERE w.id = ?`);
const LOCKED = statement(
  `SELECT ${FACTS} WHERE w.id = ?`,
  `SELECT ${FACTS} WHERE w.id = ? FOR UPDATE OF w`,
);

export async function readWithdrawal(db: Reader, id: string): Promise<FoundWithdrawal | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ID, [id]));
  return row && withdrawal(row);
}

export async function lockWithdrawal(tx: Writer, id: string): Promise<FoundWithdrawal | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCKED, [id]));
  return row && withdrawal(row);
}

const INSERT = statement(WITHDRAWALS.insertion);

export async function insertWithdrawal(tx: Writer, row: Withdrawal): Promise<void> {
  await linkOf(tx).rows(INSERT, WITHDRAWALS.cells(row));
}

const UPDATE = statement(`${WITHDRAWALS.change} WHERE id = ?`);

export async function updateWithdrawal(tx: Writer, row: Withdrawal): Promise<void> {
  await linkOf(tx).rows(UPDATE, [...WITHDRAWALS.changes(row), row.id]);
}

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const PAGE = statement(`SELECT ${FACTS}
  WHERE w.account = ? AND w.network = ? AND w.id < ? ORDER BY w.id DESC LIMIT ?`);

/** Newest first. */
export async function withdrawalsOf(
  db: Reader,
  of: { readonly account: Account; readonly network: NetworkId },
  { limit, before = NEWEST }: { readonly limit: number; readonly before?: string | undefined },
): Promise<readonly FoundWithdrawal[]> {
  const rows = await linkOf(db).rows(PAGE, [of.account, of.network, before, limit]);
  return rows.map(withdrawal);
}

const SINCE = statement(`SELECT CAST(coalesce(sum(amount), 0) AS TEXT) AS asked FROM withdrawals
  WHERE account = ? AND network = ? AND requested_at >= ? AND state IN ('pending', 'confirmed')`);

/** Withdrawn since then, without returned amounts; exact once the account's row is locked. */
export async function withdrawnSince(
  db: Reader,
  of: { readonly account: Account; readonly network: NetworkId },
  since: Instant,
): Promise<Atomic> {
  const row = column.one(await linkOf(db).rows(SINCE, [of.account, of.network, since]));
  if (row === undefined) throw new Error('a sum has a row');
  return column.amount(row, 'asked');
}

const UNSENT_ROWS = `FROM withdrawals w LEFT JOIN chain_transactions t ON t.id = w.transaction_id
  WHERE w.account = ? AND w.network = ? AND w.state = 'pending' AND t.nonce IS NULL`;
const UNSENT_SUM = statement(
  `SELECT CAST(coalesce(sum(w.amount), 0) AS TEXT) AS unsent ${UNSENT_ROWS}`,
);
const UNSENT = statement(`SELECT w.id ${UNSENT_ROWS} ORDER BY w.id DESC LIMIT ?`);

/** Held for withdrawals of an account that are not signed. */
export async function unsentWithdrawn(
  db: Reader,
  account: Account,
  of: NetworkId,
): Promise<Atomic> {
  const row = column.one(await linkOf(db).rows(UNSENT_SUM, [account, of]));
  if (row === undefined) throw new Error('a sum has a row');
  return column.amount(row, 'unsent');
}

/** Withdrawals of an account that are not signed, newest first. */
export async function unsentWithdrawals(
  db: Reader,
  account: Account,
  of: NetworkId,
  limit: number,
): Promise<readonly string[]> {
  const rows = await linkOf(db).rows(UNSENT, [account, of, limit]);
  return rows.map((row) => column.text(row, 'id'));
}

const ENDED = statement(`SELECT w.id FROM withdrawals w
  JOIN chain_transactions t ON t.id = w.transaction_id
  WHERE w.state = 'pending' AND t.state IN ('confirmed', 'reverted', 'replaced', 'dropped')
  ORDER BY w.id LIMIT ?`);

/** Pending ones whose transaction came to its end. */
export async function carriedToTheEnd(db: Reader, limit: number): Promise<readonly string[]> {
  return (await linkOf(db).rows(ENDED, [limit])).map((row) => column.text(row, 'id'));
}

const SIMULATED = statement(`SELECT id FROM withdrawals
  WHERE network = 'sandbox' AND state = 'pending' AND requested_at <= ? ORDER BY id LIMIT ?`);

/** Pending ones of the simulated rail that were asked for until then. */
export async function simulatedUntil(
  db: Reader,
  until: Instant,
  limit: number,
): Promise<readonly string[]> {
  return (await linkOf(db).rows(SIMULATED, [until, limit])).map((row) => column.text(row, 'id'));
}

const WAITING = statement(`SELECT ${FACTS}
  WHERE w.state = 'pending' AND w.waits_for_operator = 1 ORDER BY w.id LIMIT ?`);

/** Those that an operator is to release, oldest first. */
export async function waitingForOperator(
  db: Reader,
  limit: number,
): Promise<readonly FoundWithdrawal[]> {
  return (await linkOf(db).rows(WAITING, [limit])).map(withdrawal);
}

function withdrawal(row: Row): FoundWithdrawal {
  const carried = row['carried_state'] ?? null;
  return {
    ...WITHDRAWALS.fromRow({ ...row, tx_hash: row['sent_hash'] }),
    carried:
      carried === null
        ? undefined
        : {
            state: oneOf(row, 'carried_state', TRANSACTION_STATES),
            minedBlock: column.wholeOrNull(row, 'mined_block'),
            note: column.textOrNull(row, 'note'),
          },
  };
}
