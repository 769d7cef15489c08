import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkOf, statement, type Reader } from '../../db/connection.ts';
import { openStore } from '../../db/store.ts';
import { readSnapshot } from '../../db/wallet/snapshot.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { runCli } from '../../server/cli.ts';
import { bytesOf, filePath, putFile } from '../files/file.ts';
import { agentWith } from '../harness/agents.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { openFixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';

const COLUMNS = statement(
  `SELECT m.name AS "table", c.name AS name, lower(c.type) AS type
   FROM sqlite_master m JOIN pragma_table_info(m.name) c
   WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'knex_%'
   ORDER BY m.name, c.cid`,
  `SELECT c.table_name::text AS "table", c.column_name::text AS name,
     replace(c.data_type, 'bigint', 'integer') AS type
   FROM information_schema.columns c
   JOIN pg_class t ON t.relname = c.table_name AND t.relnamespace = current_schema()::regnamespace
   WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition AND c.table_name NOT LIKE 'knex_%'
   ORDER BY c.table_name COLLATE "C", c.ordinal_position`,
);

/** Every row of every table as one text, in an order that both databases have. */
async function rowsOf(db: Reader): Promise<ReadonlyMap<string, readonly string[]>> {
  const columns = await linkOf(db).rows(COLUMNS, []);
  const rows = new Map<string, readonly string[]>();
  for (const table of new Set(columns.map((each) => String(each['table'])))) {
    const all = await linkOf(db).rows(statement(`SELECT * FROM "${table}"`), []);
    const texts = all.map((row) => JSON.stringify(Object.entries(row).sort()));
    if (texts.length > 0) rows.set(table, texts.sort());
  }
  return rows;
}

/** An odd text in each form that COPY has to escape. */
const ODD = 'tab\t line\nreturn\r back\\slash \\N \u{2028} 🂡 \b\f\v "quoted"';

describe('hubctl copy', function suite() {
  this.timeout(60_000);
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'hub-copy-'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  const run = async (env: Record<string, string>, ...words: readonly string[]) => {
    let output = '';
    const code = await runCli(words, { HUB_LOG: 'fatal', ...env }, (text) => (output += text));
    return { code, output };
  };

  it('finds the same columns in the same order in both databases', async () => {
    const url = await (await sharedPostgres()).freshDatabase();
    const path = `sqlite:${join(root, 'columns.sqlite')}`;
    await (await openStore(path)).close();
    const of = (database: string) => readSnapshot(database, (db) => linkOf(db).rows(COLUMNS, []));
    const [sqlite, postgres] = [await of(path), await of(url)];
    assert.ok(sqlite.length > 1_000);
    assert.deepEqual(
      postgres.map((row) => ({ ...row })),
      sqlite.map((row) => ({ ...row })),
    );
  });

  it('moves a hub from SQLite to PostgreSQL and back, to the unit and to the row', async () => {
    const env = { HUB_DATABASE_URL: `sqlite:${join(root, 'hub.sqlite')}`, HUB_DATA_DIR: root };
    const key = await generateKey();
    const first = await openFixture({ databaseUrl: env.HUB_DATABASE_URL, env });
    const payer = agentWith(first.hub, key);
    await first.fund(payer, '1000000');
    mustOk(await putFile(payer, 'report', bytesOf(5_000, 1)));
    const order = { to: first.bob.account, amount: '7', memo: ODD, idempotencyKey: 'one' };
    mustOk(await payer.post(`/api/v1/wallet/${payer.account}/pay`, order));
    await first.close();

    const postgres = await (await sharedPostgres()).emptyDatabase();
    const there = await run(env, 'copy', '--to', postgres);
    assert.equal(there.code, 0, there.output);
    assert.match(there.output, /The books balance\.[^]*Copied to /);
    const onSqlite = await readSnapshot(env.HUB_DATABASE_URL, rowsOf);
    assert.ok(onSqlite.size > 10, [...onSqlite.keys()].join());
    assert.deepEqual(await readSnapshot(postgres, rowsOf), onSqlite);

    const second = await openFixture({
      databaseUrl: postgres,
      env: { ...env, HUB_DATABASE_URL: postgres },
    });
    const again = agentWith(second.hub, key);
    const path = `/api/v1/wallet/${payer.account}/pay`;
    assert.equal(mustOk(await again.post(path, order))['repeated'], true);
    mustOk(await again.post(path, { ...order, idempotencyKey: 'two' }));
    mustOk(await again.get(filePath(again, 'report')));
    await second.close();

    const back = { ...env, HUB_DATABASE_URL: postgres };
    const sqlite = `sqlite:${join(root, 'back.sqlite')}`;
    const returned = await run(back, 'copy', '--to', sqlite);
    assert.equal(returned.code, 0, returned.output);
    assert.deepEqual(await readSnapshot(sqlite, rowsOf), await readSnapshot(postgres, rowsOf));
    const third = await openFixture({
      databaseUrl: sqlite,
      env: { ...env, HUB_DATABASE_URL: sqlite },
    });
    const last = agentWith(third.hub, key);
    mustOk(await last.post(path, { ...order, idempotencyKey: 'three' }));
    await third.close();
    assert.deepEqual(
      (await readdir(root)).filter((name) => name.startsWith('copying')),
      [],
    );
  });

  it('refuses a place that is taken, and an address that is none', async () => {
    const url = `sqlite:${join(root, 'taken.sqlite')}`;
    await (await openStore(url)).close();
    const env = { HUB_DATABASE_URL: url, HUB_DATA_DIR: root };
    const taken = await run(env, 'copy', '--to', url);
    assert.deepEqual([taken.code, /There is a database at/.test(taken.output)], [2, true]);
    const full = await (await sharedPostgres()).freshDatabase();
    assert.match((await run(env, 'copy', '--to', full)).output, /has tables already/);
    await assert.rejects(run(env, 'copy', '--to', 'mysql://x'), /HUB_DATABASE_URL is sqlite:PATH/);
  });
});
