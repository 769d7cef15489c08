import type { Account } from '../../domain/account.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';

/** Linked accounts are one party wherever self-dealing is asked (choices 2.4). */
const SHARED_KEY = statement(`
  SELECT 1 AS yes FROM keys WHERE (key_id = ? AND account = ?) OR (key_id = ? AND account = ?)
  LIMIT 1`);

/** True for one account, and for two of which one holds the other's own key. */
export async function linked(db: Reader, a: Account, b: Account): Promise<boolean> {
  if (a === b) return true;
  if (!a.startsWith('key:') || !b.startsWith('key:')) return false;
  const values = [a.slice(4), b, b.slice(4), a];
  return (await linkOf(db).rows(SHARED_KEY, values)).length > 0;
}

const PARTY = statement(`
  SELECT account FROM keys WHERE key_id = ?
  UNION SELECT 'key:' || key_id FROM keys WHERE account = ?`);

/** An account with all that are linked to it: one party wherever gains are counted (choices 4.3). */
export async function partyOf(db: Reader, account: Account): Promise<readonly Account[]> {
  if (!account.startsWith('key:')) return [account];
  const rows = await linkOf(db).rows(PARTY, [account.slice(4), account]);
  return [...new Set([account, ...rows.map((row) => column.account(row, 'account'))])];
}

const KEYS = statement(
  '',
  'SELECT 1 AS yes FROM keys WHERE account = ? ORDER BY key_id FOR UPDATE',
);

/**
 * What an account may hold is counted over several tasks, so on PostgreSQL its claims take turns on
 * its key rows, which every signer has. SQLite has one writer.
 */
export async function lockWorker(tx: Writer, account: Account): Promise<void> {
  const link = linkOf(tx);
  if (link.dialect === 'postgres') await link.rows(KEYS, [account]);
}
