import type { Knex } from 'knex';
import { makeSqlObjects } from './batch/writeObject.ts';
import type { Dialect, Link } from './connection.ts';
import { sqlObjects } from './batch/tables.ts';
import { migrations } from './migrations/index.ts';
import { checkSchema } from './schemaCheck.ts';
import {
  isContract,
  setOf,
  type DialectTypes,
  type Migration,
  type RowMigration,
} from './migration.ts';

/** The words of each database in the texts of migrations. */
export const WORDS: Readonly<Record<Dialect, DialectTypes>> = {
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
 * Takes the write lock first, by a write of `application_id` ("AXHB"): SQLite refuses a transaction
 * that reads before it writes, and does not let it wait.
 */
const ALONE_ON_SQLITE = 'PRAGMA application_id = 1096304706';

/** Brings the tables up to date in one transaction: a killed start leaves nothing half done. */
export async function migrateSqlite({ knex }: Link): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw(ALONE_ON_SQLITE);
    if (waitingFor(await appliedTo(trx)).length > 0) await upTo(migrations, trx, 'sqlite');
    await makeSqlObjects(trx, 'sqlite', sqlObjects);
    await checkSchema(trx, 'sqlite');
  });
}

/** The names of the migrations that a database has had, in the order of their run. */
export async function appliedTo(knex: Knex): Promise<readonly string[]> {
  if (!(await knex.schema.hasTable('knex_migrations'))) return [];
  const rows = await knex<{ name: string }>('knex_migrations').select('name').orderBy('id');
  return rows.map(({ name }) => name);
}

/** Returns the missing migrations. @throws Error when this version cannot run on the tables. */
export function waitingFor(
  applied: readonly string[],
  known: readonly Migration[] = migrations,
): readonly Migration[] {
  const origin = originOf(applied, known);
  if (origin === 'this' || origin === 'later') return known.slice(applied.length);
  throw new Error(`the tables are those of a version that is ${origin}`);
}

/**
 * Who made the tables: this version or an earlier; a `later` one that only added, so this one runs
 * beside it; a `newer` one that changed what this one uses; `unreleased` has other migrations.
 */
export type Origin = 'this' | 'later' | 'newer' | 'unreleased';

/** The version that made tables with these migrations, which come in the order of their run. */
export function originOf(applied: readonly string[], known = migrations): Origin {
  const common = known.slice(0, applied.length);
  if (!common.every(({ name }, index) => name === applied[index])) return 'unreleased';
  const more = applied.slice(common.length);
  if (more.length === 0) return 'this';
  return more.some(isContract) ? 'newer' : 'later';
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

export async function upTo(
  wanted: readonly Migration[],
  trx: Knex.Transaction,
  dialect: Dialect,
): Promise<void> {
  await trx.migrate.latest({ migrationSource: sourceOf(wanted, dialect) });
}

function sourceOf(known: readonly Migration[], dialect: Dialect): Knex.MigrationSource<Migration> {
  const up = async (migration: Migration, knex: Knex): Promise<void> => {
    if ('up' in migration) await migration.up(knex, WORDS[dialect]);
    else if ('rows' in migration) await changeRows(knex, migration, dialect);
    else for (const { sql } of migration.indexes) await knex.raw(`CREATE ${sql}`);
  };
  return {
    getMigrations: () => Promise.resolve([...known]),
    getMigrationName: ({ name }) => name,
    getMigration: (migration) =>
      Promise.resolve({ up: (knex: Knex) => up(migration, knex), down: refuseDown }),
  };
}

/** All rows that wait, in the caller's transaction. */
async function changeRows(knex: Knex, change: RowMigration, dialect: Dialect): Promise<void> {
  const { table, where } = change.rows;
  await knex.raw(`UPDATE ${table} SET ${setOf(change, dialect)} WHERE ${where}`);
}

export function runMigration(
  migration: Migration,
  known: readonly Migration[],
  trx: Knex.Transaction,
  dialect: Dialect,
): Promise<void> {
  return trx.migrate.up({ name: migration.name, migrationSource: sourceOf(known, dialect) });
}

/** Notes, in the caller's transaction, that the indexes are built or the rows are changed. */
export function recordDone(
  migration: Migration,
  known: readonly Migration[],
  trx: Knex.Transaction,
  dialect: Dialect,
): Promise<void> {
  const built: Migration = { name: migration.name, indexes: [] };
  const source = known.map((each) => (each === migration ? built : each));
  return runMigration(built, source, trx, dialect);
}

function refuseDown(): Promise<void> {
  return Promise.reject(new Error('migrations only add; a step back is a restored backup'));
}
