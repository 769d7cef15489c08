import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import type { Place } from '../ledger/accounts.ts';
import { amount, one } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

const GIVEN = statement(`SELECT CAST(coalesce(sum(e.delta), 0) AS TEXT) AS given
  FROM accounts a JOIN entries e ON e.account_id = a.id
  WHERE a.network = ? AND a.asset = ? AND a.name = ? AND e.at >= ? AND e.reason = 'faucet'`);

/** Given by the faucet from `since` on; exact in the unit that has posted to the account. */
export async function faucetGiven(
  db: Reader,
  account: Account,
  { network, asset }: Place,
  since: Instant,
): Promise<Atomic> {
  const row = one(await linkOf(db).rows(GIVEN, [network, asset, account, since]));
  if (row === undefined) throw new Error('a sum has a row');
  return amount(row, 'given');
}
