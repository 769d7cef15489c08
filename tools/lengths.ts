import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A row of ARCHITECTURE.md that states the lines of a part, and the lines that are there. */
export interface StatedLength {
  readonly row: string;
  readonly part: string;
  readonly stated: number;
  readonly counted: number;
}

const LINES = /([\d,]+) lines/;

/** Returns the rows of the table of parts that state a number of lines. */
export function statedLengths(page: string): readonly StatedLength[] {
  const [, table = ''] = page.split('## Written here although a library exists\n');
  const rows = table.split('\n').filter((line) => /^\| .*`.*\d lines/.test(line));
  return rows.map((row) => {
    const [what = '', , cost = ''] = row.slice(2).split(' | ');
    const [first = '', ...others] = [...what.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    const paths = [first, ...others.map((path) => besideOf(first, path))];
    return {
      row,
      part: what.split(' (')[0] ?? '',
      stated: Number(LINES.exec(cost)?.[1]?.replace(',', '')),
      counted: paths.flatMap(filesAt).reduce((sum, file) => sum + linesOf(file), 0),
    };
  });
}

/** Returns the page with the lines that were counted, in tens. */
export function withCountedLengths(page: string): string {
  return statedLengths(page).reduce((text, { row, counted }) => {
    const lines = `${(Math.round(counted / 10) * 10).toLocaleString('en-US')} lines`;
    return text.replace(row, row.replace(LINES, lines));
  }, page);
}

/** A path without a folder lies beside the first one of its row. */
const besideOf = (first: string, path: string): string =>
  path.includes('/') ? path : join(dirname(first), path);

/** The code at a file, in a folder (`a/`) or directly in it (`a/*.ts`), without its tests. */
function filesAt(path: string): readonly string[] {
  const isFlat = path.endsWith('/*.ts');
  const folder = isFlat ? dirname(path) : path;
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder, { recursive: !isFlat, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !name.includes('.test.'))
    .map((name) => `${folder}/${name}`);
}

const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;
