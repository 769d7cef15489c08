import assert from 'node:assert/strict';
import { sharedPostgres } from '../harness/databases.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { assertBooksBalance } from './auditor.ts';

const START_MS_MAX = 30_000;
const HOUSE = ['hub:board', 'hub:credit', 'hub:demand', 'hub:starter', 'hub:welcome'];
const EACH = 10_000_000_000;

describe('house money', () => {
  it('is issued at the first start on every network that is not real, and on none twice', async function run() {
    this.timeout(START_MS_MAX);
    const databaseUrl = await (await sharedPostgres()).emptyDatabase();
    const hubs = await Promise.all([startHub({ databaseUrl }), startHub({ databaseUrl })]);
    const [first] = hubs;
    assert.ok(first !== undefined);
    const expected = ['play', 'sandbox'].flatMap((network) =>
      HOUSE.map((name) => [network, name, EACH]),
    );
    assert.deepEqual(await houseBalances(first), expected);
    for (const hub of hubs) await hub.close();
    const later = await startHub({ databaseUrl });
    assert.deepEqual(await houseBalances(later), expected);
    await assertBooksBalance(later.running.hub.store);
    await later.close();
  });
});

async function houseBalances({ running }: TestHub): Promise<readonly unknown[]> {
  const rows: unknown = await running.hub.store.read(({ knex }) =>
    knex('accounts').where({ class: 'hub' }).orderBy(['network', 'name']),
  );
  assert.ok(Array.isArray(rows));
  return rows.map((row: Record<string, unknown>) => [row['network'], row['name'], row['posted']]);
}
