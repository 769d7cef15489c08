import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EvmAddress } from '../../domain/rails/evm.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';
import { address } from './columns.ts';

/** Where an account's withdrawals go on a network, and nowhere else. */
export interface PayoutAddress {
  readonly address: EvmAddress;
  readonly previous: EvmAddress | null;
  readonly setAt: Instant;
  /** When it replaced another one; null for the first. */
  readonly changedAt: Instant | null;
}

const READ = statement('SELECT * FROM payout_addresses WHERE network = ? AND account = ?');

export async function payoutAddressOf(
  db: Reader,
  account: Account,
  of: NetworkId,
): Promise<PayoutAddress | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [of, account]));
  return row && payoutAddress(row);
}

const FIRST = statement(`
  INSERT INTO payout_addresses (network, account, address, previous, set_at, changed_at)
  VALUES (?, ?, ?, NULL, ?, NULL) ON CONFLICT (network, account) DO NOTHING RETURNING 1 AS done`);
const CHANGE = statement(`
  UPDATE payout_addresses SET previous = address, address = ?, set_at = ?, changed_at = ?
  WHERE network = ? AND account = ? AND address <> ? RETURNING 1 AS done`);

/** Sets it; false when it was this one already. Of two at once the second finds the first's. */
export async function setPayoutAddress(
  tx: Writer,
  account: Account,
  of: NetworkId,
  to: EvmAddress,
  now: Instant,
): Promise<boolean> {
  const link = linkOf(tx);
  if ((await link.rows(FIRST, [of, account, to, now])).length > 0) return true;
  return (await link.rows(CHANGE, [to, now, now, of, account, to])).length > 0;
}

function payoutAddress(row: Row): PayoutAddress {
  return {
    address: address(row, 'address'),
    previous: row['previous'] === null ? null : address(row, 'previous'),
    setAt: column.time(row, 'set_at'),
    changedAt: column.timeOrNull(row, 'changed_at'),
  };
}
