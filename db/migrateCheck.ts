import type { Knex } from 'knex';
import { appliedTo, recordDone, runMigration, waitingFor } from './migrate.ts';
import type { Migration, RowMigration } from './migration.ts';
import { migrations } from './migrations/index.ts';
import { withPostgres } from './postgresLeases.ts';

/** The effect of a migration that waits on callers of PostgreSQL. */
export interface MigrationCheck {
  readonly name: string;
  /** Tables that it and those before it lock against writes; none for indexes. */
  readonly locks: readonly string[];
  /** Rows that it changes in pages beside all writes, or 0. */
  readonly rows: number;
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
export function checkMigrations(
  url: string,
  known: readonly Migration[] = migrations,
): Promise<readonly MigrationCheck[]> {
  return withPostgres(url, async ({ knex }) => {
    const waiting = waitingFor(await appliedTo(knex), known);
    const trx = await knex.transaction();
    try {
      await trx.raw(`SET LOCAL lock_timeout = 1000; SET LOCAL statement_timeout = ${CHECK_MS_MAX}`);
      return await triedAll(trx, known, waiting);
    } finally {
      await trx.rollback();
    }
  });
}

async function triedAll(
  trx: Knex.Transaction,
  known: readonly Migration[],
  waiting: readonly Migration[],
): Promise<readonly MigrationCheck[]> {
  const tables = await namesOf(trx, TABLES, []);
  const checks: MigrationCheck[] = [];
  for (const migration of waiting) {
    const { name } = migration;
    if (!('up' in migration)) {
      const rows = 'rows' in migration ? await waitingRows(trx, migration) : 0;
      await recordDone(migration, known, trx, 'postgres');
      checks.push({ name, locks: [], rows, ms: 0 });
      continue;
    }
    const began = performance.now();
    try {
      await runMigration(migration, known, trx, 'postgres');
    } catch (error) {
      if (!isCanceled(error)) throw error;
      return [...checks, { name, locks: [], rows: 0, ms: undefined }];
    }
    const ms = Math.ceil(performance.now() - began);
    checks.push({ name, locks: await namesOf(trx, LOCKED, [tables]), rows: 0, ms });
  }
  return checks;
}

/** As the planner estimates it, since counting all of them takes as long as the change. */
async function waitingRows(trx: Knex.Transaction, { rows }: RowMigration): Promise<number> {
  const sql = `EXPLAIN (FORMAT JSON) SELECT 1 FROM ${rows.table} WHERE ${rows.where}`;
  interface Plan {
    readonly 'QUERY PLAN': readonly { readonly Plan: { readonly 'Plan Rows': number } }[];
  }
  const plans = await trx.raw<{ readonly rows: readonly Plan[] }>(sql);
  return plans.rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}

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
