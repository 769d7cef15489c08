import type { Knex } from 'knex';
import type { Dialect, Link } from './connection.ts';
import { migrations } from './migrations/index.ts';

/** Words in which one CREATE TABLE text serves both databases. */
export interface DialectTypes {
  readonly dialect: Dialect;
  /** 64-bit integer. */
  readonly int: string;
  /** Text that sorts by its bytes, alike in both. */
  readonly text: string;
  readonly bytes: string;
  /** A primary key that the database counts up. */
  readonly serial: string;
  /** Ends every table. */
  readonly strict: string;
  /** Ends a table that is stored in the order of its own primary key. */
  readonly strictKeyed: string;
}

export interface Migration {
  /** `0001_ledger`: order and identity. A released migration is never edited. */
  readonly name: string;
  up(knex: Knex, words: DialectTypes): Promise<void>;
}

const WORDS: Readonly<Record<Dialect, DialectTypes>> = {
  sqlite: {
    dialect: 'sqlite',
    int: 'INTEGER',
    text: 'TEXT',
    bytes: 'BLOB',
    serial: 'INTEGER PRIMARY KEY',
    strict: 'STRICT',
    strictKeyed: 'STRICT, WITHOUT ROWID',
  },
  postgres: {
    dialect: 'postgres',
    int: 'BIGINT',
    text: 'TEXT COLLATE "C"',
    bytes: 'BYTEA',
    serial: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    strict: '',
    strictKeyed: '',
  },
};

/**
 * Takes the database alone first. On SQLite the write of `application_id` ("AXHB") does that, since
 * a transaction that read before it writes is refused instead of waiting.
 */
const ALONE: Readonly<Record<Dialect, string>> = {
  sqlite: 'PRAGMA application_id = 1096304706',
  postgres: 'SELECT pg_advisory_xact_lock(1096304706)',
};

/** Brings the tables up to date in one transaction: a killed start leaves nothing half done. */
export async function migrate({ dialect, knex }: Link): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw(ALONE[dialect]);
    await trx.migrate.latest({
      migrationSource: {
        getMigrations: () => Promise.resolve([...migrations]),
        getMigrationName: ({ name }: Migration) => name,
        getMigration: ({ up }: Migration) =>
          Promise.resolve({ up: (inner: Knex) => up(inner, WORDS[dialect]), down: refuseDown }),
      },
    });
  });
}

function refuseDown(): Promise<void> {
  return Promise.reject(new Error('migrations only add; a step back is a restored backup'));
}
