import type { Account } from '../../domain/account.ts';
import type { NetworkId } from '../../domain/network.ts';
import { evmAddress, type EvmAddress } from '../../domain/rails/evm.ts';
import { one, text } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

const PAYOUT = statement('SELECT address FROM payout_addresses WHERE network = ? AND account = ?');

/** The wallet that may pay for an account (interface, Wallet); undefined without one. */
export async function payoutAddressOf(
  db: Reader,
  network: NetworkId,
  account: Account,
): Promise<EvmAddress | undefined> {
  const row = one(await linkOf(db).rows(PAYOUT, [network, account]));
  return row && evmAddress(text(row, 'address'));
}
