import type { Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EvmAddress } from '../../domain/rails/evm.ts';
import { amount, flag, moment, network } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { address } from './columns.ts';

/** The funds on the chain and the debt of the hub when they were last compared. */
export const CHAIN_BACKING = table(
  'chain_backing',
  {
    network: network().key(),
    owed: amount(),
    found: amount(),
    backed: flag(),
    checkedAt: moment(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);
export type Backing = Omit<RowIn<typeof CHAIN_BACKING>, 'network'>;

const READ = statement('SELECT * FROM chain_backing WHERE network = ?');

export async function readBacking(db: Reader, of: NetworkId): Promise<Backing | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [of]));
  return row && CHAIN_BACKING.fromRow(row);
}

const SAVE = statement(`
  ${CHAIN_BACKING.insertion} ON CONFLICT (network) DO UPDATE SET ${CHAIN_BACKING.replacement}`);

export async function saveBacking(tx: Writer, of: NetworkId, backing: Backing): Promise<void> {
  await linkOf(tx).rows(SAVE, CHAIN_BACKING.cells({ network: of, ...backing }));
}

const LEAVING = statement(`SELECT CAST(coalesce(sum(amount), 0) AS TEXT) AS leaving FROM (
  SELECT w.amount - w.fee AS amount
    FROM withdrawals w JOIN chain_transactions t ON t.id = w.transaction_id
    WHERE w.network = ? AND w.state = 'pending' AND t.nonce IS NOT NULL
  UNION ALL SELECT amount FROM x402_upstream WHERE network = ? AND state = 'open') AS signed`);

/** Returns the amount that is signed away and still in the books. */
export async function leaving(db: Reader, of: NetworkId): Promise<Atomic> {
  const row = column.one(await linkOf(db).rows(LEAVING, [of, of]));
  if (row === undefined) throw new Error('a sum has a row');
  return column.amount(row, 'leaving');
}

const PAID = statement(`SELECT DISTINCT address FROM chain_deposits
  WHERE network = ? AND state <> 'orphaned' AND address > ? ORDER BY address LIMIT ?`);

/** Addresses of deposits that were ever paid, in their order. */
export async function paidAddresses(
  db: Reader,
  of: NetworkId,
  after: string,
  limit: number,
): Promise<readonly EvmAddress[]> {
  return (await linkOf(db).rows(PAID, [of, after, limit])).map((row) => address(row, 'address'));
}
