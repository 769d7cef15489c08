import type { BatchLink } from './batch/batch.ts';
import { writeEffects } from './batch/write.ts';
import { STALE } from './batch/writeObject.ts';
import type { PostgresConnection } from './postgresConnection.ts';
import { confirmed } from './uncertainCommit.ts';

/** A batch in one database transaction of two round trips: BEGIN and read, write and COMMIT. */
export function batchLink(connection: PostgresConnection): BatchLink {
  connection.begin('write');
  return {
    dialect: 'postgres',
    knex: connection.knex,
    rows: (text, values) => connection.rows(text, values),
    async write(effects) {
      const written = writeEffects(connection, effects);
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

/** Faults of the rows, not of the server: the batch is undone and its units may run one by one. */
const OF_THE_ROWS: readonly unknown[] = [
  STALE,
  ...['23502', '23503', '23505', '23514', '22003', '22P02'],
  ...['40001', '40P01', '55P03'],
];
export function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OF_THE_ROWS.includes(error.code);
}
