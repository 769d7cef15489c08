import type { Account } from '../../domain/account.ts';
import type { NetworkId } from '../../domain/network.ts';
import { parseDepositPath, type DepositPath } from '../../domain/rails/depositPath.ts';
import type { EvmAddress } from '../../domain/rails/evm.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { inListStatement } from '../inList.ts';
import { lock } from '../advisoryLocks.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { shaped, table } from '../batch/table.ts';
import { address, addressColumn } from './columns.ts';

/**
 * The address of each account. `place` is its number in the table; `path` is where it lies under the
 * extended public key, and an address of before has none: its place was its path.
 */
export const DEPOSIT_ADDRESSES = shaped(
  table(
    'deposit_addresses',
    {
      network: columns.network().key(),
      account: columns.account().key(),
      place: columns.integer(),
      address: addressColumn(),
      createdAt: columns.moment(),
      path: columns.text<DepositPath>().optional(),
    },
    {
      use: 'single',
      personal: {
        owner: 'account',
        order: ['network'],
        stays: 'Money that arrives there later must find its account.',
      },
    },
  ),
  {
    of: ({ path, ...row }) => ({ ...row, path: pathOf(path ?? `${row.place}`) }),
    flat: (row) => row,
  },
);

const READ = statement('SELECT address FROM deposit_addresses WHERE network = ? AND account = ?');

export async function depositAddressOf(
  db: Reader,
  account: Account,
  of: NetworkId,
): Promise<EvmAddress | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [of, account]));
  return row && address(row, 'address');
}

const NEXT = statement(`SELECT coalesce(max(place) + 1, 0) AS place FROM deposit_addresses
  WHERE network = ?`);

/** The number that the next address takes. The caller has its turn until its transaction ends. */
export async function nextPlace(tx: Writer, of: NetworkId): Promise<number> {
  const link = linkOf(tx);
  await lock(tx, 'depositAddresses');
  const row = column.one(await link.rows(NEXT, [of]));
  return row === undefined ? 0 : Number(column.signed(row, 'place'));
}

const INSERT = statement(DEPOSIT_ADDRESSES.insertion);

export async function insertDepositAddress(
  tx: Writer,
  row: RowIn<typeof DEPOSIT_ADDRESSES>,
): Promise<void> {
  await linkOf(tx).rows(INSERT, DEPOSIT_ADDRESSES.cells(row));
}

const OWNER = statement('SELECT account FROM deposit_addresses WHERE network = ? AND address = ?');

export async function accountOfAddress(
  db: Reader,
  of: NetworkId,
  at: EvmAddress,
): Promise<Account | undefined> {
  const row = column.one(await linkOf(db).rows(OWNER, [of, at]));
  return row && column.account(row, 'account');
}

const OWNERS = inListStatement(
  (given) =>
    `SELECT address, account FROM deposit_addresses WHERE network = ? AND address ${given}`,
);

export async function ownersOf(
  db: Reader,
  of: NetworkId,
  addresses: readonly EvmAddress[],
): Promise<ReadonlyMap<EvmAddress, Account>> {
  const rows = await linkOf(db).rows(OWNERS, [of, [...new Set(addresses)]]);
  return new Map(rows.map((row) => [address(row, 'address'), column.account(row, 'account')]));
}

const PAID = statement(`SELECT * FROM deposit_addresses a
  WHERE network = ? AND place >= ? AND EXISTS (SELECT 1 FROM chain_deposits d
    WHERE d.network = a.network AND d.address = a.address AND d.state <> 'orphaned')
  ORDER BY place LIMIT ?`);

export type PaidAddress = Pick<RowIn<typeof DEPOSIT_ADDRESSES>, 'place' | 'path' | 'address'>;

function pathOf(text: string): DepositPath {
  const path = parseDepositPath(text);
  if (path === undefined) throw new Error(`no path of an address: ${text}`);
  return path;
}

/** Addresses that were ever paid, from a place on. */
export async function paidFrom(
  db: Reader,
  of: NetworkId,
  place: number,
  limit: number,
): Promise<readonly PaidAddress[]> {
  return (await linkOf(db).rows(PAID, [of, place, limit])).map(DEPOSIT_ADDRESSES.fromRow);
}

const FROM = statement(`SELECT place, address FROM deposit_addresses
  WHERE network = ? AND place >= ? ORDER BY place LIMIT ?`);

/** Addresses from a place on, in their order. */
export async function addressesFrom(
  db: Reader,
  of: NetworkId,
  place: number,
  limit: number,
): Promise<readonly EvmAddress[]> {
  return (await linkOf(db).rows(FROM, [of, place, limit])).map((row) => address(row, 'address'));
}

const COUNT = statement('SELECT count(*) AS made FROM deposit_addresses');

export async function depositAddressCount(db: Reader): Promise<number> {
  const row = column.one(await linkOf(db).rows(COUNT, []));
  return row === undefined ? 0 : Number(column.signed(row, 'made'));
}
