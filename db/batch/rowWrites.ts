import type { Dialect } from '../connection.ts';
import type { Named } from './described.ts';
import { writeObject, type SqlObject } from './writeObject.ts';

/** The SQL objects by which batches write the rows of a described table. */

export function namesOf(of: readonly Named[]): readonly string[] {
  return of.map(({ name }) => name);
}

const castOf = ({ type }: { readonly type: 'text' | 'int' }): string =>
  type === 'int' ? ':int' : '';

export function insertOf(label: string, name: string, written: readonly Named[]): SqlObject {
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

export function updateOf(
  label: string,
  name: string,
  { keys, changing, guards }: Changes,
): SqlObject {
  const at = keys.length;
  const sets = changing.map((each, nth) => `${each.name} = $${at + nth}${castOf(each.column)}`);
  const is = [...isCell(name, keys, 0), ...isCell(name, guards, at + changing.length)];
  return writeObject(`${label}_changed`, {
    statement: (rows) =>
      `UPDATE ${name} SET ${sets.join(', ')} FROM ${rows} WHERE ${is.join(' AND ')}`,
  });
}

export function removeOf(
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
