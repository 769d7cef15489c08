import {
  statement,
  type Dialect,
  type Link,
  type Row,
  type Statement,
  type Value,
} from '../connection.ts';
import { mustBeListed, type AnyTable } from './need.ts';
import { readOrder } from './tables.ts';
import type { Asked } from './asked.ts';
import { listsOf } from './jsonSql.ts';
import { DATA_VERSION } from './versions.ts';

/**
 * A batch reads its needs in one statement, a column for each table. Each set of tables has its own
 * prepared statements; past the first few hundred sets, a statement reads all tables.
 */
interface BatchRead {
  /** In the order in which a batch locks them. */
  readonly tables: readonly AnyTable[];
  readonly read: Statement;
  /** Those that PostgreSQL locks by a statement before the read. */
  readonly locked: readonly AnyTable[];
  readonly lock: Statement;
}

/** The reading for what a batch asks; undefined when it asks nothing. */
export type BatchReads = (asked: Asked) => BatchRead | undefined;

const SETS_MAX = 300;

/** @param isFree Reads without a lock on PostgreSQL, with the versions of the rows. */
export function openReads(setsMax = SETS_MAX, isFree = false): BatchReads {
  const known = new Map<string, BatchRead>();
  let all: BatchRead | undefined;
  return (asked) => {
    const tables = readOrder.filter((table) => asked.has(table));
    mustBeListed(asked.keys(), tables, 'read');
    if (tables.length === 0) return undefined;
    const set = tables.map(({ name }) => name).join();
    const found = known.get(set);
    if (found !== undefined) return found;
    if (known.size >= setsMax) return (all ??= readOf(readOrder, isFree));
    const made = readOf(tables, isFree);
    known.set(set, made);
    return made;
  };
}

function readOf(tables: readonly AnyTable[], isFree: boolean): BatchRead {
  const textOf = ({ read, look }: AnyTable, dialect: Dialect): string =>
    (isFree && dialect === 'postgres' ? look : undefined) ?? read?.[dialect] ?? '';
  const columns = (dialect: Dialect): string =>
    tables.map((table) => `(${textOf(table, dialect)}) AS ${table.name}`).join(', ');
  const locked = isFree ? [] : tables.filter(({ lock }) => lock !== undefined);
  const counts = locked.map(
    ({ name, lock }) => `(SELECT count(*)::int FROM (${lock ?? ''}) AS locked) AS ${name}`,
  );
  return {
    tables,
    read: statement(
      `SELECT ${columns('sqlite')}, ${DATA_VERSION} AS data_version`,
      `SELECT ${columns('postgres')}`,
    ),
    locked,
    lock: statement('', `SELECT ${counts.join(', ')}`),
  };
}

/** The rows that the statements of a batch's read returned, with a column for each table. */
export interface Read {
  /** Undefined when nothing was asked. */
  readonly row: Row | undefined;
  /** How many rows PostgreSQL locked before it read. */
  readonly locked: Row | undefined;
}

const batchReads = openReads();
const freeReads = openReads(SETS_MAX, true);

/** Reads what is asked in one statement, on PostgreSQL after the one that locks, in the same breath. */
export function readAsked(link: Link, asked: Asked, isFree = false): Promise<Read> {
  return readBy(isFree ? freeReads : batchReads, link, asked);
}

export async function readBy(reads: BatchReads, link: Link, asked: Asked): Promise<Read> {
  const how = reads(asked);
  if (how === undefined) return { row: undefined, locked: undefined };
  const valuesOf = (tables: readonly AnyTable[]): readonly Value[] =>
    tables.map((table) => {
      const keys = [...(asked.get(table)?.values() ?? [])];
      return listsOf(
        link.dialect,
        keys.map(({ cells }) => cells),
      );
    });
  const { tables, read, locked, lock } = how;
  const [[counts], [row]] = await Promise.all([
    link.dialect === 'postgres' && locked.length > 0 ? link.rows(lock, valuesOf(locked)) : [],
    link.rows(read, valuesOf(tables)),
  ]);
  return { row, locked: counts };
}
