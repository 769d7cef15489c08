import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { AnyTable } from './need.ts';
import { readOrder, writeOrder } from './tables.ts';

describe('the tables of a batch', () => {
  it('are listed wherever they are described', async () => {
    const described = await tablesBelow('db');
    assert.ok(described.length > 60, `${described.length} tables`);
    for (const table of described) {
      const isWritten = (table.insert ?? table.update ?? table.remove) !== undefined;
      // A description that queries alone use has the name of the one that batches use.
      if (table.read !== undefined) assert.ok(namesOf(readOrder).includes(table.name), table.name);
      if (isWritten && table.of === undefined && table.isDerived !== true)
        assert.ok(writeOrder.includes(table), table.name);
    }
  });
});

const namesOf = (tables: readonly AnyTable[]): readonly string[] => tables.map(({ name }) => name);

const NOT_OF_TABLES = /\.(test|d)\.ts$|^migrations/;

async function tablesBelow(folder: string): Promise<readonly AnyTable[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const found = new Set<AnyTable>();
  for (const file of files.filter((each) => each.endsWith('.ts') && !NOT_OF_TABLES.test(each))) {
    const module = (await import(`../${file}`)) as Readonly<Record<string, unknown>>;
    for (const each of Object.values(module)) if (isTable(each)) found.add(each);
  }
  return [...found];
}

function isTable(value: unknown): value is AnyTable {
  return typeof value === 'object' && value !== null && 'keyCells' in value && 'id' in value;
}
