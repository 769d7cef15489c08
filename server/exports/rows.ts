import { isObject } from '../../domain/jsonObject.ts';

/** An item of an answer's list. */
export type Row = Readonly<Record<string, unknown>>;

/** RFC 4180 with a line of names and CRLF ends. A column is a member's path; a list is JSON. */
export function csvOf(columns: readonly string[], rows: readonly Row[]): string {
  const paths = columns.map((column) => column.split('.'));
  const lines = rows.map((row) => paths.map((path) => cell(at(row, path))).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}

function at(row: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), row);
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? harmless(value) : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet runs such a cell as a formula (CWE-1236); the apostrophe makes it text. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
