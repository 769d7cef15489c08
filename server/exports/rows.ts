import { isObject } from '../../domain/jsonObject.ts';
import { escapedUnit } from '../../domain/lines.ts';

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
  const text = typeof value === 'string' ? harmless(value) : harmlessJson(value);
  const shown = text.replace(ENDS, escapedUnit);
  return /[",;\t\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** Readers end a line at these also within quotes, so they are escaped; a line feed is quoted. */
const ENDS = /[\r\v\f\u001c-\u001e\u0085\u2028\u2029]/g;

/** Signs that begin a formula, in the forms of other scripts too: spreadsheets fold their width. */
const STARTS = '=+\\-@＝＋－＠﹢﹣﹦﹫⁺⁻⁼₊₋₌−﬩';
/** At the start of a cell, or of what another locale takes for one: its separator is `;` or a tab. */
const HEAD = `(^|[,;|\\t\\r\\n])([\\s\\p{Cc}\\p{Cf}\\p{Z}"']*)`;
const FORMULA = new RegExp(`${HEAD}(?=[${STARTS}])`, 'gu');
const SIGN = new RegExp(`${HEAD}([${STARTS}])`, 'gu');
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** A spreadsheet runs such a cell as a formula (CWE-1236); the apostrophe makes it text. */
function harmless(text: string): string {
  if (NUMBER.test(text)) return text;
  return /^[\t\r]/.test(text) ? `'${text}` : text.replace(FORMULA, "$1'$2");
}

/** The sign itself is escaped in a string of JSON, so the value stays as it is. */
function harmlessJson(value: unknown): string {
  return JSON.stringify(value).replace(JSON_STRING, (text) =>
    NUMBER.test(text.slice(1, -1))
      ? text
      : text.replace(SIGN, (_, start: string, skipped: string, sign: string) => {
          return `${start}${skipped}${escapedUnit(sign)}`;
        }),
  );
}
