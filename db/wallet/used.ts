import type { Account } from '../../domain/account.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

/** By network first, as the index has it; a row without an entry is one money never reached. */
const USED = statement(`SELECT 1 AS yes FROM networks n
  JOIN accounts a ON a.network = n.id AND a.asset = n.asset AND a.name = ?
  WHERE a.seq > 0 LIMIT 1`);

/** Whether an account ever received money, on any network. */
export async function everReceived(db: Reader, account: Account): Promise<boolean> {
  return (await linkOf(db).rows(USED, [account])).length > 0;
}
