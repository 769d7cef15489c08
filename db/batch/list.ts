import type { Dialect } from '../connection.ts';
import { KEYS, type AnyTable, type Parent, type Table } from './need.ts';
import {
  keyCells,
  keySql,
  keyTexts,
  named,
  type AskedBy,
  type Columns,
  type KeySql,
} from './described.ts';
import type { DescribedTable } from './table.ts';

/** Rows of a table that are read together, by columns that are not their key. */
export interface ListOf<By extends Columns> {
  /** The columns of its key, in this order. */
  readonly by: By;
  /** The rows, which are called `t`. */
  readonly where: (key: KeySql<By>) => string;
  readonly order: string;
  /** The row that every writer of these rows locks first, so that none appears unseen. */
  readonly parent: Parent<AskedBy<By>>;
}

/** Rows of a table in an order; they are found and changed as rows of the table. */
export function list<By extends Columns, Key, Row>(
  name: string,
  table: DescribedTable<Key, Row>,
  { by, where, order, parent }: ListOf<By>,
): Table<AskedBy<By>, readonly Row[]> {
  const keys = named(by);
  const columns = table.columns.map((column) => `t.${column}`);
  const { found } = table;
  if (found === undefined) throw new Error(`${table.name} is not read`);
  const textOf = (dialect: Dialect): string => {
    const key = keyTexts(keys, dialect);
    const cells = [...key, ...columns].join(', ');
    const of = `${table.table} t ON ${where(keySql<By>(keys, key))}`;
    return dialect === 'sqlite'
      ? `SELECT json_group_array(json_array(${cells}) ORDER BY ${order})
          FROM json_each(?) k CROSS JOIN ${of}`
      : `SELECT json_agg(json_build_array(${cells}) ORDER BY ${order})::text
          FROM ${KEYS} JOIN ${of}`;
  };
  return {
    name,
    isDerived: true,
    read: { sqlite: textOf('sqlite'), postgres: textOf('postgres') },
    readsUnder: parent,
    id: (key) => keyCells(keys, key).join(' '),
    keyCells: (key) => keyCells(keys, key),
    lists: {
      table: table as AnyTable,
      found(cells) {
        const [id, row] = found(cells.slice(keys.length));
        return { list: cells.slice(0, keys.length).join(' '), id, row };
      },
    },
  };
}
