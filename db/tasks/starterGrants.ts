import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';

/**
 * The table of starter payments: its key is what makes them once per account (choices
 * bonuses.starter).
 */
const EXISTS = statement('SELECT 1 AS yes FROM starter_grants WHERE account = ?');

export async function hadStarter(db: Reader, account: Account): Promise<boolean> {
  return (await linkOf(db).rows(EXISTS, [account])).length > 0;
}

const INSERT = statement('INSERT INTO starter_grants (account, task_id, at) VALUES (?, ?, ?)');

export async function grantStarter(
  tx: Writer,
  account: Account,
  taskId: string,
  at: Instant,
): Promise<void> {
  await linkOf(tx).rows(INSERT, [account, taskId, at]);
}
