import type { BatchLink } from './batch/batch.ts';
import { openCalm } from './batch/calm.ts';
import type { FreeLink, FreeWay } from './batch/free.ts';
import { openFlights } from './batch/flights.ts';
import { openRowMemory } from './batch/memory.ts';
import { commitEffects, writeEffects } from './batch/write.ts';
import { STALE } from './batch/writeObject.ts';
import type { PostgresConnection } from './postgresConnection.ts';
import type { Lease } from './postgresLeases.ts';
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

/** The share of batches that may lose, and those that are run with locks once more do. */
const LOST_SHARE_MAX = 0.2;
const LOCKED_BATCHES = 64;

export function freeWay(lease: Lease): FreeWay {
  let isOpen = true;
  const calm = openCalm(LOST_SHARE_MAX, LOCKED_BATCHES);
  return {
    within: (work) =>
      lease((connection) => {
        isOpen = !connection.isPooled;
        return isOpen ? work(freeLink(connection)) : Promise.resolve(undefined);
      }),
    memory: openRowMemory(),
    flights: openFlights(),
    calm: { ...calm, is: () => isOpen && calm.is() },
  };
}

function freeLink(connection: PostgresConnection): FreeLink {
  return {
    dialect: 'postgres',
    knex: connection.knex,
    rows: (text, values) => connection.rows(text, values),
    commit: (effects) => confirmed(commitEffects(connection, effects)),
  };
}

/** Nothing of the batch counts, and the server is well, so its units may run one by one. */
const UNDONE: readonly unknown[] = [
  STALE,
  PAUSED,
  '23502',
  '23503',
  '23505',
  '23514',
  '22003',
  '22P02',
  '40001',
  '40P01',
  '55P03',
];
export function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNDONE.includes(error.code);
}
