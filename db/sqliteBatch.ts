import { writeEffects } from './batch/write.ts';
import type { BatchLink } from './batch/batch.ts';
import type { SqliteConnection } from './sqliteConnection.ts';

/** The guards of the write notice another process that wrote between the read and the write. */
export function batchLink(writer: SqliteConnection): BatchLink {
  writer.forget();
  return {
    dialect: 'sqlite',
    knex: writer.knex,
    rows: (text, values) => writer.rows(text, values),
    write: (effects) => writeEffects(writer, effects),
    abandon: () => Promise.resolve(),
  };
}

/** The same in one transaction that keeps other processes out from its start. */
export async function withinAlone<T>(
  writer: SqliteConnection,
  work: (link: BatchLink) => Promise<T>,
): Promise<T> {
  await writer.exec('BEGIN IMMEDIATE');
  try {
    const result = await work({
      ...batchLink(writer),
      abandon: () => writer.exec('ROLLBACK;BEGIN'),
    });
    await writer.exec('COMMIT');
    return result;
  } catch (error) {
    await writer.exec('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** The statement was undone for what it said; the disk and the memory are well. */
const OF_THE_ROWS: readonly unknown[] = ['SQLITE_CONSTRAINT', 'SQLITE_ERROR', 'SQLITE_MISMATCH'];
export function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OF_THE_ROWS.includes(error.code);
}
