import type { Dialect } from '../connection.ts';
import { KEYS, type Parent, type Related, type Table } from './need.ts';
import {
  keyCells,
  keySql,
  keyTexts,
  named,
  rowOf,
  type AskedBy,
  type Columns,
  type KeySql,
  type RowOf,
} from './described.ts';
import { defined } from '../../domain/defined.ts';

/** Describes a read beside the rows of a table: a sum, a count, or whether something exists. */
export interface Lookup<By extends Columns, Found extends Columns> {
  /** The columns of its key, in this order. */
  readonly by: By;
  readonly found: Found;
  /** The SQL of each answer, over the SQL of each key. */
  readonly sql: (key: KeySql<By>, dialect: Dialect) => Readonly<Record<keyof Found, string>>;
  /** Tables that are joined to the keys, with their conditions: `notes n ON n.space = …`. */
  readonly from?: (key: KeySql<By>) => string;
  /** Keys for which there is no answer do not meet this condition. */
  readonly where?: (key: KeySql<By>) => string;
  /** On PostgreSQL, rows that are locked before (`lockOf`). */
  readonly lock?: string;
  /** Tables that are locked before it (`Table.under`). */
  readonly under?: readonly Related[];
  /** The row that every writer of what it reads puts or locks first. */
  readonly parent?: Parent<AskedBy<By>>;
}

/** The row of a key has the key columns as well; undefined when nothing was found. */
export function lookup<By extends Columns, Found extends Columns>(
  name: string,
  { by, found, sql, from, where, lock, under, parent }: Lookup<By, Found>,
): Table<AskedBy<By>, RowOf<By> & RowOf<Found>> {
  const [keys, answers] = [named(by), named(found)];
  const all = [...keys, ...answers];
  const textOf = (dialect: Dialect): string => {
    const keysSql = keyTexts(keys, dialect);
    const key = keySql<By>(keys, keysSql);
    const texts: Readonly<Record<string, string>> = sql(key, dialect);
    const cells = [...keysSql, ...answers.map(({ property }) => texts[property])].join(', ');
    const join = dialect === 'sqlite' ? 'CROSS JOIN' : 'JOIN';
    const joined = from === undefined ? '' : ` ${join} ${from(key)}`;
    const only = where === undefined ? '' : ` WHERE ${where(key)}`;
    return dialect === 'sqlite'
      ? `SELECT json_group_array(json_array(${cells})) FROM json_each(?) k${joined}${only}`
      : `SELECT json_agg(json_build_array(${cells}))::text
          FROM ${KEYS}${joined}${only}`;
  };
  return {
    name,
    isDerived: true,
    read: { sqlite: textOf('sqlite'), postgres: textOf('postgres') },
    ...defined({ lock, under }),
    ...(parent !== undefined && { readsUnder: parent }),
    id: (key) => keyCells(keys, key).join(' '),
    keyCells: (key) => keyCells(keys, key),
    found: (cells) => [
      cells.slice(0, keys.length).join(' '),
      rowOf<RowOf<By> & RowOf<Found>>(name, all, (at) => cells[at]),
    ],
  };
}
