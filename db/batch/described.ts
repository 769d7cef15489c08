import type { Cell, Dialect } from '../connection.ts';
import type { Column } from './columns.ts';

type AnyColumn = Pick<Column<never, boolean, boolean>, 'type' | 'role' | 'is' | 'toCell'> & {
  readonly fromCell: (cell: unknown, name: string) => unknown;
};
export type Columns = Readonly<Record<string, AnyColumn>>;

type ValueOf<C> = C extends { readonly fromCell: (cell: unknown, name: string) => infer T }
  ? T
  : never;
type Optionals<C extends Columns> = {
  [N in keyof C]: C[N]['is']['optional'] extends true ? N : never;
}[keyof C];
type Keys<C extends Columns> = {
  [N in keyof C]: C[N]['is']['key'] extends true ? N : never;
}[keyof C];
type IsOne<T, U = T> = [T] extends [never]
  ? false
  : T extends unknown
    ? [U] extends [T]
      ? true
      : false
    : never;

/** The value of the only column, or all columns as an object. */
export type AskedBy<C extends Columns> =
  IsOne<keyof C> extends true ? ValueOf<C[keyof C]> : RowOf<C>;

/** A row of the described columns; optional ones are absent where the database has NULL. */
export type RowOf<C extends Columns> = {
  readonly [N in Exclude<keyof C, Optionals<C>>]: ValueOf<C[N]>;
} & { readonly [N in Optionals<C>]?: ValueOf<C[N]> };
/** The value of the only key column, or the key columns as an object. */
export type KeyOf<C extends Columns> =
  IsOne<Keys<C>> extends true ? ValueOf<C[Keys<C>]> : Pick<RowOf<C>, Keys<C> & keyof RowOf<C>>;

export interface Named {
  readonly property: string;
  readonly name: string;
  readonly column: Column<unknown, boolean, boolean>;
}

export function named(columns: Columns): readonly Named[] {
  return Object.entries(columns).map(([property, column]) => ({
    property,
    name: snake(property),
    column: column as unknown as Named['column'],
  }));
}

function cellOf(column: Column<unknown, boolean, boolean>, value: unknown): Cell {
  return value === undefined ? null : column.toCell(value);
}

/** Returns the column of a property, which is `key_homes` for the property "keyHomes". */
function snake(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The row that cells of these columns stand for, each read by its place or its name. */
export function rowOf<Row>(
  table: string,
  columns: readonly Named[],
  cellOf: (at: number, column: Named) => unknown,
): Row {
  const row: Record<string, unknown> = {};
  for (const [at, each] of columns.entries()) {
    const cell = cellOf(at, each);
    if ((cell === null || cell === undefined) && each.column.isOptional) {
      if (each.column.empty === null) row[each.property] = null;
      continue;
    }
    row[each.property] = each.column.fromCell(cell, `${table}.${each.name}`);
  }
  return row as Row;
}

/** Returns the cells of the only key column, or of all of them. */
export function keyCells(keys: readonly Named[], key: unknown): readonly Cell[] {
  return keys.length === 1 ? keys.map(({ column }) => cellOf(column, key)) : cellsOf(keys, key);
}

export function cellsOf(columns: readonly Named[], row: unknown): readonly Cell[] {
  const values: Readonly<Record<string, unknown>> = { ...(row as object) };
  return columns.map(({ property, column }) => cellOf(column, values[property]));
}

/** The SQL of each key column, in a statement over the keys `k`. */
export function keyTexts(keys: readonly Named[], dialect: Dialect): readonly string[] {
  return keys.map(({ column }, at) => {
    const cast = column.type === 'int' && dialect === 'postgres' ? '::bigint' : '';
    return `(k.value ->> ${at})${cast}`;
  });
}

/** The same by the name of its property. */
export type KeySql<By extends Columns> = Readonly<Record<keyof By, string>>;

export function keySql<By extends Columns>(keys: readonly Named[], texts: readonly string[]) {
  return Object.fromEntries(
    keys.map(({ property }, at) => [property, texts[at]]),
  ) as unknown as KeySql<By>;
}
