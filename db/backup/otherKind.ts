import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readerOf, statement, type Reader } from '../connection.ts';
import { migrateThrough } from '../migrate.ts';
import { openSqliteConnection, type SqliteConnection } from '../sqliteConnection.ts';
import { linesOfTable, rowsOfFile, type CopyCell } from './copyLines.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Both databases have the same tables with the same columns (otherKind.test.ts), so a backup of one
 * kind can be read as the other.
 */
const ROWS_AT_ONCE = 500;
const TABLES = statement(`
  SELECT name FROM sqlite_master WHERE type = 'table'
    AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'knex_migrations%' ORDER BY name`);
const TRIGGERS = statement(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`);
const COLUMNS = statement('SELECT name, type FROM pragma_table_info(?) ORDER BY cid');

/** Where a backup of PostgreSQL has the rows of a table. */
export const copyFile = (folder: string, table: string): string => join(folder, `${table}.copy.gz`);

/** Makes a file of SQLite from a backup of PostgreSQL; `only` names the tables that are filled. */
export async function sqliteOfCopies(
  path: string,
  folder: string,
  { migrations }: Snapshot,
  only?: readonly string[],
): Promise<void> {
  const connection = await openSqliteConnection(path, 'copy');
  try {
    // The rows come as they were checked, in any order, and triggers have written theirs already.
    await connection.exec('PRAGMA foreign_keys=OFF');
    const { knex } = connection;
    await knex.transaction((trx) => migrateThrough(migrations, trx, 'sqlite'));
    await connection.exec('BEGIN');
    const triggers = await connection.rows(TRIGGERS, []);
    for (const { name } of triggers) await connection.exec(`DROP TRIGGER "${String(name)}"`);
    for (const { name } of await connection.rows(TABLES, [])) {
      await connection.exec(`DELETE FROM "${String(name)}"`);
      if (only?.includes(String(name)) ?? true) await fill(connection, String(name), folder);
    }
    for (const { sql } of triggers) await connection.exec(String(sql));
    await connection.exec('COMMIT');
  } finally {
    await connection.close();
  }
}

async function fill(connection: SqliteConnection, table: string, folder: string): Promise<void> {
  const file = copyFile(folder, table);
  if (!existsSync(file)) throw new Error(`the backup has no rows of ${table}`);
  const columns = await connection.rows(COLUMNS, [table]);
  const isInt = columns.map(({ type }) => type === 'INTEGER');
  const names = columns.map(({ name }) => `"${String(name)}"`).join(', ');
  const cells = columns.map((_, n) => `value ->> '$[${n}]'`).join(', ');
  const insert = statement(
    `INSERT INTO "${table}" (${names}) SELECT ${cells} FROM json_each(?) WHERE true`,
  );
  let page: string[] = [];
  const flush = async (): Promise<void> => {
    if (page.length > 0) await connection.rows(insert, [`[${page.join(',')}]`]);
    page = [];
  };
  for await (const row of rowsOfFile(file)) {
    if (page.push(jsonOf(row, isInt)) === ROWS_AT_ONCE) await flush();
  }
  await flush();
}

/** An integer keeps all its digits. */
function jsonOf(row: readonly CopyCell[], isInt: readonly boolean[]): string {
  const cells = row.map((cell, n) => (isInt[n] === true ? (cell ?? 'null') : JSON.stringify(cell)));
  return `[${cells.join(',')}]`;
}

/** The rows of a backup of SQLite as PostgreSQL reads them. */
export async function openSqliteCopy(path: string): Promise<SqliteCopy> {
  const connection = await openSqliteConnection(path, 'read');
  const db: Reader = readerOf(connection);
  return {
    rows: (table, columns) => Readable.from(linesOfTable(db, table, columns)),
    close: () => connection.close(),
  };
}

export interface SqliteCopy {
  rows(table: string, columns: readonly string[]): Readable;
  close(): Promise<void>;
}
