import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { makeSqlObjects } from './batch/writeObject.ts';
import { sqlObjects } from './batch/tables.ts';
import type { PostgresConnection } from './postgresConnection.ts';
import { appliedTo, recordDone, runMigration, upTo, waitingFor } from './migrate.ts';
import { setOf, type IndexMigration, type Migration, type RowMigration } from './migration.ts';
import type { Lease } from './postgresLeases.ts';
import { checkSchema } from './schemaCheck.ts';

/** "AXHB": the lock of the process that changes the tables. */
const LOCK = 1096304706;
/**
 * Sets the limits of the transaction that holds the lock, and tries to take it. It is sent as plain
 * text: a prepared statement keeps its snapshot to the end of the transaction, and the build of an
 * index would wait for that.
 */
const TRY = `SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
  SELECT pg_try_advisory_xact_lock(${LOCK}) AS is_mine`;
const WAIT = `SELECT pg_advisory_xact_lock(${LOCK})`;

/** A change of a table that waits for a lock holds up all who come after it, so it waits briefly. */
const LOCK_TIMEOUT_MS = 1_000;
const PAUSE_MS = 500;
const TRIES_MAX = 60;
/** Some thousand rows, whose locks are held for a moment. */
const BLOCKS_AT_ONCE = 50;
const BLOCKS = `SELECT pg_relation_size(to_regclass(?)) / current_setting('block_size')::bigint AS n`;
/** How often a long change says how far it is. */
const NOTICE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

export interface MigrateParts {
  /** Holds the lock while `work` changes the tables; two kinds of connections. */
  readonly hold: Lease;
  readonly work: Lease;
  /** Says to the operator why a start takes long. */
  readonly notice: (text: string) => void;
}

/**
 * Brings the tables up to date, one process at a time. A new database gets its tables in one
 * transaction. Later migrations run one by one beside processes that serve, each in a transaction of
 * its own that waits briefly for its locks and tries again; indexes are built outside of one.
 */
export async function migratePostgres(
  { hold, work, notice }: MigrateParts,
  known: readonly Migration[],
): Promise<readonly string[]> {
  return hold(async (holder) => {
    holder.begin('write');
    const tried = await holder.knex.raw<readonly { readonly rows: readonly Tried[] }[]>(TRY);
    if (tried.at(-1)?.rows[0]?.is_mine !== true) {
      notice('another process changes the tables of the database; the start waits for it');
      await holder.knex.raw(WAIT);
    }
    const applied = await work((connection) => apply(connection, known, notice));
    await holder.end('COMMIT');
    return applied;
  });
}

interface Tried {
  readonly is_mine: boolean;
}

async function apply(
  connection: PostgresConnection,
  known: readonly Migration[],
  notice: (text: string) => void,
): Promise<readonly string[]> {
  const { knex } = connection;
  const applied = await appliedTo(knex);
  const waiting = waitingFor(applied, known);
  const isNew = applied.length === 0;
  for (const migration of isNew ? [] : waiting) {
    notice(`the migration ${migration.name} runs`);
    if ('indexes' in migration) await buildIndexes(connection, migration);
    if ('rows' in migration) await changeInPages(knex, migration, notice);
    await recorded(knex, migration, known);
  }
  await knex.transaction(async (trx) => {
    if (isNew) await upTo(known, trx, 'postgres');
    await makeSqlObjects(trx, 'postgres', sqlObjects);
    await checkSchema(trx, 'postgres');
  });
  return waiting.map(({ name }) => name);
}

/** Runs a migration in a transaction, again and again until it gets its locks. */
async function recorded(
  knex: Knex,
  migration: Migration,
  known: readonly Migration[],
): Promise<void> {
  const run = 'up' in migration ? runMigration : recordDone;
  for (let tried = 1; ; tried += 1) {
    try {
      await knex.transaction(async (trx) => {
        await trx.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        await run(migration, known, trx, 'postgres');
      });
      return;
    } catch (error) {
      if (tried === TRIES_MAX || !isLocked(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
}

/** A build that was interrupted leaves an index that is not valid: it is dropped and made again. */
function buildIndexes(
  { knex, patiently }: PostgresConnection,
  { indexes }: IndexMigration,
): Promise<void> {
  return patiently(async () => {
    for (const { name, sql } of indexes) {
      const { rows } = await knex.raw<{ readonly rows: readonly { readonly is_valid: boolean }[] }>(
        'SELECT indisvalid AS is_valid FROM pg_index WHERE indexrelid = to_regclass(?)',
        [name],
      );
      if (rows[0]?.is_valid === true) continue;
      await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await knex.raw(`CREATE ${sql.replace('INDEX', 'INDEX CONCURRENTLY')}`);
    }
  });
}

/**
 * Walks through the blocks of the table, each page committed by itself. Rows that a caller has locked
 * are left out, so neither waits for the other, and are changed at the end.
 */
async function changeInPages(
  knex: Knex,
  migration: RowMigration,
  notice: (text: string) => void,
): Promise<void> {
  const { name } = migration;
  const { table, where } = migration.rows;
  const set = setOf(migration, 'postgres');
  const change = async (here: string): Promise<number> => {
    const { rowCount } = await knex.raw<{ readonly rowCount: number }>(
      `UPDATE ${table} SET ${set} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE ${here} (${where}) FOR UPDATE SKIP LOCKED))`,
    );
    return rowCount;
  };
  const blocks = (await numberOf(knex, BLOCKS, [table])) ?? 0;
  const began = performance.now();
  const seconds = (): string => ((performance.now() - began) / 1_000).toFixed(1);
  let changed = 0;
  let noticedAt = began;
  for (let at = 0; at < blocks; at += BLOCKS_AT_ONCE) {
    changed += await change(`ctid >= '(${at},0)' AND ctid < '(${at + BLOCKS_AT_ONCE},0)' AND`);
    if (performance.now() - noticedAt < NOTICE_MS) continue;
    noticedAt = performance.now();
    const percent = Math.floor((100 * at) / blocks);
    notice(`the migration ${name} is at ${percent} %: ${changed} rows in ${seconds()} s`);
  }
  for (let tried = 1; ; tried += 1) {
    changed += await change('');
    const left = await numberOf(knex, `SELECT 1 AS n FROM ${table} WHERE ${where} LIMIT 1`, []);
    if (left === undefined) break;
    if (tried === 1) notice(`the migration ${name} waits for rows that others have locked`);
    if (tried === TRIES_MAX) throw new Error(`${name}: rows of ${table} stay locked; run it again`);
    await sleep(PAUSE_MS);
  }
  notice(`the migration ${name} changed ${changed} rows in ${seconds()} s`);
}

async function numberOf(
  knex: Knex,
  sql: string,
  values: readonly string[],
): Promise<number | undefined> {
  const { rows } = await knex.raw<{ readonly rows: readonly { readonly n: number }[] }>(sql, [
    ...values,
  ]);
  return rows[0]?.n;
}
