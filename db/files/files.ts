import type { Account } from '../../domain/account.ts';
import { account, integer, moment, text } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { one } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { table } from '../batch/table.ts';

/** The content that an account keeps under a key. */
export const FILES = table(
  'files',
  {
    owner: account().key(),
    key: text().key(),
    /** Name of its content in the file store. */
    object: text(),
    bytes: integer(),
    sha256: text(),
    at: moment(),
  },
  { use: 'single', personal: { owner: 'owner', order: ['key'] } },
);
export type StoredFile = RowIn<typeof FILES>;

const READ = statement('SELECT * FROM files WHERE owner = ? AND key = ?');

export async function readFile(
  db: Reader,
  owner: Account,
  key: string,
): Promise<StoredFile | undefined> {
  const row = one(await linkOf(db).rows(READ, [owner, key]));
  return row && FILES.fromRow(row);
}

const UNDER = inListStatement((given) => `SELECT * FROM files WHERE owner = ? AND key ${given}`);

/** The files of an account under these keys. */
export async function filesUnder(
  db: Reader,
  owner: Account,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StoredFile>> {
  const rows = await linkOf(db).rows(UNDER, [owner, keys]);
  return new Map(rows.map(FILES.fromRow).map((file) => [file.key, file]));
}

const PAGE = statement(`
  SELECT * FROM files WHERE owner = ? AND key > ? AND key >= ? AND key < ? ORDER BY key LIMIT ?`);
/** Sorts after every key, which are ASCII. */
const END = '\u{7f}';

/** The files of an account whose keys begin alike, behind a key, in the order of their keys. */
export async function filePage(
  db: Reader,
  owner: Account,
  {
    prefix,
    after,
    limit,
  }: { readonly prefix: string; readonly after: string; readonly limit: number },
): Promise<readonly StoredFile[]> {
  const rows = await linkOf(db).rows(PAGE, [owner, after, prefix, `${prefix}${END}`, limit]);
  return rows.map(FILES.fromRow);
}

const RENAME = statement('UPDATE files SET key = ? WHERE owner = ? AND key = ?');
const DELETE = statement('DELETE FROM files WHERE owner = ? AND key = ?');

/** Puts a file under a key that no file has; the account is locked. */
export async function renameFile(
  tx: Writer,
  { owner, key }: StoredFile,
  to: string,
): Promise<void> {
  await linkOf(tx).rows(RENAME, [to, owner, key]);
}

export async function deleteFile(tx: Writer, { owner, key }: StoredFile): Promise<void> {
  await linkOf(tx).rows(DELETE, [owner, key]);
}

const SAVE = statement(`
  ${FILES.insertion} ON CONFLICT (owner, key) DO UPDATE SET ${FILES.replacement}`);

/** Puts a content under a key, in place of what was there. */
export async function saveFile(tx: Writer, file: StoredFile): Promise<void> {
  await linkOf(tx).rows(SAVE, FILES.cells(file));
}
