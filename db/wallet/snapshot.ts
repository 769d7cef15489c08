import { readerOf, type Reader } from '../connection.ts';
import { sqlitePath } from '../databaseUrl.ts';
import { withPostgres } from '../postgresLeases.ts';
import { openSqliteConnection } from '../sqliteConnection.ts';

/** One snapshot of a database in use: unlike `openStore` it makes, migrates and writes nothing. */
export async function readSnapshot<T>(url: string, work: (db: Reader) => Promise<T>): Promise<T> {
  const path = sqlitePath(url);
  return path === undefined ? ofPostgres(url, work) : ofSqlite(path, work);
}

async function ofSqlite<T>(path: string, work: (db: Reader) => Promise<T>): Promise<T> {
  const connection = await openSqliteConnection(path, 'read');
  try {
    await connection.exec('BEGIN');
    return await work(readerOf(connection));
  } finally {
    await connection.close();
  }
}

function ofPostgres<T>(url: string, work: (db: Reader) => Promise<T>): Promise<T> {
  return withPostgres(url, (connection) => {
    connection.begin('read');
    return work(readerOf(connection));
  });
}
