import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readerOf, statement } from '../connection.ts';
import { openSqliteConnection } from '../sqliteConnection.ts';
import { MIGRATIONS, RestoreRefused, type Accept, type Snapshot } from './snapshot.ts';

/** The database in a backup of SQLite. */
export const FILE = 'hub.sqlite';
const OWNER_ONLY = 0o600;
const COPY = statement('VACUUM INTO ?');

/** `VACUUM INTO` reads one snapshot, and in WAL mode writers go on beside it. */
export async function backUpSqlite(path: string, folder: string): Promise<Snapshot> {
  const copy = join(folder, FILE);
  const from = await openSqliteConnection(path, 'copy');
  try {
    await from.rows(COPY, [copy]);
  } finally {
    await from.close();
  }
  await chmod(copy, OWNER_ONLY);
  const made = await openSqliteConnection(copy, 'read');
  try {
    return { migrations: (await made.rows(MIGRATIONS, [])).map(({ name }) => String(name)) };
  } finally {
    await made.close();
  }
}

/** Under another name until it is accepted: a hub that starts meanwhile must not find it. */
export async function restoreSqlite(
  path: string,
  make: (arriving: string) => Promise<void>,
  accept: Accept,
): Promise<boolean> {
  if (existsSync(path)) {
    throw new RestoreRefused(`There is a database at ${path}; move it away first.`);
  }
  const arriving = `${path}.restoring`;
  await mkdir(dirname(path), { recursive: true });
  await rm(arriving, { force: true });
  await make(arriving);
  await chmod(arriving, OWNER_ONLY);
  const copy = await openSqliteConnection(arriving, 'read');
  const accepted = await accept(readerOf(copy)).finally(() => copy.close());
  if (accepted) await rename(arriving, path);
  else await rm(arriving);
  return accepted;
}
