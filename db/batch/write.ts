import { strict as assert } from 'node:assert';
import {
  linkOf,
  statement,
  UNNAMED,
  type Cell,
  type Link,
  type Statement,
  type Value,
  type Writer,
} from '../connection.ts';
import { listsOf } from './jsonSql.ts';
import type { Table } from './need.ts';
import { STALE } from './writeObject.ts';

/** Rows for one SQL object that writes. */
export interface Effect {
  /** The name of the object. */
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
}

/** Writes all effects in one statement, in order. */
export async function writeEffects(link: Link, effects: readonly Effect[]): Promise<void> {
  if (link.dialect === 'sqlite') {
    const values = effects.flatMap(({ name, rows }) => [name, listsOf('sqlite', rows)]);
    await link.rows(insertOf(effects.length), values);
  } else {
    await link.rows(callsOf(effects), cellsOf(effects));
  }
}

/**
 * The same on PostgreSQL outside of a transaction, so that the statement commits by itself.
 * @returns The version of the rows that it wrote (db/batch/versions.ts).
 */
export async function commitEffects(
  link: Link,
  effects: readonly Effect[],
): Promise<string | undefined> {
  const [row] = await link.rows(callsOf(effects, VERSION_WRITTEN), cellsOf(effects));
  const version = row?.['version'];
  return typeof version === 'string' ? version : undefined;
}
const VERSION_WRITTEN = ', pg_current_xact_id_if_assigned()::xid::text AS version';

function cellsOf(effects: readonly Effect[]): readonly Value[] {
  return effects.map(({ rows }) => listsOf('postgres', rows));
}

/** The triggers of the view spread the rows over the tables; a broken guard undoes all of it. */
const inserts: Statement[] = [];
function insertOf(count: number): Statement {
  const rows = Array.from({ length: count }, () => '(?, ?)').join(', ');
  return (inserts[count] ??= statement(`INSERT INTO effects (name, cells) VALUES ${rows}`));
}

/** Kinds of batches whose statements stay prepared; the others are parsed each time. */
const KINDS_MAX = 500;

/** By the names of the objects. */
const calls = new Map<string, Statement>();
function callsOf(effects: readonly Effect[], more = ''): Statement {
  const kind = effects.map(({ name }) => name).join() + more;
  const known = calls.get(kind);
  if (known !== undefined) return known;
  const each = effects.map(({ name }) => `${name}(?::jsonb[])`);
  const made = statement('', `SELECT ${each.join(', ')}${more}`);
  if (calls.size >= KINDS_MAX) return { ...made, name: UNNAMED };
  calls.set(kind, made);
  return made;
}

/** Inserts a row of a described table inside a transaction that is written statement by statement. */
export async function insertRow<Row>(
  tx: Writer,
  { insert, inserted }: Table<unknown, Row>,
  row: Row,
): Promise<void> {
  const cells = inserted?.(row);
  assert(insert !== undefined && cells !== undefined, 'the table takes new rows');
  await writeInside(linkOf(tx), [{ name: insert.name, rows: [cells] }]);
}

export async function updateRow<Row>(
  tx: Writer,
  { update, updated }: Table<unknown, Row>,
  row: Row,
  before: Row,
): Promise<void> {
  const cells = updated?.(row, before);
  assert(update !== undefined && cells !== undefined, 'the rows of the table change');
  await writeInside(linkOf(tx), [{ name: update.name, rows: [cells] }]);
}

/** A row changed after this transaction read it; nothing is committed, and it can run again. */
export class RowsChanged extends Error {
  override readonly name = 'RowsChanged';
}

/** Writes in an open transaction. @throws RowsChanged on PostgreSQL: new rows have no lock. */
export async function writeInside(link: Link, effects: readonly Effect[]): Promise<void> {
  try {
    await writeEffects(link, effects);
  } catch (error) {
    if (!isStale(error)) throw error;
    throw new RowsChanged('rows changed between the read and the write', { cause: error });
  }
}

/** Returns whether a read row was updated, or a missing one was inserted (unique_violation). */
function isStale(error: unknown): boolean {
  return error instanceof Error && 'code' in error && STALE_CODES.includes(error.code);
}
const STALE_CODES: readonly unknown[] = [STALE, '23505'];
