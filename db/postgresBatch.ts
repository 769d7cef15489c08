import type { BatchLink } from './batch/batch.ts';
import { writeEffects } from './batch/write.ts';
import { STALE } from './batch/writeObject.ts';
import type { PostgresConnection } from './postgresConnection.ts';
import { PAUSED } from './postgresPause.ts';
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

/** Nothing of the batch counts, and the server is well, so its units may run one by one. */
const UNDONE: readonly unknown[] = [
  STALE,
  PAUSED,
  ...['23502', '23503', '23505', '23514', '22003', '22P02'],
  ...['40001', '40P01', '55P03'],
];
export function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNDONE.includes(error.code);
}
