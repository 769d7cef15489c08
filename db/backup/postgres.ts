import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { readerOf, type Row } from '../connection.ts';
import { addPartition, PARTITIONS, partitionsIn } from '../ledger/partitions.ts';
import { migrateThrough } from '../migrate.ts';
import { clientConfig, connect } from '../postgresConnection.ts';
import { unzipped } from './copyLines.ts';
import { copyFile } from './otherKind.ts';
import { MIGRATIONS, RestoreRefused, type Accept, type Snapshot } from './snapshot.ts';

/** Tables as COPY files of one snapshot. A restore runs the migrations and needs no server tool. */
const OWNER_ONLY = 0o600;
const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
/** Tables of the hub in the order of their references, so that no row comes before its parent. */
const TABLES = `
  WITH RECURSIVE mine AS (
    SELECT c.oid, c.relname::text AS name FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT c.relispartition AND c.relname NOT LIKE 'knex_migrations%'
  ), depths AS (
    SELECT oid, name, 0 AS depth FROM mine
    UNION
    SELECT m.oid, m.name, d.depth + 1 FROM depths d
    JOIN pg_constraint f ON f.contype = 'f' AND f.confrelid = d.oid AND f.conrelid <> d.oid
    JOIN mine m ON m.oid = f.conrelid
  )
  SELECT name FROM depths GROUP BY name ORDER BY max(depth), name`;
const COLUMNS = `SELECT column_name AS name FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`;
/** Columns that count up, so that they go on behind what was restored. */
const COUNTERS = `
  SELECT c.relname::text AS "table", a.attname::text AS "column"
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    AND a.attidentity <> '' AND c.relname NOT LIKE 'knex_migrations%'`;

export async function backUpPostgres(url: string, folder: string): Promise<Snapshot> {
  return withClient(url, async (client) => {
    await client.query(SNAPSHOT);
    const { rows } = await client.query<{ name: string }>(MIGRATIONS.postgres);
    for (const table of await tablesOf(client)) {
      const file = createWriteStream(copyFile(folder, table), { flags: 'wx', mode: OWNER_ONLY });
      const copied = client.query(copyTo(`COPY (SELECT * FROM ${quoted(table)}) TO STDOUT`));
      await pipeline(copied, createGzip(), file);
    }
    const partitions = partitionsIn((await client.query<Row>(PARTITIONS.postgres)).rows);
    return { migrations: rows.map(({ name }) => name), partitions };
  });
}

/** The rows of a table as COPY text, with the columns in the given order. */
export type RowsOf = (table: string, columns: readonly string[]) => Readable;

/** The rows of a backup of PostgreSQL, which has all columns in the order of the table. */
export const rowsIn =
  (folder: string): RowsOf =>
  (table) =>
    unzipped(copyFile(folder, table));

/** Restores in one transaction that includes the verdict; no row is visible before it ends. */
export async function restorePostgres(
  url: string,
  rowsOf: RowsOf,
  { migrations, partitions = [] }: Snapshot,
  accept: Accept,
): Promise<boolean> {
  const pool = new pg.Pool({ ...clientConfig(url), max: 1 });
  const client = await pool.connect();
  const connection = await connect(client);
  const trx = await connection.knex.transaction();
  try {
    if ((await tablesOf(client)).length > 0) {
      throw new RestoreRefused('The database has tables already; name an empty one.');
    }
    await migrateThrough(migrations, trx, 'postgres');
    const made = partitionsIn((await client.query<Row>(PARTITIONS.postgres)).rows);
    for (const each of partitions) {
      if (!made.some(({ from }) => from === each.from)) await addPartition({ knex: trx }, each);
    }
    const tables = await tablesOf(client);
    await client.query(`TRUNCATE ${tables.map(quoted).join(', ')}`);
    for (const table of tables) await load(client, table, rowsOf);
    await countOn(client);
    const accepted = await accept(readerOf(connection));
    if (accepted) await trx.commit();
    return accepted;
  } finally {
    // Without a commit the server takes everything back when its client is gone.
    client.release(true);
    await pool.end();
  }
}

/** Triggers keep derived rows, and those are in the backup themselves. */
async function load(client: pg.ClientBase, table: string, rowsOf: RowsOf): Promise<void> {
  const name = quoted(table);
  const { rows } = await client.query<{ name: string }>(COLUMNS, [table]);
  await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  const into = client.query(copyFrom(`COPY ${name} FROM STDIN`));
  await pipeline(
    rowsOf(
      table,
      rows.map((row) => row.name),
    ),
    into,
  );
  await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
}

async function countOn(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(COUNTERS);
  for (const { table, column } of rows) {
    const top = `SELECT max(${quoted(column)}) FROM ${quoted(table)}`;
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), greatest((${top}), 1), (${top}) IS NOT NULL)`,
      [quoted(table), column],
    );
  }
}

async function tablesOf(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(TABLES);
  return rows.map(({ name }) => name);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(clientConfig(url));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const quoted = (name: string): string => pg.escapeIdentifier(name);
