import { statement, type Link, type Statement } from './connection.ts';
import type { BatchLink } from './declared/batch.ts';
import type { Effect } from './declared/workingSet.ts';
import type { SqliteConnection } from './sqliteConnection.ts';

/**
 * Declared units on the one writer. Its read and its write are statements of their own: nobody else
 * writes between them but another process, which the guards of the write would notice.
 */
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

export async function writeEffects(link: Link, effects: readonly Effect[]): Promise<void> {
  const values = effects.flatMap(({ name, rows }) => [name, JSON.stringify(rows)]);
  await link.rows(writing(effects.length), values);
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

/**
 * One statement that is the transaction: what it is given is spread over the tables by the triggers
 * of the view, and a broken guard undoes all of it. Prepared once for each count.
 */
const prepared: Statement[] = [];
function writing(count: number): Statement {
  const rows = Array.from({ length: count }, () => '(?, ?)').join(', ');
  return (prepared[count] ??= statement(`INSERT INTO effects (name, cells) VALUES ${rows}`));
}

/** The statement was undone for what it said; the disk and the memory are well. */
const OF_THE_ROWS: readonly unknown[] = ['SQLITE_CONSTRAINT', 'SQLITE_ERROR', 'SQLITE_MISMATCH'];
export function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OF_THE_ROWS.includes(error.code);
}
