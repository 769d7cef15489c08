import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EvmAddress } from '../../domain/rails/evm.ts';
import { account as accountColumn, moment, network } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { one } from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { addressColumn } from './columns.ts';

/** Where an account's withdrawals go on a network, and nowhere else. */
export const PAYOUT_ADDRESSES = table(
  'payout_addresses',
  {
    network: network().key(),
    account: accountColumn().key(),
    address: addressColumn(),
    previous: addressColumn().orNull(),
    setAt: moment(),
    /** When it replaced another one; null for the first. */
    changedAt: moment().orNull(),
  },
  {
    use: 'single',
    personal: {
      owner: 'account',
      order: ['network'],
      stays: 'It protects the account against a stolen key.',
    },
  },
);
export type PayoutAddress = RowIn<typeof PAYOUT_ADDRESSES>;

const READ = statement('SELECT * FROM payout_addresses WHERE network = ? AND account = ?');

export async function payoutAddressOf(
  db: Reader,
  account: Account,
  of: NetworkId,
): Promise<PayoutAddress | undefined> {
  const row = one(await linkOf(db).rows(READ, [of, account]));
  return row && PAYOUT_ADDRESSES.fromRow(row);
}

const FIRST = statement(`${PAYOUT_ADDRESSES.insertion}
  ON CONFLICT (network, account) DO NOTHING RETURNING 1 AS done`);
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
  const first = { network: of, account, address: to, previous: null, setAt: now, changedAt: null };
  if ((await link.rows(FIRST, PAYOUT_ADDRESSES.cells(first))).length > 0) return true;
  return (await link.rows(CHANGE, [to, now, now, of, account, to])).length > 0;
}
