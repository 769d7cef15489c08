import type { Knex } from 'knex';
import { appliedTo, mustUse, upTo } from './migrate.ts';
import type { Migration } from './migration.ts';
import { migrations } from './migrations/index.ts';
import { connect, postgresPool } from './postgresConnection.ts';

/** The effect of a migration that waits on callers of PostgreSQL. */
export interface MigrationCheck {
  readonly name: string;
  /** Tables that it locks against writes; none for indexes, which are built beside them. */
  readonly locks: readonly string[];
  /** Milliseconds for which it locks them; undefined when that is more than a statement may take. */
  readonly ms: number | undefined;
}

/** A check holds the locks of a migration for no longer than this. */
export const CHECK_MS_MAX = 2_000;
const QUERY_CANCELED = '57014';
/** Locks of tables that existed before, in modes that writers wait for. */
const LOCKED = `SELECT DISTINCT c.relname::text AS name
  FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
  WHERE l.pid = pg_backend_pid() AND c.relkind IN ('r', 'p') AND c.relname = ANY (?)
    AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  ORDER BY 1`;
const TABLES = `SELECT relname::text AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')`;

/** Tries each migration that waits on PostgreSQL, in a transaction that is rolled back. */
export async function checkMigrations(
  url: string,
  known: readonly Migration[] = migrations,
): Promise<readonly MigrationCheck[]> {
  const pool = postgresPool(url, 1, () => undefined);
  try {
    const client = await pool.connect();
    try {
      const { knex } = await connect(client);
      if ((await mustUse(knex, known)) === 'later') return [];
      const applied = await appliedTo(knex);
      return await triedAll(knex, known, applied.length);
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

async function triedAll(
  knex: Knex,
  known: readonly Migration[],
  count: number,
): Promise<readonly MigrationCheck[]> {
  const trx = await knex.transaction();
  const checks: MigrationCheck[] = [];
  try {
    await trx.raw(`SET LOCAL lock_timeout = 1000; SET LOCAL statement_timeout = ${CHECK_MS_MAX}`);
    const tables = await namesOf(trx, TABLES, []);
    for (let done = count; done < known.length; done += 1) {
      const migration = known[done];
      if (migration === undefined) break;
      const { name } = migration;
      if ('indexes' in migration) {
        checks.push({ name, locks: [], ms: 0 });
        await upTo(withoutIndexes(known.slice(0, done + 1)), trx, 'postgres');
        continue;
      }
      const began = performance.now();
      try {
        await upTo(withoutIndexes(known.slice(0, done + 1)), trx, 'postgres');
      } catch (error) {
        if (!isCanceled(error)) throw error;
        checks.push({ name, locks: [], ms: undefined });
        break;
      }
      const ms = Math.ceil(performance.now() - began);
      checks.push({ name, locks: await namesOf(trx, LOCKED, [tables]), ms });
    }
    return checks;
  } finally {
    await trx.rollback();
  }
}

const withoutIndexes = (known: readonly Migration[]): readonly Migration[] =>
  known.map((each) => ('indexes' in each ? { ...each, indexes: [] } : each));

function isCanceled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === QUERY_CANCELED;
}

async function namesOf(
  knex: Knex,
  sql: string,
  lists: readonly (readonly string[])[],
): Promise<readonly string[]> {
  const { rows } = await knex.raw<{ readonly rows: readonly { readonly name: string }[] }>(
    sql,
    lists.map((list) => [...list]),
  );
  return rows.map(({ name }) => name);
}
