import { OTHER_WROTE, UNCHANGED } from './batch/versions.ts';
import { writeEffects } from './batch/write.ts';
import type { BatchLink } from './batch/batch.ts';
import type { SqliteConnection } from './sqliteConnection.ts';

/** Another process has committed since the batch began to read; nothing of the batch counts. */
class OtherProcessWrote extends Error {
  override readonly name = 'OtherProcessWrote';
  readonly code = 'SQLITE_CONSTRAINT';

  constructor() {
    super(OTHER_WROTE);
  }
}

export function isRace(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith(OTHER_WROTE);
}

/** A batch on SQLite, and the number by which its write finds what another process committed. */
export interface SqliteBatchLink extends BatchLink {
  /** The version of all reads so far (`DATA_VERSION`); undefined before the first. */
  version(): number | undefined;
}

/**
 * A batch reads outside of a transaction, so its write is refused if another process has committed
 * since the first read. @param asOf The number when it was read, if that was on another connection.
 */
export function batchLink(writer: SqliteConnection, asOf?: number): SqliteBatchLink {
  writer.forget();
  let version = asOf;
  return {
    dialect: 'sqlite',
    knex: writer.knex,
    async rows(text, values) {
      const rows = await writer.rows(text, values);
      const found = rows[0]?.['data_version'];
      if (typeof found === 'number') version ??= found;
      if (found !== undefined && found !== version) throw new OtherProcessWrote();
      return rows;
    },
    write: (effects) =>
      writeEffects(
        writer,
        version === undefined ? effects : [{ name: UNCHANGED.name, rows: [[version]] }, ...effects],
      ),
    abandon: () => Promise.resolve(),
    version: () => version,
  };
}

/** The same in one transaction that keeps other processes out from its start. */
export async function withinAlone<T>(
  writer: SqliteConnection,
  work: (link: SqliteBatchLink) => Promise<T>,
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
