import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sqlitePath } from '../databaseUrl.ts';
import { originOf } from '../migrate.ts';
import { openSqliteCopy, sqliteOfCopies } from './otherKind.ts';
import { backUpPostgres, restorePostgres, rowsIn } from './postgres.ts';
import { RestoreRefused, type Accept, type Snapshot } from './snapshot.ts';
import { backUpSqlite, FILE, restoreSqlite } from './sqlite.ts';

/**
 * Copies a database into a folder and back: one committed snapshot, taken beside a running hub. A
 * restore needs an empty place and is complete or absent: `accept` checks it before others see it.
 */
export type DatabaseKind = 'sqlite' | 'postgres';

export function kindOf(url: string): DatabaseKind {
  return sqlitePath(url) === undefined ? 'postgres' : 'sqlite';
}

export async function backUpDatabase(url: string, folder: string): Promise<Snapshot> {
  const path = sqlitePath(url);
  return path === undefined ? backUpPostgres(url, folder) : backUpSqlite(path, folder);
}

const REFUSALS = {
  later: 'A newer hub made this backup. Restore it with that version.',
  newer: 'A newer hub made this backup. Restore it with that version.',
  unreleased: 'An unreleased version of the hub made this backup. Start with a new database.',
} as const;

/** A snapshot of either kind of database. */
export interface KindOfSnapshot extends Snapshot {
  readonly database: DatabaseKind;
}

/** False when it was not accepted; throws `RestoreRefused` when it cannot begin. */
export async function restoreDatabase(
  url: string,
  folder: string,
  snapshot: KindOfSnapshot,
  accept: Accept,
): Promise<boolean> {
  const origin = originOf(snapshot.migrations);
  if (origin !== 'this') throw new RestoreRefused(REFUSALS[origin]);
  const path = sqlitePath(url);
  if (path !== undefined) {
    return restoreSqlite(path, (arriving) => sqliteOf(folder, snapshot, arriving), accept);
  }
  if (snapshot.database === 'postgres') {
    return restorePostgres(url, rowsIn(folder), snapshot, accept);
  }
  const copy = await openSqliteCopy(join(folder, FILE));
  return restorePostgres(url, copy.rows, snapshot, accept).finally(() => copy.close());
}

/** Makes a file of SQLite of a backup of either kind; `only` names the tables that are needed. */
export function sqliteOf(
  folder: string,
  snapshot: KindOfSnapshot,
  path: string,
  only?: readonly string[],
): Promise<void> {
  return snapshot.database === 'sqlite'
    ? copyFile(join(folder, FILE), path)
    : sqliteOfCopies(path, folder, snapshot, only);
}
