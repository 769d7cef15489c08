import { strict as assert } from 'node:assert';
import type { Dialect, Row } from '../connection.ts';
import { KEYS, lockOf, type AnyTable, type Parent, type Related, type Table } from './need.ts';
import {
  cellsOf,
  keyCells,
  keyTexts,
  named,
  rowOf,
  type Columns,
  type KeyOf,
  type Named,
  type RowOf,
} from './described.ts';
import type { Personal } from './personal.ts';
import { rowGuard, VERSION } from './versions.ts';
import { writeObject, type SqlObject } from './writeObject.ts';

/** Describes rows, reads, inserts, guarded updates and their SQL once (`choices store.tables`). */
export interface Options {
  /** Its name in a batch; the name of the table when absent. */
  readonly as?: string;
  /** How PostgreSQL locks: in the read, before it if other reads depend on the row, or never. */
  readonly lock?: 'read' | 'first' | 'none';
  /** Only rows that meet this condition are found; names the table `t`. */
  readonly where?: string;
  /** Only rows with these texts are found, by property. */
  readonly only?: Readonly<Record<string, string>>;
  /** Columns by which rows are locked; the key when absent. */
  readonly order?: readonly string[];
  /** `append`: never read or changed. `read`: never written. `update`: some columns, no insert. */
  readonly use?: 'append' | 'read' | 'update';
  /** The row that every writer of a row locks first (`ListOf.parent`). */
  readonly parent?: Parent<never>;
  /** Whose rows it has; a second description of a table (`as`) leaves that to the first. */
  readonly personal?: Personal;
  /** Tables that its rows name (`Table.after`). */
  readonly after?: readonly Related[];
  /** Tables that are locked and written before it (`Table.under`). */
  readonly under?: readonly Related[];
  readonly removes?: boolean;
  readonly remembered?: AnyTable['remembered'];
}

export interface DescribedTable<Key, R> extends Table<Key, R> {
  readonly table: string;
  /** The columns of the table, in the order of the description. */
  readonly columns: readonly string[];
  /** The same as the database has to have them (db/schemaCheck.ts). */
  readonly described: readonly DescribedColumn[];
  /** Rows are inserted of these columns. */
  readonly isInserted: boolean;
  /** The row that a query of the columns found. */
  fromRow(row: Row): R;
}

interface DescribedColumn {
  readonly name: string;
  readonly type: 'text' | 'int';
  readonly isOptional: boolean;
  readonly isKey: boolean;
}

export type RowIn<T> = T extends DescribedTable<never, infer R> ? R : never;

export function table<C extends Columns>(
  name: string,
  columns: C,
  options: Options = {},
): DescribedTable<KeyOf<C>, RowOf<C>> {
  const { as = name, use, only, removes = false, remembered } = options;
  const { lock = use === 'append' || use === 'read' ? 'none' : 'read' } = options;
  const all = named(columns);
  const keys = all.filter(({ column }) => column.role === 'key');
  const changing = all.filter(({ column }) => column.role === 'plain' || column.role === 'guard');
  const guards = guardsOf(changing);
  const written = all.filter(({ column }) => column.role !== 'counted');
  const texts = Object.entries(only ?? {});
  const where = [
    ...(options.where === undefined ? [] : [options.where]),
    ...named(columns).flatMap(({ name: of, property }) =>
      texts.flatMap(([each, is]) => (each === property ? [`t.${of} = '${is}'`] : [])),
    ),
  ];
  assert(remembered === undefined || options.where === undefined, `${name} is remembered whole`);
  assert(keys.length > 0, `${name} has a key`);
  const idOf = (cells: readonly unknown[]): string => cells.join(' ');
  const keysAt = keys.map((key) => all.indexOf(key));
  return {
    name: as,
    table: name,
    columns: all.map((each) => each.name),
    described: all.map(({ name: column, column: { type, role, isOptional } }) => ({
      name: column,
      type,
      isOptional,
      isKey: role === 'key',
    })),
    isInserted: use === undefined || use === 'append',
    ...(options.parent !== undefined && { parent: options.parent as Parent<RowOf<C>> }),
    ...(options.personal !== undefined && { personal: options.personal }),
    ...(options.after !== undefined && { after: options.after }),
    ...(options.under !== undefined && { under: options.under }),
    ...(remembered !== undefined && { remembered }),
    ...(only !== undefined && {
      finds: (row: RowOf<C>) => texts.every(([property, is]) => textOf(row, property) === is),
    }),
    fromRow: (row) => rowOf<RowOf<C>>(name, all, (_, column) => row[column.name]),
    ...(use !== 'append' && readsOf(name, as, all, { keys, lock, where, order: options.order })),
    ...(lock === 'first' && { lock: lockOf(name, namesOf(keys), options.order, casts(keys)) }),
    id: (key) => idOf(keyCells(keys, key)),
    keyCells: (key) => keyCells(keys, key),
    found: (cells) => [
      idOf(keysAt.map((at) => cells[at])),
      rowOf<RowOf<C>>(name, all, (at) => cells[at]),
    ],
    ...((use === undefined || use === 'append') && {
      insert: insertOf(as, name, written),
      inserted: (row: RowOf<C>) => cellsOf(written, row),
    }),
    ...((use === undefined || use === 'update') &&
      changing.length > 0 && {
        update: updateOf(as, name, { keys, changing, guards }),
        updated: (row: RowOf<C>, before: RowOf<C>) => [
          ...cellsOf([...keys, ...changing], row),
          ...cellsOf(guards, before),
        ],
      }),
    ...(removes && {
      remove: removeOf(as, name, { keys, guards }),
      removed: (before: RowOf<C>) => cellsOf([...keys, ...guards], before),
    }),
  };
}

/** The columns that an update compares: those that are marked, else all that may change. */
function guardsOf(changing: readonly Named[]): readonly Named[] {
  const marked = changing.filter(({ column }) => column.role === 'guard');
  return marked.length > 0 ? marked : changing;
}

function textOf(row: object, property: string): unknown {
  return (row as Readonly<Record<string, unknown>>)[property];
}

function namesOf(of: readonly Named[]): readonly string[] {
  return of.map(({ name }) => name);
}

function casts(of: readonly Named[]): readonly string[] {
  return of.map(({ column }) => (column.type === 'int' ? '::bigint' : ''));
}

const castOf = ({ type }: { readonly type: 'text' | 'int' }): string =>
  type === 'int' ? ':int' : '';

function insertOf(label: string, name: string, written: readonly Named[]): SqlObject {
  const cells = written.map(({ column }, at) => `$${at}${castOf(column)}`).join(', ');
  return writeObject(label, {
    statement: (rows) =>
      `INSERT INTO ${name} (${namesOf(written).join(', ')}) SELECT ${cells} FROM ${rows}`,
  });
}

interface Changes {
  readonly keys: readonly Named[];
  readonly changing: readonly Named[];
  readonly guards: readonly Named[];
}

function updateOf(label: string, name: string, { keys, changing, guards }: Changes): SqlObject {
  const at = keys.length;
  const sets = changing.map((each, nth) => `${each.name} = $${at + nth}${castOf(each.column)}`);
  const is = [...isCell(name, keys, 0), ...isCell(name, guards, at + changing.length)];
  return writeObject(`${label}_changed`, {
    statement: (rows) =>
      `UPDATE ${name} SET ${sets.join(', ')} FROM ${rows} WHERE ${is.join(' AND ')}`,
  });
}

function removeOf(
  label: string,
  name: string,
  { keys, guards }: Omit<Changes, 'changing'>,
): SqlObject {
  const is = [...isCell(name, keys, 0), ...isCell(name, guards, keys.length)].join(' AND ');
  return writeObject(`${label}_removed`, {
    statement: (rows, dialect) => deletion(name, { rows, is, dialect, keys: namesOf(keys) }),
  });
}

interface Deletion {
  readonly rows: string;
  readonly is: string;
  readonly dialect: Dialect;
  readonly keys: readonly string[];
}

/** Deletes rows by key: a condition alone would make SQLite read the whole table. */
function deletion(table: string, { rows, is, dialect, keys }: Deletion): string {
  if (dialect === 'postgres') return `DELETE FROM ${table} USING ${rows} WHERE ${is}`;
  const cells = keys.map((_, at) => `$${at}`).join(', ');
  return `DELETE FROM ${table} WHERE (${keys.join(', ')}) IN (SELECT ${cells} FROM ${rows})
    AND EXISTS (SELECT 1 FROM ${rows} WHERE ${is})`;
}

function isCell(table: string, of: readonly Named[], from: number): readonly string[] {
  return of.map(({ name, column }, nth) => {
    const is = column.isOptional ? 'IS NOT DISTINCT FROM' : '=';
    return `${table}.${name} ${is} $${from + nth}${castOf(column)}`;
  });
}

interface Reading {
  readonly keys: readonly Named[];
  readonly lock: 'read' | 'first' | 'none';
  readonly where: readonly string[];
  readonly order: readonly string[] | undefined;
}

function readsOf(
  name: string,
  label: string,
  all: readonly Named[],
  { keys, lock, where, order = namesOf(keys) }: Reading,
): Required<Pick<AnyTable, 'read' | 'look' | 'guard'>> {
  const cells = all.map((each) => `t.${each.name}`).join(', ');
  const key = keyTexts(keys, 'postgres');
  const on = (cellAt: (at: number) => string): string =>
    [...keys.map((each, at) => `t.${each.name} = ${cellAt(at)}`), ...where].join(' AND ');
  const joined = `JOIN ${name} AS t ON ${on((at) => key[at] ?? '')}`;
  const inOrder = order.map((column) => `t.${column}`).join(', ');
  const locked = `(SELECT t.* FROM ${KEYS} ${joined} ORDER BY ${inOrder}
    FOR NO KEY UPDATE OF t) AS t`;
  const unlocked = `${KEYS} ${joined}`;
  return {
    read: {
      sqlite: `SELECT json_group_array(json_array(${cells})) FROM json_each(?) k
      CROSS JOIN ${name} t ON ${on((at) => `k.value ->> ${at}`)}`,
      postgres: `SELECT json_agg(json_build_array(${cells}))::text FROM ${
        lock === 'read' ? locked : unlocked
      }`,
    },
    look: `SELECT json_agg(json_build_array(${cells}, ${VERSION}))::text FROM ${unlocked}`,
    guard: rowGuard(label, {
      joined,
      order: lock === 'read' ? inOrder : undefined,
      versionAt: keys.length,
    }),
  };
}

/** A table whose rows are values of another shape than its columns. */
export function shaped<Key, Flat, R>(
  base: DescribedTable<Key, Flat>,
  { of, flat }: { readonly of: (flat: Flat) => R; readonly flat: (row: R) => Flat },
): DescribedTable<Key, R> {
  const { found, finds, inserted, updated, removed, parent, unmade: _, seen: __, ...rest } = base;
  return {
    ...rest,
    fromRow: (row) => of(base.fromRow(row)),
    ...(found && {
      found: (cells: readonly unknown[]) => {
        const [id, row] = found(cells);
        return [id, of(row)] as const;
      },
    }),
    ...(parent && {
      parent: Object.assign((row: R) => parent(flat(row)), { table: parent.table }),
    }),
    ...(finds && { finds: (row: R) => finds(flat(row)) }),
    ...(inserted && { inserted: (row: R) => inserted(flat(row)) }),
    ...(updated && { updated: (row: R, before: R) => updated(flat(row), flat(before)) }),
    ...(removed && { removed: (before: R) => removed(flat(before)) }),
  };
}
