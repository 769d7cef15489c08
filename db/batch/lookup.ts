import type { Cell, Dialect } from '../connection.ts';
import type { Need, Table } from '../declared/table.ts';
import type { Column } from './columns.ts';
import { cellOf, named, type AskedBy, type Columns, type Named, type RowOf } from './described.ts';

/**
 * Describes what a batch asks the database for beside the rows of a table: a sum, a count, or
 * whether something exists. It is read for each key and never written.
 */
export interface Lookup<By extends Columns, Found extends Columns> {
  /** What it is asked by, in this order. */
  readonly by: By;
  /** What it answers. */
  readonly found: Found;
  /** The SQL of each answer, over the SQL of each key. */
  readonly sql: (key: Readonly<Record<keyof By, string>>) => Readonly<Record<keyof Found, string>>;
  /** Tables that are joined to the keys, with their conditions: `notes n ON n.space = …`. */
  readonly from?: (key: Readonly<Record<keyof By, string>>) => string;
  /** Keys for which there is no answer do not meet this condition. */
  readonly where?: (key: Readonly<Record<keyof By, string>>) => string;
  /** On PostgreSQL, rows that are locked before (`lockOf`). */
  readonly lock?: string;
  /** The row that every writer of what it reads puts or locks first. */
  readonly parent?: (key: AskedBy<By>) => Need;
}

/** The row of a key has the key columns as well; undefined when nothing was found. */
export function lookup<By extends Columns, Found extends Columns>(
  name: string,
  { by, found, sql, from, where, lock, parent }: Lookup<By, Found>,
): Table<AskedBy<By>, RowOf<By> & RowOf<Found>> {
  const [keys, answers] = [named(by), named(found)];
  const all = [...keys, ...answers];
  const textOf = (dialect: Dialect): string => {
    const key = keyTexts<By>(keys, dialect);
    const texts: Readonly<Record<string, string>> = sql(key);
    const cells = [
      ...keys.map(({ property }) => (key as Readonly<Record<string, string>>)[property]),
      ...answers.map(({ property }) => texts[property]),
    ].join(', ');
    const joined = from === undefined ? '' : ` JOIN ${from(key)}`;
    const only = where === undefined ? '' : ` WHERE ${where(key)}`;
    return dialect === 'sqlite'
      ? `SELECT json_group_array(json_array(${cells})) FROM json_each(?) k${joined.replace(
          ' JOIN ',
          ' CROSS JOIN ',
        )}${only}`
      : `SELECT json_agg(json_build_array(${cells}))::text
          FROM jsonb_array_elements(?::jsonb) AS k (value)${joined}${only}`;
  };
  const keyCells = (key: AskedBy<By>) => askedCells(keys, key);
  return {
    name,
    isDerived: true,
    read: { sqlite: textOf('sqlite'), postgres: textOf('postgres') },
    ...(lock !== undefined && { lock }),
    ...(parent !== undefined && { readsUnder: parent }),
    id: (key) => keyCells(key).join(' '),
    keyCells,
    found(cells) {
      const row: Record<string, unknown> = {};
      for (const [at, { property, column }] of all.entries()) {
        const cell = cells[at];
        if (cell === null && column.isOptional) continue;
        row[property] = column.fromCell(cell, `${name}.${property}`);
      }
      return [cells.slice(0, keys.length).join(' '), row as RowOf<By> & RowOf<Found>];
    },
  };
}

/** The cells of the only key column, or of all of them. */
export function askedCells(keys: readonly Named[], key: unknown): readonly Cell[] {
  const values =
    keys.length === 1 ? undefined : ({ ...(key as object) } as Readonly<Record<string, unknown>>);
  return keys.map(({ property, column }) => cellOf(column, values ? values[property] : key));
}

/** The SQL of each key column, in a statement over the keys `k`. */
export function keyTexts<By extends Columns>(
  keys: readonly Named[],
  dialect: Dialect,
): Readonly<Record<keyof By, string>> {
  const cast = ({ type }: Column<unknown, boolean, boolean>): string =>
    type === 'int' && dialect === 'postgres' ? '::bigint' : '';
  return Object.fromEntries(
    keys.map(({ property, column }, at) => [property, `(k.value ->> ${at})${cast(column)}`]),
  ) as Readonly<Record<keyof By, string>>;
}
