import type { Account } from '../../domain/account.ts';
import type { NetworkId } from '../../domain/network.ts';
import { DEPOSIT_STATES, type Deposit } from '../../domain/rails/deposit.ts';
import type { ChainHash } from '../../domain/rails/evm.ts';
import * as columns from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { addressColumn, hashColumn } from './columns.ts';

/** Transfers of the chain to addresses of deposits: one row each for ever. */
export const CHAIN_DEPOSITS = table(
  'chain_deposits',
  {
    id: columns.text().key(),
    network: columns.network().fixed(),
    account: columns.account().fixed(),
    address: addressColumn().fixed(),
    sender: addressColumn().fixed(),
    txHash: hashColumn().fixed(),
    logIndex: columns.integer().fixed(),
    height: columns.integer(),
    blockHash: hashColumn(),
    amount: columns.amount().fixed(),
    state: columns.oneOf(DEPOSIT_STATES),
    final: columns.flag(),
    transferId: columns.text().orNull(),
    reversalId: columns.text().orNull(),
    shortfall: columns.amount(),
    seenAt: columns.moment().fixed(),
    updatedAt: columns.moment(),
    missingSince: columns.moment().orNull(),
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

const SIGHT = statement(`
  ${CHAIN_DEPOSITS.insertion}
  ON CONFLICT (network, tx_hash, log_index) DO UPDATE SET height = excluded.height,
    block_hash = excluded.block_hash, updated_at = excluded.updated_at, final = 0,
    missing_since = NULL,
    state = CASE WHEN chain_deposits.state = 'credited' THEN 'credited' ELSE 'seen' END,
    transfer_id = CASE WHEN chain_deposits.state = 'credited' THEN chain_deposits.transfer_id END,
    reversal_id = NULL
  WHERE chain_deposits.block_hash <> excluded.block_hash
    OR chain_deposits.state IN ('orphaned', 'reversed')
    OR chain_deposits.missing_since IS NOT NULL`);

/** Notes where a transfer is now; what was orphaned or reversed and is back waits as if new. */
export async function sightDeposit(tx: Writer, row: Deposit): Promise<void> {
  await linkOf(tx).rows(SIGHT, CHAIN_DEPOSITS.cells(row));
}

const LOCKED = statement(
  'SELECT * FROM chain_deposits WHERE id = ?',
  'SELECT * FROM chain_deposits WHERE id = ? FOR UPDATE',
);

export async function lockDeposit(tx: Writer, id: string): Promise<Deposit> {
  const row = column.one(await linkOf(tx).rows(LOCKED, [id]));
  if (row === undefined) throw new Error(`no deposit ${id}`);
  return CHAIN_DEPOSITS.fromRow(row);
}

const UPDATE = statement(`${CHAIN_DEPOSITS.change} WHERE id = ?`);

export async function updateDeposit(tx: Writer, row: Deposit): Promise<void> {
  await linkOf(tx).rows(UPDATE, [...CHAIN_DEPOSITS.changes(row), row.id]);
}

const ORPHAN = statement(`UPDATE chain_deposits SET state = 'orphaned', updated_at = ?
  WHERE network = ? AND height > ? AND state = 'seen'`);

const MISS = statement(`UPDATE chain_deposits SET missing_since = ?
  WHERE network = ? AND height > ? AND state = 'credited' AND final = 0
    AND missing_since IS NULL`);

/** Marks deposits in blocks that the chain dropped; credited ones are missing from now on. */
export async function orphanAbove(
  tx: Writer,
  of: NetworkId,
  height: number,
  now: Deposit['updatedAt'],
): Promise<void> {
  const link = linkOf(tx);
  await link.rows(ORPHAN, [now, of, height]);
  await link.rows(MISS, [now, of, height]);
}

const WAITING = statement(`SELECT * FROM chain_deposits
  WHERE network = ? AND final = 0 AND state = 'seen' AND height <= ? ORDER BY height, id LIMIT ?`);
const UNSETTLED = statement(`SELECT * FROM chain_deposits
  WHERE network = ? AND final = 0 AND state = 'credited' AND height <= ?
  ORDER BY height, id LIMIT ?`);

/** Not credited yet and at most at this height. */
export async function waitingUpTo(
  db: Reader,
  of: NetworkId,
  height: number,
  limit: number,
): Promise<readonly Deposit[]> {
  return (await linkOf(db).rows(WAITING, [of, height, limit])).map(CHAIN_DEPOSITS.fromRow);
}

/** Credited, and not final the last time that it was looked at. */
export async function unsettledUpTo(
  db: Reader,
  of: NetworkId,
  height: number,
  limit: number,
): Promise<readonly Deposit[]> {
  return (await linkOf(db).rows(UNSETTLED, [of, height, limit])).map(CHAIN_DEPOSITS.fromRow);
}

const SETTLE = statement(`UPDATE chain_deposits SET final = 1, missing_since = NULL
  WHERE network = ? AND state = 'credited' AND final = 0 AND height = ? AND block_hash = ?`);

/** All that was credited out of a block that is final. */
export async function settleBlock(
  tx: Writer,
  of: NetworkId,
  block: { readonly height: number; readonly hash: ChainHash },
): Promise<void> {
  await linkOf(tx).rows(SETTLE, [of, block.height, block.hash]);
}

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const PAGE = statement(`SELECT * FROM chain_deposits
  WHERE account = ? AND network = ? AND id < ? ORDER BY id DESC LIMIT ?`);

/** Newest first. */
export async function depositsOf(
  db: Reader,
  of: { readonly account: Account; readonly network: NetworkId },
  { limit, before = NEWEST }: { readonly limit: number; readonly before?: string | undefined },
): Promise<readonly Deposit[]> {
  const rows = await linkOf(db).rows(PAGE, [of.account, of.network, before, limit]);
  return rows.map(CHAIN_DEPOSITS.fromRow);
}

/** Deposits of an account that are seen and not credited yet, and that no block has now. */
export const UNSETTLED_DEPOSITS = lookup('unsettled_deposits', {
  by: { account: columns.account(), network: columns.network() },
  found: {
    seen: columns.amount(),
    missing: columns.amount(),
    missingSince: columns.moment().optional(),
  },
  sql: (key) => {
    const of = (what: string, which: string): string => `(SELECT ${what} FROM chain_deposits
      WHERE account = ${key.account} AND network = ${key.network} AND ${which})`;
    return {
      seen: of('coalesce(sum(amount), 0)', "state = 'seen'"),
      missing: of('coalesce(sum(amount), 0)', 'missing_since IS NOT NULL'),
      missingSince: of('min(missing_since)', 'missing_since IS NOT NULL'),
    };
  },
});

const REVERSED = statement(`SELECT 1 AS found FROM chain_deposits
  WHERE account = ? AND network = ? AND state = 'reversed' LIMIT 1`);

/** Whether a deposit of the account vanished after it was credited. */
export async function hadReversal(db: Reader, account: Account, of: NetworkId): Promise<boolean> {
  return (await linkOf(db).rows(REVERSED, [account, of])).length > 0;
}
