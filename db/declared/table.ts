import type { Cell, Dialect } from '../connection.ts';

/**
 * What declared units may know and change of one table, written once beside its other queries. A
 * batch reads all tables in one statement and writes all in another, so a table says both as JSON:
 * keys go in and rows come out as arrays of cells.
 */
export interface Table<Key, Row> {
  readonly name: string;
  /** The table whose rows it reads in another way; they are found and put there. */
  readonly of?: Table<Key, Row>;
  /**
   * One scalar subquery with one `?`, a JSON list of key cells; answers the rows that are there as
   * JSON text. On PostgreSQL it locks what the batch will change. Absent where rows are only added.
   */
  readonly read?: Readonly<Record<Dialect, string>>;
  /**
   * On PostgreSQL: rows with one `?` that are locked by a statement before the read, for a table
   * whose read looks at more than the rows themselves. What it reads is then what those have left
   * who held the locks; a read that waits for a lock itself sees other rows as they were before.
   */
  readonly lock?: string;
  /** Names a row within a batch. */
  id(key: Key): string;
  keyCells(key: Key): readonly Cell[];
  found?(cells: readonly unknown[]): readonly [id: string, row: Row];
  /** Cells of a row that was not there, for the effect of the table's name. */
  inserted(row: Row): readonly Cell[] | undefined;
  /** Cells of one that was, for `<name>_changed`: with the state that it was decided on. */
  updated?(row: Row, before: Row): readonly Cell[];
  /** The cells of a key that two units ask for in different ways. */
  joined?(one: readonly Cell[], other: readonly Cell[]): readonly Cell[];
  /** Cells of a row that its reading made and that no unit changed, for `<name>_unmade`. */
  unmade?(row: Row): readonly Cell[] | undefined;
}

export type AnyTable = Table<unknown, unknown>;

/** One thing that has to be known before a unit can decide. */
export interface Need {
  readonly table: AnyTable;
  readonly key: unknown;
}

export function need<Key, Row>(table: Table<Key, Row>, key: Key): Need {
  return { table: table as AnyTable, key };
}

/** Which rows `rowsByText` reads besides, and in which order it locks them. */
export interface Reading {
  readonly where?: string;
  /** The key itself when absent. */
  readonly order?: string;
  /** False for what is read as it is, or has a statement of its own that locks. */
  readonly isLocked?: boolean;
}

/**
 * Reads columns of the rows of a table whose key is one text; PostgreSQL locks them, in one order
 * for all batches.
 */
export function rowsByText(
  table: string,
  key: string,
  columns: readonly string[],
  { where, order = key, isLocked = true }: Reading = {},
): Readonly<Record<Dialect, string>> {
  const cells = columns.map((column) => `t.${column}`).join(', ');
  const only = where === undefined ? '' : `AND ${where}`;
  const joined = `jsonb_array_elements(?::jsonb) AS k (value)
      JOIN ${table} AS t ON t.${key} = k.value ->> 0 ${only}`;
  const locked = `(SELECT * FROM ${table} AS t WHERE ${key} IN (
        SELECT k.value ->> 0 FROM jsonb_array_elements(?::jsonb) AS k (value)) ${only}
      ORDER BY ${order} FOR UPDATE) AS t`;
  return {
    sqlite: `SELECT json_group_array(json_array(${cells})) FROM json_each(?) k
      CROSS JOIN ${table} t ON t.${key} = k.value ->> 0 ${only}`,
    postgres: `SELECT json_agg(json_build_array(${cells}))::text FROM ${isLocked ? locked : joined}`,
  };
}

/** The rows of a table with these key columns, for `lock`, in one order for all batches. */
export function lockOf(table: string, keys: readonly string[], order = keys): string {
  const cells = keys.map((_, at) => `k.value ->> ${at}`).join(', ');
  return `SELECT 1 FROM ${table} WHERE (${keys.join(', ')}) IN (
    SELECT ${cells} FROM jsonb_array_elements(?::jsonb) AS k (value))
    ORDER BY ${order.join(', ')} FOR UPDATE`;
}

/** The cell at a place, of the type that the table's columns have. */
export function textCell(cells: readonly unknown[], at: number): string {
  const value = cells[at];
  if (typeof value !== 'string') throw new Error(`cell ${at} holds ${typeof value}`);
  return value;
}

export function wholeCell(cells: readonly unknown[], at: number): number {
  const value = cells[at];
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new Error(`cell ${at} holds ${typeof value}`);
  return value;
}
