import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readKept } from './page.mjs';
import { rowsOf } from './rows.mjs';

describe('the figures of a benchmark', () => {
  it('are read from what it prints for people', () => {
    const text = `router, calls/s at 6 at once (median of 3 rounds of 300)
  direct: 1,362, 1.0 times the cost of a direct call
  through the hub, free: 304, 4.5 times the cost of a direct call, 3.6 ms of processor
wallet.pay: 0.30 of a route that only verifies (aim >= 0.65) MISSED
  noted when seen    2,080/s
`;
    const router = 'router, calls/s at 6 at once (median of 3 rounds of 300)';
    assert.deepEqual(
      rowsOf(text).map(({ of, name, values }) => [of, name, values]),
      [
        [router, 'direct', [1_362, 1]],
        [router, 'through the hub, free', [304, 4.5, 3.6]],
        ['', 'wallet.pay', [0.3, 0.65]],
        ['', 'noted when seen', [2_080]],
      ],
    );
  });

  it('are on their pages as they were stored, where a table names its part', () => {
    const stored = readKept();
    const pages = readdirSync('docs/figures').map((name) => `docs/figures/${name}`);
    const page = pages.map((path) => readFileSync(path, 'utf8')).join('\n');
    const tables = [...page.matchAll(/((?:^\|.*\n)+)\nStored part `(\w+)`/gm)];
    assert.deepEqual(new Set(tables.map(([, , part]) => part)), new Set(Object.keys(stored)));
    for (const [, table = '', part = ''] of tables) {
      const printed = stored[part]?.rows.flatMap(({ name, figures }) =>
        numbersOf(`${name} ${figures}`),
      );
      const quoted = table.split('\n').flatMap((row) => numbersOf(row.split('|')[2] ?? ''));
      assert.ok(quoted.length > 0, part);
      assert.deepEqual(
        quoted.filter((number) => printed?.includes(number) !== true),
        [],
        `numbers that part ${part} of docs/figures.json does not have`,
      );
    }
  });
});

function numbersOf(text: string): readonly number[] {
  return (text.match(/\d[\d,]*(\.\d+)?/g) ?? []).map((each) => Number(each.replaceAll(',', '')));
}
