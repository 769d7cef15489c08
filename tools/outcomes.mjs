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

/** The cells behind `name` on the page, in the table whose first column is `first`. */
export function keptRow(first, name) {
  return rowsIn(readFileSync(PAGE, 'utf8'), first).get(name);
}

/** Writes the row of `name` into the table with these columns, in the order of the names. */
export function keepRow(columns, name, cells) {
  writeFileSync(PAGE, withRow(readFileSync(PAGE, 'utf8'), columns, name, cells));
}

/** The page with that row. */
export function withRow(page, columns, name, cells) {
  const rows = [...rowsIn(page, columns[0]).set(name, cells)].sort(([a], [b]) => (a < b ? -1 : 1));
  const table = [
    columns,
    columns.map(() => '---'),
    ...rows.map(([each, given]) => [`\`${each}\``, ...given]),
  ];
  const widths = columns.map((_, nth) => Math.max(...table.map((cells) => cells[nth].length)));
  const text = table
    .map((cells, nth) => cells.map((cell, at) => cell.padEnd(widths[at], nth === 1 ? '-' : ' ')))
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
  return page.replace(tableOf(columns[0]), () => text);
}
