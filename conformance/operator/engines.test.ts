import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { sharedPostgres } from '../harness/databases.ts';
import { engineTable } from '../../tools/engines.ts';

describe('the table of distributed engines', () => {
  it('has on its page what a database of this version uses', async function suite() {
    this.timeout(60_000);
    const page = readFileSync('docs/scaling.md', 'utf8').split('\n');
    const begin = page.findIndex((line) => line.startsWith('| what the hub uses'));
    assert.ok(begin >= 0, 'docs/scaling.md has the table');
    const end = page.findIndex((line, n) => n > begin && !line.startsWith('|'));
    const cells = (line: string): string =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .join('|');
    const isRow = (line: string): boolean => !/^\|[\s|-]+\|$/.test(line);
    const printed = await engineTable(await (await sharedPostgres()).freshDatabase());
    assert.deepEqual(
      page.slice(begin, end).filter(isRow).map(cells),
      printed.split('\n').filter(isRow).map(cells),
    );
  });
});
