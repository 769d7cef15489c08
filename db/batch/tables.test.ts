import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { hubsOnBothDatabases } from '../../conformance/harness/hubsOnBothDatabases.ts';
import { COLLECTED, readable } from '../../tools/generate.ts';
import { linkOf } from '../connection.ts';
import { readOrder, writeOrder } from './tables.ts';

describe('the tables of batches', () => {
  it('are those that files of db describe, without a list to add them to', async () => {
    for (const [file, text] of COLLECTED)
      assert.equal(readFileSync(file, 'utf8'), await readable(text()), 'npm run generate');
    assert.ok(readOrder.length > 60, `${readOrder.length} tables`);
  });
});

hubsOnBothDatabases('the tables of batches', (open) => {
  it('are written behind every table that a foreign key of theirs names', async () => {
    const { hub } = await open();
    const keys = await hub.running.hub.store.read(async (db) => {
      const isSqlite = linkOf(db).dialect === 'sqlite';
      const found: unknown = await db.knex.raw(isSqlite ? ON_SQLITE : ON_POSTGRES);
      return (isSqlite ? found : (found as { rows: unknown }).rows) as readonly ForeignKey[];
    });
    const places = new Map(writeOrder.map((table, at) => [tableNameOf(table), at]));
    const both = keys.filter(({ from, to }) => from !== to && places.has(from) && places.has(to));
    assert.ok(both.length > 25, `${both.length} foreign keys`);
    for (const { from, to } of both) {
      assert.ok((places.get(from) ?? 0) > (places.get(to) ?? 0), `${from} is written after ${to}`);
    }
  });
});

interface ForeignKey {
  readonly from: string;
  readonly to: string;
}

const ON_SQLITE = `SELECT m.name AS "from", f."table" AS "to" FROM sqlite_master AS m
  JOIN pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table'`;
const ON_POSTGRES = `SELECT conrelid::regclass::text AS "from", confrelid::regclass::text AS "to"
  FROM pg_constraint WHERE contype = 'f'`;

function tableNameOf(table: object): string {
  const { name, table: of } = table as { readonly name: string; readonly table?: string };
  return of ?? name;
}
