import { textOf } from '../columns.ts';
import type { Dialect } from '../connection.ts';
import { column, type Column } from './columns.ts';
import { cellsOf, named, rowOf, type Columns, type RowOf } from './described.ts';
import { rowsAsJson } from './jsonSql.ts';

/** A list of rows in one cell of a lookup, so that a statement finds several lists beside rows. */
export interface Rows<C extends Columns> {
  column(): Column<readonly RowOf<C>[]>;
  /** The SQL of the cell, over a query that returns the columns by their names. */
  sql(query: string, dialect: Dialect): string;
}

export function rows<C extends Columns>(columns: C): Rows<C> {
  const all = named(columns);
  const fromCell = (cell: unknown, name: string): readonly RowOf<C>[] =>
    (JSON.parse(textOf(cell, name)) as readonly (readonly unknown[])[]).map((cells) =>
      rowOf<RowOf<C>>(name, all, (at) => cells[at]),
    );
  const toCell = (list: readonly RowOf<C>[]): string =>
    JSON.stringify(list.map((row) => cellsOf(all, row)));
  const names = all.map(({ name }) => name).join(', ');
  return {
    column: () => column('text', toCell, fromCell),
    sql: (query, dialect) => rowsAsJson(names, query, dialect),
  };
}
