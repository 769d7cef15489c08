import type { Account } from '../../domain/account.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

const USED = statement('SELECT 1 AS yes FROM accounts WHERE name = ? LIMIT 1');

/** Whether an account ever received money, on any network. */
export async function everReceived(db: Reader, account: Account): Promise<boolean> {
  return (await linkOf(db).rows(USED, [account])).length > 0;
}
