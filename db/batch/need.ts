import type { Personal } from './personal.ts';
import type { SqlObject } from './writeObject.ts';
import type { Cell, Dialect } from '../connection.ts';

/** A row as a batch read it and as it is to be written; undefined is no row. */
export interface Slot<Row = unknown> {
  readonly before: Row | undefined;
  now: Row | undefined;
  /** The row under whose lock it was read (`Table.readsUnder`). */
  readonly under?: string | undefined;
  /** The version of the row as it was read without a lock (db/batch/versions.ts). */
  readonly version?: string | undefined;
}

/** Rows of a table that a batch reads and writes. Keys and rows are JSON arrays of cells. */
export interface Table<Key, Row> {
  readonly name: string;
  /** The table whose rows it reads in another way; they are found and put there. */
  readonly of?: AnyTable;
  /**
   * One scalar subquery with one `?`, a JSON list of key cells; returns the found rows as JSON
   * text. On PostgreSQL it locks what the batch will change. Absent where rows are only added.
   */
  readonly read?: Readonly<Record<Dialect, string>>;
  /**
   * On PostgreSQL: a statement with one `?` that locks rows before a read which looks at more than
   * these rows. The read then sees what the previous lock holders left; a read that waits for a
   * lock itself sees other rows as they were before.
   */
  readonly lock?: string;
  /** On PostgreSQL: the same as `read` for a batch that locks nothing; `read` when absent. */
  readonly look?: string;
  /** Compares rows with what `look` read, by their versions (db/batch/guards.ts). */
  readonly guard?: SqlObject;
  /** The version that `guard` compares; that of the row when absent. */
  seen?(slot: Slot<Row>): string | undefined;
  /**
   * A process remembers its rows, and which are missing, for the next batch; or it takes each key
   * for new until the commit says otherwise (db/batch/memory.ts).
   */
  readonly remembered?: 'rows' | 'new keys';
  /** Whether `read` finds a row that is remembered; it finds all when absent. */
  finds?(row: Row): boolean;
  /** Names a row within a batch. */
  id(key: Key): string;
  keyCells(key: Key): readonly Cell[];
  found?(cells: readonly unknown[]): readonly [id: string, row: Row];
  /** The row that every writer of a row locks first; a list of such rows is read under its lock. */
  readonly parent?: Parent<Row>;
  /** The row under whose lock it is read; what an earlier transaction of the batch wrote is not seen. */
  readonly readsUnder?: Parent<Key>;
  /** Whose rows it has; absent where it is another way to read or write a table. */
  readonly personal?: Personal;
  /** Tables that its rows name: they are written before it, and locked after it. */
  readonly after?: readonly Related[];
  /** Tables whose rows are both locked and written before its own, beside those of its parents. */
  readonly under?: readonly Related[];
  /** Rows of another table that it finds together. */
  readonly lists?: {
    readonly table: AnyTable;
    found(cells: readonly unknown[]): {
      readonly list: string;
      readonly id: string;
      readonly row: unknown;
    };
  };
  /** Its rows follow from those of other tables; what is put is for the batch alone. */
  readonly isDerived?: boolean;
  /** Inserts rows of the cells that `inserted` returns; undefined to write nothing. */
  readonly insert?: SqlObject;
  inserted?(row: Row): readonly Cell[] | undefined;
  /** Updates rows that were found; the cells hold the state that it was decided on. */
  readonly update?: SqlObject;
  updated?(row: Row, before: Row): readonly Cell[];
  readonly remove?: SqlObject;
  removed?(before: Row): readonly Cell[];
  /** The cells of a key that two units ask for in different ways. */
  joined?(one: readonly Cell[], other: readonly Cell[]): readonly Cell[];
  /** Deletes rows that the reading made and that no unit changed. */
  readonly unmake?: SqlObject;
  unmade?(row: Row): readonly Cell[] | undefined;
  /** Other objects that its texts call. */
  readonly calls?: readonly SqlObject[];
}

export type AnyTable = Table<unknown, unknown>;

/** A table as those beside it name it, whatever its rows are. */
export type Related = Pick<AnyTable, 'name'>;

/** Finds the row of a table that is locked before a row, or before what is read by a key. */
export type Parent<Of> = { of(row: Of): Need }['of'] & { readonly table: AnyTable };

export function parentIn<Of, Key, Row>(table: Table<Key, Row>, key: (of: Of) => Key): Parent<Of> {
  return Object.assign((of: Of) => need(table, key(of)), { table: table as AnyTable });
}

/** The version of a row that the commit compares; undefined where it has to be missing. */
export function versionSeen(table: AnyTable, slot: Slot): string | undefined {
  return table.seen === undefined ? slot.version : table.seen(slot);
}

/** @throws When a table is not among those that a batch reads, or writes: its rows would be lost. */
export function mustBeListed(
  used: Iterable<AnyTable>,
  listed: readonly AnyTable[],
  how: 'read' | 'written',
): void {
  for (const table of used) {
    if (!listed.includes(table)) throw new Error(`${table.name} is not among the tables ${how}`);
  }
}

/** One thing that has to be known before a unit can decide. */
export interface Need {
  readonly table: AnyTable;
  readonly key: unknown;
  /** No row has the key, because the caller has just made it; the commit says otherwise. */
  readonly isNew?: boolean;
  /** The answer shows it and no decision rests on it, so the commit does not compare it. */
  readonly isShown?: boolean;
}

export function need<Key, Row>(table: Table<Key, Row>, key: Key): Need {
  return { table: table as AnyTable, key };
}

/** The same of a row that is to be inserted under an id that was made for it. */
export function needNew<Key, Row>(table: Table<Key, Row>, key: Key): Need {
  return { ...need(table, key), isNew: true };
}

/** The same of what an answer shows as it stood when the batch was read. */
export function needShown<Key, Row>(table: Table<Key, Row>, key: Key): Need {
  return { ...need(table, key), isShown: true };
}

/** The keys of a statement on PostgreSQL: an array, for which the planner expects ten rows. */
export const KEYS = 'unnest(?::jsonb[]) AS k (value)';

/** The rows of a table with these key columns, for `lock`, in one order for all batches. */
export function lockOf(
  table: string,
  keys: readonly string[],
  order: readonly string[] = keys,
  casts: readonly string[] = [],
): string {
  const is = keys.map((key, at) => `t.${key} = (k.value ->> ${at})${casts[at] ?? ''}`);
  return `SELECT 1 FROM ${KEYS}
    JOIN ${table} AS t ON ${is.join(' AND ')}
    ORDER BY ${order.map((column) => `t.${column}`).join(', ')} FOR NO KEY UPDATE OF t`;
}

/** Orders transactions of an account on PostgreSQL where a count limits what it may have. */
export const LOCK_KEYS = lockOf('keys', ['account'], ['account', 'key_id']);

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
