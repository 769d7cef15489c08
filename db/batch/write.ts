import { strict as assert } from 'node:assert';
import {
  linkOf,
  statement,
  type Cell,
  type Link,
  type Statement,
  type Writer,
} from '../connection.ts';
import { listsOf } from './jsonSql.ts';
import type { Table } from './need.ts';
import { STALE } from './writeObject.ts';

/** Rows for one SQL object that writes. */
export interface Effect {
  /** Of the object. */
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
}

/** Writes all effects in one statement, in order. */
export async function writeEffects(link: Link, effects: readonly Effect[]): Promise<void> {
  if (link.dialect === 'sqlite') {
    const values = effects.flatMap(({ name, rows }) => [name, listsOf('sqlite', rows)]);
    await link.rows(insertOf(effects.length), values);
  } else {
    const cells = effects.map(({ rows }) => listsOf('postgres', rows));
    await link.rows(callsOf(effects), cells);
  }
}

/** The triggers of the view spread the rows over the tables; a broken guard undoes all of it. */
const inserts: Statement[] = [];
function insertOf(count: number): Statement {
  const rows = Array.from({ length: count }, () => '(?, ?)').join(', ');
  return (inserts[count] ??= statement(`INSERT INTO effects (name, cells) VALUES ${rows}`));
}

/** By the names of the objects: as many texts as there are kinds of batches. */
const calls = new Map<string, Statement>();
function callsOf(effects: readonly Effect[]): Statement {
  const shape = effects.map(({ name }) => name).join();
  const each = effects.map(({ name }) => `${name}(?::jsonb[])`);
  const known = calls.get(shape) ?? statement('', `SELECT ${each.join(', ')}`);
  calls.set(shape, known);
  return known;
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
