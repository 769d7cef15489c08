import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import { parseDepositPath, type DepositPath } from '../../domain/rails/depositPath.ts';
import type { EvmAddress } from '../../domain/rails/evm.ts';
import * as column from '../columns.ts';
import { inListStatement } from '../inList.ts';
import { lock } from '../advisoryLocks.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';
import { address } from './columns.ts';

/**
 * The address of each account. `place` is its number in the table; `path` is where it lies under the
 * extended public key, and an address of before has none: its place was its path.
 */
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

const INSERT = statement(`
  INSERT INTO deposit_addresses (network, account, place, path, address, created_at)
  VALUES (?, ?, ?, ?, ?, ?)`);

export async function insertDepositAddress(
  tx: Writer,
  row: {
    readonly network: NetworkId;
    readonly account: Account;
    readonly place: number;
    readonly path: DepositPath;
    readonly address: EvmAddress;
    readonly createdAt: Instant;
  },
): Promise<void> {
  const { network, account, place, path, createdAt } = row;
  await linkOf(tx).rows(INSERT, [network, account, place, path, row.address, createdAt]);
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

const PAID = statement(`SELECT place, path, address FROM deposit_addresses a
  WHERE network = ? AND place >= ? AND EXISTS (SELECT 1 FROM chain_deposits d
    WHERE d.network = a.network AND d.address = a.address AND d.state <> 'orphaned')
  ORDER BY place LIMIT ?`);

export interface PaidAddress {
  readonly place: number;
  readonly path: DepositPath;
  readonly address: EvmAddress;
}

function pathOf(row: Row): DepositPath {
  const text = column.textOrNull(row, 'path') ?? `${column.whole(row, 'place')}`;
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
  const rows = await linkOf(db).rows(PAID, [of, place, limit]);
  return rows.map((row) => ({
    place: column.whole(row, 'place'),
    path: pathOf(row),
    address: address(row, 'address'),
  }));
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
