import {
  linkOf,
  statement,
  type Reader,
  type Row,
  type Statement,
  type Value,
} from './connection.ts';
import { JSON_ROWS } from './jsonRows.ts';

/**
 * Rows with many columns. The SQLite driver builds rows value by value, so one JSON text of all
 * rows is read ten times as fast. PostgreSQL's driver needs no such help.
 */
export interface JsonRowsStatement {
  readonly text: Statement;
}

/** `query` selects the columns, for each dialect where they differ. */
export function jsonRowsStatement(
  columns: readonly string[],
  sqlite: string,
  postgres: string = sqlite,
): JsonRowsStatement {
  const pairs = columns.map((name) => `'${name}', ${name}`).join(', ');
  const text = `SELECT ${JSON_ROWS.sqlite.objects(pairs)} AS packed FROM (${sqlite})`;
  return { text: statement(text, postgres) };
}

export async function jsonRows(
  db: Reader,
  { text }: JsonRowsStatement,
  values: readonly Value[],
): Promise<readonly Row[]> {
  const link = linkOf(db);
  const rows = await link.rows(text, values);
  if (link.dialect === 'postgres') return rows;
  const [row] = rows;
  return typeof row?.['packed'] === 'string' ? (JSON.parse(row['packed']) as readonly Row[]) : [];
}
