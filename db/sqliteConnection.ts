import type { Knex } from 'knex';
import sqlite3 from 'sqlite3';
import { pinnedKnex, type Link, type Row, type Statement, type Value } from './connection.ts';

/**
 * FULL, because in WAL mode NORMAL may lose a commit that was already answered (choices 1.7).
 * Readers cannot write even by mistake.
 */
const PRAGMAS = 'PRAGMA busy_timeout=5000; PRAGMA foreign_keys=ON;';
const WRITER_PRAGMAS =
  'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536;';
const READER_PRAGMAS = 'PRAGMA query_only=ON; PRAGMA cache_size=-16384;';

export interface SqliteConnection extends Link {
  /** Runs several statements in one trip, without parameters. */
  exec(sql: string): Promise<void>;
  close(): Promise<void>;
}

export async function openSqliteConnection(
  path: string,
  use: 'read' | 'write',
): Promise<SqliteConnection> {
  const db = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(path, (error) =>
      error === null ? resolve(opened) : reject(error),
    );
  });
  const connection = connect(db);
  await connection.exec(PRAGMAS + (use === 'write' ? WRITER_PRAGMAS : READER_PRAGMAS));
  return connection;
}

function connect(db: sqlite3.Database): SqliteConnection {
  const knex: Knex = pinnedKnex('sqlite3', () => Promise.resolve(db));
  const prepared = new Map<Statement, Promise<sqlite3.Statement>>();
  const prepare = (text: Statement): Promise<sqlite3.Statement> => {
    const made = new Promise<sqlite3.Statement>((resolve, reject) => {
      const handle: sqlite3.Statement = db.prepare(text.sqlite, (error: Error | null) =>
        error === null ? resolve(handle) : reject(error),
      );
    });
    prepared.set(text, made);
    // A text that failed to compile is compiled again next time, and close need not meet it.
    made.catch(() => prepared.delete(text));
    return made;
  };
  return {
    dialect: 'sqlite',
    knex,
    async rows(text, values) {
      const handle = await (prepared.get(text) ?? prepare(text));
      return new Promise<readonly Row[]>((resolve, reject) => {
        handle.all<Row>(values.map(bound), (error: Error | null, rows: Row[]) =>
          error === null ? resolve(rows) : reject(error),
        );
      });
    },
    exec: (sql) => run((done) => db.exec(sql, done)),
    async close() {
      for (const handle of await Promise.all(prepared.values())) {
        await run((done) => handle.finalize(() => done(null)));
      }
      await knex.destroy();
      await run((done) => db.close(done));
    },
  };
}

function bound(value: Value): string | number | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function run(start: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error === null ? resolve() : reject(error)));
  });
}
