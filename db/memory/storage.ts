import type { Account } from '../../domain/account.ts';
import type { Storage } from '../../domain/memory/storage.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { IN_LIST } from '../inList.ts';
import { MEMORY_ACCOUNTS } from './memoryTables.ts';

/** The sums that accounts store; rows are locked in the order of names, after the space. */
const ALL = MEMORY_ACCOUNTS.columns.join(', ');
const MAKE = statement(
  `INSERT INTO memory_accounts (${ALL})
    SELECT value, 0, 0, 0, 0, 0, 0, ?, NULL, 0 FROM json_each(?) WHERE true
    ON CONFLICT (account) DO NOTHING`,
  `INSERT INTO memory_accounts (${ALL})
    SELECT name, 0, 0, 0, 0, 0, 0, ?::bigint, NULL, 0 FROM unnest(?::text[]) AS name
    ORDER BY name COLLATE "C" ON CONFLICT (account) DO NOTHING`,
);
const LOCK = statement(
  `SELECT * FROM memory_accounts WHERE account ${IN_LIST.sqlite}`,
  `SELECT * FROM memory_accounts WHERE account ${IN_LIST.postgres} ORDER BY account FOR UPDATE`,
);

/** These accounts, locked; those that stored nothing before begin today. */
export async function lockStorage(
  tx: Writer,
  accounts: readonly Account[],
  today: number,
): Promise<ReadonlyMap<Account, Storage>> {
  const names = [...new Set(accounts)].sort();
  const link = linkOf(tx);
  let rows = await link.rows(LOCK, [names]);
  if (rows.length < names.length) {
    await link.rows(MAKE, [today, names]);
    rows = await link.rows(LOCK, [names]);
  }
  return new Map(rows.map(MEMORY_ACCOUNTS.fromRow).map((each) => [each.account, each]));
}

const SAVE = statement(`
  UPDATE memory_accounts SET spaces = ?, notes = ?, note_bytes = ?, notes_written = ?, files = ?,
    file_bytes = ?, settled_day = ?, paid_day = ?, read_only = ? WHERE account = ?`);

/** Writes what a unit decided about an account that it has locked. */
export async function saveStorage(tx: Writer, storage: Storage): Promise<void> {
  const { account, spaces, notes, noteBytes, notesWritten, files, fileBytes } = storage;
  await linkOf(tx).rows(SAVE, [
    spaces,
    notes,
    noteBytes,
    notesWritten,
    files,
    fileBytes,
    storage.settledDay,
    storage.paidDay ?? null,
    storage.readOnly ? 1 : 0,
    account,
  ]);
}

const READ = statement('SELECT * FROM memory_accounts WHERE account = ?');

export async function readStorage(db: Reader, account: Account): Promise<Storage | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [account]));
  return row && MEMORY_ACCOUNTS.fromRow(row);
}

const DUE = statement(`
  SELECT account FROM memory_accounts WHERE note_bytes + file_bytes > 0 AND settled_day < ?
  ORDER BY settled_day, account LIMIT ?`);

/** Accounts that store something and whose rent day was not settled yet. */
export async function rentDueOf(
  db: Reader,
  today: number,
  limit: number,
): Promise<readonly Account[]> {
  const rows = await linkOf(db).rows(DUE, [today, limit]);
  return rows.map((row) => column.account(row, 'account'));
}
