import { statement, type Statement } from '../connection.ts';
import type { DescribedTable } from '../batch/table.ts';

/** Many rows in one statement, as JSON of texts, whole numbers, flags (0 or 1) and nulls. */
export type BulkRow = Readonly<Record<string, string | number | null>>;

interface Clash {
  /** Columns of the primary key; absent means that a row is always new. */
  readonly key?: readonly string[];
  /** Assignments of a row that is there already; without them the row stays as it is. */
  readonly update?: readonly string[];
}

/** The statement that inserts or updates the rows of its one parameter. */
export function bulkInsert(
  { table, written }: Written & { readonly table: string },
  { key, update }: Clash = {},
): Statement {
  const names = namesOf({ written });
  const list = names.join(', ');
  const picked = names.map((name) => `json_extract(value, '$.${name}')`).join(', ');
  const clash =
    key === undefined
      ? ''
      : update === undefined || update.length === 0
        ? `ON CONFLICT (${key.join(', ')}) DO NOTHING`
        : `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${update.join(', ')}`;
  return statement(
    // SQLite would read ON as the beginning of a join, were it not for WHERE.
    `INSERT INTO ${table} (${list}) SELECT ${picked} FROM json_each(?) WHERE true ${clash}`,
    `INSERT INTO ${table} (${list}) SELECT ${list}
      FROM jsonb_to_recordset(?::jsonb) AS given (${typed({ written }).join(', ')}) ${clash}`,
  );
}

type Written = Pick<DescribedTable<never, never>, 'written'>;

/** The columns as PostgreSQL takes them out of JSON. */
export function typed({ written }: Written): readonly string[] {
  return written.map(({ name, column }) => `${name} ${column.type === 'int' ? 'bigint' : 'text'}`);
}

export function namesOf({ written }: Written): readonly string[] {
  return written.map(({ name }) => name);
}

/** Rows of a table as JSON for `bulkInsert`. */
export function bulkRows<Row>(
  { written, cells }: Pick<DescribedTable<never, Row>, 'written' | 'cells'>,
  rows: readonly Row[],
): string {
  return bulkJson(
    rows.map((row) => {
      const values = cells(row);
      return Object.fromEntries(written.map(({ name }, at) => [name, values[at] ?? null]));
    }),
  );
}

/**
 * Returns rows as JSON. PostgreSQL takes neither U+0000 nor half of a character. Stored texts have
 * neither, but a slip must not lose a whole probe.
 */
export function bulkJson(rows: readonly BulkRow[]): string {
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' && UNFIT.test(value) ? value.replace(UNFITS, '\ufffd') : value,
  );
}

const UNFIT = /\u0000|\p{Surrogate}/u;
const UNFITS = new RegExp(UNFIT, 'gu');

export function replaced(names: readonly string[]): readonly string[] {
  return names.map((name) => `${name} = excluded.${name}`);
}
