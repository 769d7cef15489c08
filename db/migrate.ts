import type { Knex } from 'knex';
import { makeSqlObjects } from './batch/writeObject.ts';
import type { Dialect, Link } from './connection.ts';
import { sqlObjects } from './batch/tables.ts';
import { migrations } from './migrations/index.ts';
import type { DialectTypes, Migration } from './migration.ts';

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
    await refuseOtherTables(trx);
    await upTo(migrations, trx, dialect);
    await makeSqlObjects(trx, dialect, sqlObjects);
  });
}

async function refuseOtherTables(trx: Knex.Transaction): Promise<void> {
  if (!(await trx.schema.hasTable('knex_migrations'))) return;
  const rows = await trx<{ name: string }>('knex_migrations').select('name').orderBy('id');
  const origin = originOf(rows.map(({ name }) => name));
  if (origin !== 'this') throw new Error(`the tables are those of a version that is ${origin}`);
}

/**
 * The version that made tables: this one or an earlier one, a `newer` one, which has all migrations
 * of this one and more, or an `unreleased` one, which has others.
 */
export type Origin = 'this' | 'newer' | 'unreleased';

/** The version that made tables with these migrations, which come in the order of their run. */
export function originOf(applied: readonly string[]): Origin {
  const known = migrations.slice(0, applied.length);
  if (!known.every(({ name }, index) => name === applied[index])) return 'unreleased';
  return applied.length > known.length ? 'newer' : 'this';
}

/** Makes the tables as the named migrations left them, in the caller's transaction. */
export function migrateThrough(
  names: readonly string[],
  trx: Knex.Transaction,
  dialect: Dialect,
): Promise<void> {
  const wanted = migrations.filter(({ name }) => names.includes(name));
  return upTo(wanted, trx, dialect);
}

async function upTo(
  wanted: readonly Migration[],
  trx: Knex.Transaction,
  dialect: Dialect,
): Promise<void> {
  await trx.migrate.latest({
    migrationSource: {
      getMigrations: () => Promise.resolve([...wanted]),
      getMigrationName: ({ name }: Migration) => name,
      getMigration: ({ up }: Migration) =>
        Promise.resolve({ up: (inner: Knex) => up(inner, WORDS[dialect]), down: refuseDown }),
    },
  });
}

function refuseDown(): Promise<void> {
  return Promise.reject(new Error('migrations only add; a step back is a restored backup'));
}
