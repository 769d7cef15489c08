import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

/** The table of files: which content an account keeps under a key. */
export interface StoredFile {
  readonly owner: Account;
  readonly key: string;
  /** Name of its content in the file store. */
  readonly object: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly at: Instant;
}

const READ = statement('SELECT * FROM files WHERE owner = ? AND key = ?');

export async function readFile(
  db: Reader,
  owner: Account,
  key: string,
): Promise<StoredFile | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [owner, key]));
  return row && fileOf(row);
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
  return rows.map(fileOf);
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

function fileOf(row: Row): StoredFile {
  return {
    owner: column.account(row, 'owner'),
    key: column.text(row, 'key'),
    object: column.text(row, 'object'),
    bytes: column.whole(row, 'bytes'),
    sha256: column.text(row, 'sha256'),
    at: column.time(row, 'at'),
  };
}

const SAVE = statement(`
  INSERT INTO files (owner, key, object, bytes, sha256, at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (owner, key) DO UPDATE SET object = excluded.object, bytes = excluded.bytes,
    sha256 = excluded.sha256, at = excluded.at`);

/** Puts a content under a key, in place of what was there. */
export async function saveFile(tx: Writer, file: StoredFile): Promise<void> {
  const { owner, key, object, bytes, sha256, at } = file;
  await linkOf(tx).rows(SAVE, [owner, key, object, bytes, sha256, at]);
}
