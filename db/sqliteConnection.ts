import type { Knex } from 'knex';
import sqlite3 from 'sqlite3';
import { pinnedKnex, type Link, type Row, type Value } from './connection.ts';
import { openStatementQueue, type StatementQueue } from './statementQueue.ts';

/**
 * A start waits for another that makes the tables; a running hub says soon that it is busy, since
 * who holds the lock that long is a tool of the operator, and all its callers would wait.
 */
export const BUSY_PRAGMA = 'PRAGMA busy_timeout=1000;';
/**
 * FULL: in WAL mode NORMAL may lose an answered commit (choices store.sqlite). A checkpoint every
 * 16 MiB writes a page once that many payments change. Readers cannot write even by mistake.
 */
const PRAGMAS = 'PRAGMA busy_timeout=5000; PRAGMA foreign_keys=ON;';
const WRITER_PRAGMAS =
  'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536; PRAGMA wal_autocheckpoint=4096;';
/** Pages are read where the system keeps them: a search that jumps about copies none (2 GiB). */
const READER_PRAGMAS =
  'PRAGMA query_only=ON; PRAGMA cache_size=-16384; PRAGMA mmap_size=2147483648;';
const USE_PRAGMAS = { read: READER_PRAGMAS, write: WRITER_PRAGMAS, copy: '' } as const;

export interface SqliteConnection extends Link {
  /** Runs several statements in one round trip, without parameters; forgets the fault. */
  exec(sql: string): Promise<void>;
  /** A new transaction begins: forgets the fault of the last one. */
  forget(): void;
  /** The error of the disk or the memory that a statement met since the last `exec`. */
  fault(): Error | undefined;
  /** Refuses all statements from now on, also of units that still hold it; `exec` still works. */
  retire(): void;
  isRetired(): boolean;
  close(): Promise<void>;
}

/** `copy` reads as a whole and writes elsewhere: `VACUUM INTO` is refused to a mere reader. */
export async function openSqliteConnection(
  path: string,
  use: 'read' | 'write' | 'copy',
): Promise<SqliteConnection> {
  const db = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(path, (error) =>
      error === null ? resolve(opened) : reject(error),
    );
  });
  const connection = connect(db);
  await connection.exec(PRAGMAS + USE_PRAGMAS[use]);
  return connection;
}

function connect(db: sqlite3.Database): SqliteConnection {
  const queue = openStatementQueue();
  const handle = handleOf(db, queue);
  const knex: Knex = pinnedKnex('sqlite3', () => Promise.resolve(handle));
  /** By their texts, since a text that is put together again makes another `Statement`. */
  const prepared = new Map<string, Promise<sqlite3.Statement>>();
  const prepare = (text: string): Promise<sqlite3.Statement> => {
    const made = new Promise<sqlite3.Statement>((resolve, reject) => {
      const opened: sqlite3.Statement = db.prepare(text, (error: Error | null) =>
        error === null ? resolve(opened) : reject(error),
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
    async rows({ sqlite: text }, values) {
      queue.mustRun();
      const ready = await (prepared.get(text) ?? prepare(text));
      return queue.run<readonly Row[]>((done) => ready.all<Row>(values.map(bound), done));
    },
    exec(sql) {
      queue.forget();
      return run((done) => db.exec(sql, done));
    },
    forget: () => queue.forget(),
    fault: () => queue.fault(),
    retire: () => queue.discard(),
    isRetired: () => queue.isDiscarded(),
    async close() {
      queue.discard();
      for (const ready of await Promise.all(prepared.values())) {
        await run((done) => ready.finalize(() => done(null)));
      }
      await knex.destroy();
      await run((done) => db.close(done));
    },
  };
}

/** The callback in the form that Knex expects: it reads the last id and `changes` from `this`. */
type KnexDone = (this: unknown, error: Error | null, rows?: readonly unknown[]) => void;
type Ask = (sql: string, bindings: readonly unknown[], done: KnexDone) => void;

/** The part of a database that Knex uses, so that its statements take turns like all others. */
function handleOf(
  db: sqlite3.Database,
  queue: StatementQueue,
): { readonly run: Ask; readonly all: Ask } {
  const ask =
    (verb: 'run' | 'all'): Ask =>
    (sql, bindings, answer) => {
      const asked = queue.run<readonly [unknown, readonly unknown[] | undefined]>((done) => {
        db[verb](
          sql,
          bindings,
          function answered(this: unknown, error: Error | null, rows?: unknown[]) {
            done(error, [this, rows]);
          },
        );
      });
      asked.then(
        ([context, rows]) => answer.call(context, null, rows),
        (error: unknown) =>
          answer.call(undefined, error instanceof Error ? error : new Error(String(error))),
      );
    };
  return { run: ask('run'), all: ask('all') };
}

function bound(value: Value): string | number | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function run(start: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error === null ? resolve() : reject(error)));
  });
}
