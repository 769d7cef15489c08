import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const OFF_PERCENT_MAX = 10;

describe('ARCHITECTURE.md', () => {
  const page = readFileSync('ARCHITECTURE.md', 'utf8');
  const [, table = ''] = page.split('## Written here although a library exists\n');
  const rows = table.split('\n').filter((line) => /^\| .*`.*\d lines/.test(line));

  it('gives the length of most of what is written here although a library exists', () => {
    assert.ok(rows.length >= 15, `${rows.length} rows`);
  });

  for (const row of rows) {
    const [what = '', , cost = ''] = row.slice(2).split(' | ');
    it(`counts the lines of ${what.split(' (')[0]}`, () => {
      const stated = Number(/([\d,]+) lines/.exec(cost)?.[1]?.replace(',', ''));
      const [first = '', ...others] = [...what.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
      const paths = [first, ...others.map((path) => besideOf(first, path))];
      const counted = paths.flatMap(filesAt).reduce((sum, file) => sum + linesOf(file), 0);
      const off = (100 * Math.abs(counted - stated)) / counted;
      assert.ok(off <= OFF_PERCENT_MAX, `${stated} lines are stated, ${counted} are there`);
    });
  }
});

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
