import { sqlitePath } from '../databaseUrl.ts';
import { originOf } from '../migrate.ts';
import { backUpPostgres, restorePostgres } from './postgres.ts';
import { RestoreRefused, type Accept, type Snapshot } from './snapshot.ts';
import { backUpSqlite, restoreSqlite } from './sqlite.ts';

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

/** False when it was not accepted; throws `RestoreRefused` when it cannot begin. */
export async function restoreDatabase(
  url: string,
  folder: string,
  snapshot: Snapshot,
  accept: Accept,
): Promise<boolean> {
  const origin = originOf(snapshot.migrations);
  if (origin !== 'this') throw new RestoreRefused(REFUSALS[origin]);
  const path = sqlitePath(url);
  if (path === undefined) return restorePostgres(url, folder, snapshot, accept);
  return restoreSqlite(path, folder, accept);
}
