import { statement, type Link, type Statement } from './connection.ts';
import type { BatchLink } from './declared/batch.ts';
import type { Effect } from './declared/workingSet.ts';
import { STALE } from './effect.ts';
import type { PostgresConnection } from './postgresConnection.ts';
import { confirmed } from './uncertainCommit.ts';

export const CHANNEL = 'hub_ring';

/** Declared units in one transaction of two round trips: BEGIN and read, write and COMMIT. */
export function batchLink(connection: PostgresConnection): BatchLink {
  connection.begin('BEGIN');
  return {
    dialect: 'postgres',
    knex: connection.knex,
    rows: (text, values) => connection.rows(text, values),
    async write(effects, topics) {
      const written = writeEffects(connection, effects, topics);
      written.catch(() => undefined);
      // Sent without waiting for the write: after a failed statement COMMIT answers ROLLBACK.
      const command = await confirmed(connection.end('COMMIT'));
      await written;
      if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
    },
    async abandon() {
      await connection.end('ROLLBACK');
    },
  };
}

export async function writeEffects(
  link: Link,
  effects: readonly Effect[],
  topics: readonly string[] = [],
): Promise<void> {
  const values = effects.map(({ rows }) => JSON.stringify(rows));
  await link.rows(writing(effects), [...values, [...new Set(topics)]]);
}

/** Texts by their effects; as many as there are kinds of batches. */
const prepared = new Map<string, Statement>();
function writing(effects: readonly Effect[]): Statement {
  const shape = effects.map(({ name }) => name).join();
  const calls = effects.map(({ name }) => `effect_${name}(?::jsonb)`);
  const notified = `(SELECT count(pg_notify('${CHANNEL}', topic)) FROM unnest(?::text[]) AS topic)`;
  const known = prepared.get(shape) ?? statement('', `SELECT ${[...calls, notified].join(', ')}`);
  prepared.set(shape, known);
  return known;
}

/**
 * Returns whether rows changed between a transaction's read and its write: one that it found was
 * updated, or one that it did not find was inserted (unique_violation).
 */
export function isStale(error: unknown): boolean {
  return error instanceof Error && 'code' in error && STALE_CODES.includes(error.code);
}
const STALE_CODES: readonly unknown[] = [STALE, '23505'];

/**
 * Stale rows, broken rules of a table, lost races and locks that took too long: the server undid the
 * statement, and the units may be tried one by one.
 */
const OF_THE_ROWS: readonly unknown[] = [
  STALE,
  ...['23502', '23503', '23505', '23514', '22003', '22P02'],
  ...['40001', '40P01', '55P03'],
];
export function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OF_THE_ROWS.includes(error.code);
}
