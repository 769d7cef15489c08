import { statement, type Dialect, type Statement } from '../connection.ts';
import type { AnyTable } from './table.ts';
import { readOrder } from './tables.ts';
import type { Asked } from './workingSet.ts';

/**
 * The statements by which batches read what their units need, and on PostgreSQL lock it before: a
 * column for each table. Each set of tables has statements of its own, which a connection keeps
 * prepared; because thirty tables make more sets than any memory holds, the sets that come after the
 * first few hundred read all tables, most of them for no key.
 */
export interface Reads {
  /** The tables that the statements of a batch name, in the order in which it locks them. */
  tablesFor(asked: Asked): readonly AnyTable[];
  read(tables: readonly AnyTable[]): Statement;
  lock(tables: readonly AnyTable[]): Statement;
}

const SETS_MAX = 300;

export function openReads(setsMax = SETS_MAX): Reads {
  const sets = new Set<string>();
  const readOf = statementsBy(({ read }, dialect) => read?.[dialect] ?? '');
  const lockOf = statementsBy(({ lock }) => `SELECT count(*) FROM (${lock ?? ''}) AS locked`);
  return {
    tablesFor(asked) {
      const tables = readOrder.filter((table) => asked.has(table));
      if (sets.size >= setsMax && !sets.has(setName(tables))) return readOrder;
      sets.add(setName(tables));
      return tables;
    },
    read: readOf,
    lock: lockOf,
  };
}

function statementsBy(
  column: (table: AnyTable, dialect: Dialect) => string,
): (tables: readonly AnyTable[]) => Statement {
  const made = new Map<string, Statement>();
  return (tables) => {
    const text = (dialect: Dialect): string =>
      `SELECT ${tables.map((each) => `(${column(each, dialect)}) AS ${each.name}`).join(', ')}`;
    const known = made.get(setName(tables)) ?? statement(text('sqlite'), text('postgres'));
    made.set(setName(tables), known);
    return known;
  };
}

function setName(tables: readonly AnyTable[]): string {
  return tables.map(({ name }) => name).join();
}
