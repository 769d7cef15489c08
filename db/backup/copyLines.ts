import { createReadStream } from 'node:fs';
import { createGunzip, type Gunzip } from 'node:zlib';
import { linkOf, statement, type Reader } from '../connection.ts';

/** The text format of COPY: a row is a line, its columns are divided by tabs, and \N is null. */
export type CopyCell = string | null;

const ROWS_AT_ONCE = 1_000;
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The text of a file that gzip made smaller. */
export function unzipped(path: string): Gunzip {
  const file = createReadStream(path);
  const text = file.pipe(createGunzip());
  file.once('error', (error) => text.destroy(error));
  return text;
}

/** The rows of a file that COPY wrote. */
export async function* rowsOfFile(path: string): AsyncGenerator<readonly CopyCell[]> {
  const text = unzipped(path);
  text.setEncoding('utf8');
  let rest = '';
  for await (const chunk of text as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.split('\t').map(cellOf);
  }
}

function cellOf(text: string): CopyCell {
  if (text === String.raw`\N`) return null;
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(.)/gs, (_, sign: string) => ESCAPES[sign] ?? sign);
}

/** The rows of a table of SQLite as text for COPY, in pages. */
export async function* linesOfTable(
  db: Reader,
  table: string,
  columns: readonly string[],
): AsyncGenerator<string> {
  const link = linkOf(db);
  const keys = await keysOf(db, table);
  const names = keys.map((each, n) => `${each} AS k${n}`).join(', ');
  const marks = keys.map(() => '?').join(', ');
  const line = columns.map(escaped).join(` || char(9) || `);
  const page = (where: string): ReturnType<typeof statement> =>
    statement(`SELECT ${names}, ${line} AS line FROM "${table}" ${where}
      ORDER BY ${keys.join(', ')} LIMIT ${ROWS_AT_ONCE}`);
  const [first, next] = [page(''), page(`WHERE (${keys.join(', ')}) > (${marks})`)];
  let rows = await link.rows(first, []);
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    yield rows.map((row) => `${String(row['line'])}\n`).join('');
    const from = last;
    rows = await link.rows(
      next,
      keys.map((_, n) => from[`k${n}`] as string | number),
    );
  }
}

function escaped(column: string): string {
  let text = `"${column}"`;
  for (const [sign, letter] of [
    [`'\\'`, `'\\\\'`],
    ['char(9)', `'\\t'`],
    ['char(10)', `'\\n'`],
    ['char(13)', `'\\r'`],
  ] as const) {
    text = `replace(${text}, ${sign}, ${letter})`;
  }
  return `coalesce(${text}, '\\N')`;
}

const KEYS = statement(`
  SELECT i.name FROM pragma_table_list(?) AS l JOIN pragma_table_info(l.name) AS i
  WHERE l.schema = 'main' AND l.wr = 1 AND i.pk > 0 ORDER BY i.pk`);

/** The columns by which a table is walked: its primary key, or the number of the row. */
async function keysOf(db: Reader, table: string): Promise<readonly string[]> {
  const rows = await linkOf(db).rows(KEYS, [table]);
  return rows.length === 0 ? ['rowid'] : rows.map(({ name }) => `"${String(name)}"`);
}
