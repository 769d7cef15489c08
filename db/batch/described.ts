import type { Cell } from '../connection.ts';
import type { Column } from './columns.ts';

/** The types of described rows, and what `table` and `lookup` share. */
type AnyColumn = Pick<Column<never, boolean, boolean>, 'type' | 'role' | 'is' | 'toCell'> & {
  readonly fromCell: (cell: unknown, name: string) => unknown;
};
export type Columns = Readonly<Record<string, AnyColumn>>;

export type ValueOf<C> = C extends { readonly fromCell: (cell: unknown, name: string) => infer T }
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

export function cellOf(column: Column<unknown, boolean, boolean>, value: unknown): Cell {
  return value === undefined ? null : column.toCell(value);
}

/** `keyHomes` is the column `key_homes`. */
function snake(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
