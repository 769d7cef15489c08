import { one, whole } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

/** The clock of the database's machine, which is this machine where it is SQLite. */
export const DATABASE_NOW = {
  sqlite: `CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)`,
  postgres: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)',
} as const;

const NOW = statement('', `SELECT ${DATABASE_NOW.postgres} AS now`);

/** Milliseconds since 1970 by the server of the database; undefined where there is none. */
export async function databaseTime(db: Reader): Promise<number | undefined> {
  const link = linkOf(db);
  if (link.dialect === 'sqlite') return undefined;
  const row = one(await link.rows(NOW, []));
  return row && whole(row, 'now');
}
