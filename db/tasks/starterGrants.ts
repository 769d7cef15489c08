import type { Account } from '../../domain/account.ts';
import { account, moment, text } from '../batch/columns.ts';
import { table } from '../batch/table.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';
import { TASKS } from './taskRow.ts';

/** The key of the table makes starter payments once per account (choices bonuses.starter). */
const EXISTS = statement('SELECT 1 AS yes FROM starter_grants WHERE account = ?');

export async function hadStarter(db: Reader, of: Account): Promise<boolean> {
  return (await linkOf(db).rows(EXISTS, [of])).length > 0;
}

export const STARTER_GRANTS = table(
  'starter_grants',
  { account: account().key(), taskId: text().fixed(), at: moment().fixed() },
  { personal: { apart: 'in the books' }, use: 'append', under: [TASKS] },
);
