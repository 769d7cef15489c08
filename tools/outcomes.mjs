// The tables of docs/testing.md that scripts keep. A table is found by the name of its first column.
import { readFileSync, writeFileSync } from 'node:fs';

const PAGE = new URL('../docs/testing.md', import.meta.url);

const tableOf = (first) => new RegExp(`\\| ${first} +\\|[^]*?\\n(?!\\|)`);

/** The cells of each row behind its name. */
export function rowsIn(page, first) {
  const lines = (tableOf(first).exec(page)?.[0] ?? '').trim().split('\n').slice(2);
  return new Map(
    lines.map((line) => {
      const cells = line.split('|').map((cell) => cell.trim());
      return [cells[1].replaceAll('`', ''), cells.slice(2, -1)];
    }),
  );
}

/** Writes the row of `name` into the table with these columns, in the order of the names. */
export function keepRow(columns, name, cells) {
  const page = readFileSync(PAGE, 'utf8');
  const rows = [...rowsIn(page, columns[0]).set(name, cells)].sort(([a], [b]) => (a < b ? -1 : 1));
  const line = (given) => `| ${given.join(' | ')} |\n`;
  const head = line(columns) + line(columns.map(() => '---'));
  const body = rows.map(([each, given]) => line([`\`${each}\``, ...given])).join('');
  writeFileSync(
    PAGE,
    page.replace(tableOf(columns[0]), () => `${head}${body}\n`),
  );
}
