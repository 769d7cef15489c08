import { strict as assert } from 'node:assert';
import type { Cell, Row } from '../connection.ts';
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
import { insertOf, namesOf, removeOf, updateOf } from './rowWrites.ts';
import { defined } from '../../domain/defined.ts';

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
  /**
   * How batches use it; they read, insert and update when absent. `append`: never read or
   * changed. `read`: never written. `update`: some columns, no insert. `single`: read alone, because
   * statements of its own write it (`choices store.transactions`).
   */
  readonly use?: 'append' | 'read' | 'update' | 'single';
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

/** The columns of a table, as the database has to have them (db/schemaCheck.ts). */
export interface Described {
  readonly table: string;
  /** Their names, in the order of the description. */
  readonly columns: readonly string[];
  readonly described: readonly DescribedColumn[];
  /** Rows are inserted of these columns. */
  readonly isInserted: boolean;
}

/** The columns of a table whose rows are read and written by texts of its own. */
export function described(name: string, columns: Columns): Described {
  return { table: name, isInserted: true, ...columnsOf(named(columns)) };
}

function columnsOf(all: readonly Named[]): Pick<Described, 'columns' | 'described'> {
  return {
    columns: all.map((each) => each.name),
    described: all.map(({ name, column: { type, role, isOptional } }) => ({
      name,
      type,
      isOptional,
      isKey: role === 'key' || role === 'numbered',
    })),
  };
}

export interface DescribedTable<Key, R> extends Table<Key, R>, Described {
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
  const { use, only, removes = false, remembered } = options;
  const isSingle = use === 'single';
  const { as = isSingle ? `stored_${name}` : name } = options;
  const isWritten = use === undefined || use === 'update';
  const { lock = isWritten ? 'read' : 'none' } = options;
  const all = named(columns);
  const keys = all.filter(({ column: { role } }) => role === 'key' || role === 'numbered');
  const changing = all.filter(({ column }) => column.role === 'plain' || column.role === 'guard');
  const guards = guardsOf(changing);
  const written = all.filter(({ column: { role } }) => role !== 'counted' && role !== 'numbered');
  const texts = Object.entries(only ?? {});
  const where = [
    ...(options.where === undefined ? [] : [options.where]),
    ...all.flatMap(({ name: of, property }) =>
      only?.[property] === undefined ? [] : [`t.${of} = '${only[property]}'`],
    ),
  ];
  assert(remembered === undefined || options.where === undefined, `${name} is remembered whole`);
  assert(keys.length > 0, `${name} has a key`);
  const reads = (): ReturnType<typeof readsOf> =>
    readsOf(name, as, all, { keys, lock, where, order: options.order });
  const idOf = (cells: readonly unknown[]): string => cells.join(' ');
  const keysAt = keys.map((key) => all.indexOf(key));
  return {
    name: as,
    table: name,
    ...columnsOf(all),
    isInserted: use === undefined || use === 'append' || isSingle,
    ...textsOf<RowOf<C>>(name, written, changing),
    ...(options.parent !== undefined && { parent: options.parent as Parent<RowOf<C>> }),
    ...(options.personal !== undefined && { personal: options.personal }),
    ...(options.after !== undefined && { after: options.after }),
    ...(options.under !== undefined && { under: options.under }),
    ...defined({ remembered }),
    ...(only !== undefined && {
      finds: (row: RowOf<C>) => texts.every(([property, is]) => textOf(row, property) === is),
    }),
    fromRow: (row) => rowOf<RowOf<C>>(name, all, (_, column) => row[column.name]),
    ...(isSingle && { read: reads().read }),
    ...((isWritten || use === 'read') && reads()),
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
    ...(isWritten &&
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

/** The texts for statements of its own. */
function textsOf<R>(name: string, written: readonly Named[], changing: readonly Named[]) {
  const places = written.map(() => '?').join(', ');
  const changed = namesOf(changing);
  return {
    insertion: `INSERT INTO ${name} (${namesOf(written).join(', ')}) VALUES (${places})`,
    cells: (row: R) => cellsOf(written, row),
    written,
    change: `UPDATE ${name} SET ${changed.map((each) => `${each} = ?`).join(', ')}`,
    changes: (row: R) => cellsOf(changing, row),
    replacement: changed.map((each) => `${each} = excluded.${each}`).join(', '),
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

function casts(of: readonly Named[]): readonly string[] {
  return of.map(({ column }) => (column.type === 'int' ? '::bigint' : ''));
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
    cells: (row) => base.cells(flat(row)),
    changes: (row) => base.changes(flat(row)),
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
