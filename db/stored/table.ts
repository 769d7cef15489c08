import { strict as assert } from 'node:assert';
import type { Cell } from '../connection.ts';
import { Column, integer } from '../batch/columns.ts';
import {
  cellsOf,
  named,
  type Columns,
  type KeyOf,
  type Named,
  type RowOf,
} from '../batch/described.ts';
import type { Personal } from '../batch/personal.ts';
import { shaped as shape, table as describe, type DescribedTable } from '../batch/table.ts';

/**
 * A table whose rows single statements write (`choices store.tables`). Views and transactions find
 * its rows by their keys; a commit on PostgreSQL compares what it decided on with a second read.
 */
export interface StoredTable<Key, R> extends DescribedTable<Key, R> {
  /** Inserts a row of `cells`; a text such as `ON CONFLICT` may follow. */
  readonly insertion: string;
  cells(row: R): readonly Cell[];
  /** The columns of `cells`; the database or a statement of its own writes the other ones. */
  readonly written: readonly Pick<Named, 'name' | 'column'>[];
  /** Updates what may change to `changes`; further columns and a condition follow. */
  readonly change: string;
  changes(row: R): readonly Cell[];
  /** The same columns behind `DO UPDATE SET`. */
  readonly replacement: string;
}

/** NULL in the database, and null in the row as well. */
class OrNull<T> extends Column<T | null> {}

export function orNull<T>(of: Column<T>): Column<T | null> {
  const toCell = (value: T | null): Cell => (value === null ? null : of.toCell(value));
  return new OrNull<T>({ ...of, isOptional: true, toCell });
}

class Numbered extends Column<number, false, true> {}

/** A key that the database numbers: read and never written. */
export function numbered(): Column<number, false, true> {
  return new Numbered({ ...integer().key() });
}

export function table<C extends Columns>(
  name: string,
  columns: C,
  personal: Personal,
): StoredTable<KeyOf<C>, RowOf<C>> {
  const described = describe(name, columns, { as: `stored_${name}`, use: 'read', personal });
  const { look: _, guard: __, ...rest } = described;
  const found = named(columns);
  const nulls = Object.fromEntries(
    found.flatMap(({ property, column }) => (column instanceof OrNull ? [[property, null]] : [])),
  );
  const all = found.filter(
    ({ column }) => column.role !== 'counted' && !(column instanceof Numbered),
  );
  const changing = all.filter(({ column: { role } }) => role !== 'key' && role !== 'fixed');
  const names = all.map((each) => each.name);
  return {
    ...rest,
    isInserted: true,
    found(cells) {
      const [id, row] = described.found?.(cells) ?? [];
      assert(id !== undefined && row !== undefined, `${name} is read`);
      return [id, { ...nulls, ...row }];
    },
    fromRow: (row) => ({ ...nulls, ...described.fromRow(row) }),
    insertion: `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    cells: (row) => cellsOf(all, row),
    written: all,
    change: `UPDATE ${name} SET ${changing.map((each) => `${each.name} = ?`).join(', ')}`,
    changes: (row) => cellsOf(changing, row),
    replacement: changing.map((each) => `${each.name} = excluded.${each.name}`).join(', '),
  };
}

/** A table whose rows are values of another shape than its columns. */
export function shaped<Key, Flat, R>(
  base: StoredTable<Key, Flat>,
  between: { readonly of: (flat: Flat) => R; readonly flat: (row: R) => Flat },
): StoredTable<Key, R> {
  const { insertion, written, change, replacement } = base;
  return {
    ...shape(base, between),
    insertion,
    written,
    change,
    replacement,
    cells: (row) => base.cells(between.flat(row)),
    changes: (row) => base.changes(between.flat(row)),
  };
}
