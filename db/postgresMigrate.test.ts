import { strict as assert } from 'node:assert';
import pg from 'pg';
import { sharedPostgres } from '../conformance/harness/databases.ts';
import { until } from '../conformance/harness/waiting.ts';
import { openStore } from './store.ts';
import type { Migration } from './migration.ts';
import { checkMigrations } from './migrateCheck.ts';
import { migrations } from './migrations/index.ts';
import { BY_INDEX, postgresPool } from './postgresConnection.ts';
import { leasesOf } from './postgresLeases.ts';
import { migratePostgres } from './postgresMigrate.ts';
import { openNodes } from './postgresNodes.ts';

const column: Migration = {
  name: '9001_mood',
  up: (knex) => knex.raw('ALTER TABLE tasks ADD COLUMN mood TEXT'),
};
const index: Migration = {
  name: '9002_mood_index',
  indexes: [{ name: 'tasks_by_mood', sql: 'INDEX tasks_by_mood ON tasks (mood)' }],
};
const later = [...migrations, column, index];

describe('migrations of a PostgreSQL in use', function suite() {
  this.timeout(60_000);
  let url: string;
  const clients: pg.Client[] = [];
  beforeEach(async () => {
    url = await (await sharedPostgres()).freshDatabase();
    await (await openStore(url)).close();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
  });

  const connected = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    clients.push(client);
    return client;
  };
  const migrate = async (notice: (text: string) => void): Promise<readonly string[]> => {
    const pools = [0, 1].map(() => postgresPool(url, 1, () => undefined));
    const leases = pools.map((pool) => leasesOf(pool, openNodes(url), [BY_INDEX]));
    const [hold, work] = leases;
    assert.ok(hold && work);
    try {
      return await migratePostgres({ hold, work, notice }, later);
    } finally {
      for (const pool of pools) await pool.end();
    }
  };
  const isValid = async (): Promise<unknown> => {
    const { rows } = await (
      await connected()
    ).query<{ v: boolean }>(
      `SELECT indisvalid AS v FROM pg_index WHERE indexrelid = to_regclass('tasks_by_mood')`,
    );
    return rows[0]?.v;
  };

  it('run once, one after the other, and are said', async () => {
    const lines: string[] = [];
    assert.deepEqual(await migrate((text) => lines.push(text)), ['9001_mood', '9002_mood_index']);
    assert.equal(lines.length, 2);
    assert.equal(await isValid(), true);
    assert.deepEqual(await migrate(assert.fail), []);
  });

  it('let those go first that came after them, while a table is in use', async () => {
    const [reader, other] = [await connected(), await connected()];
    await reader.query('BEGIN; SELECT count(*) FROM tasks');
    const done = migrate(() => undefined);
    await until(async () => {
      const { rows } = await other.query<{ n: string }>(
        `SELECT count(*) AS n FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'`,
      );
      return rows[0]?.n === '1';
    });
    const began = performance.now();
    await other.query('SELECT count(*) FROM tasks');
    assert.ok(performance.now() - began < 5_000, 'a read waits for no more than one try');
    await reader.query('COMMIT');
    assert.equal((await done).length, 2);
  });

  it('make an index again whose build was interrupted', async () => {
    const client = await connected();
    await client.query(`ALTER TABLE tasks ADD COLUMN mood TEXT;
      CREATE INDEX tasks_by_mood ON tasks (mood);
      UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'tasks_by_mood'::regclass;
      ALTER TABLE tasks DROP COLUMN mood`);
    assert.equal((await migrate(() => undefined)).length, 2);
    assert.equal(await isValid(), true);
  });

  it('wait for another process that changes the tables, and say so', async () => {
    const other = await connected();
    await other.query('BEGIN; SELECT pg_advisory_xact_lock(1096304706)');
    const lines: string[] = [];
    const done = migrate((text) => lines.push(text));
    await until(() => lines.length > 0);
    assert.match(lines[0] ?? '', /another process changes the tables/);
    await other.query('COMMIT');
    assert.equal((await done).length, 2);
  });

  it('are tried by a check, which changes nothing', async () => {
    const slow: Migration = { name: '9003_slow', up: (knex) => knex.raw('SELECT pg_sleep(5)') };
    assert.deepEqual(
      (await checkMigrations(url, [...later, slow])).map(({ name, locks, ms }) => [
        ...[name, locks],
        ms === undefined,
      ]),
      [
        ['9001_mood', ['tasks'], false],
        ['9002_mood_index', [], false],
        ['9003_slow', [], true],
      ],
    );
    assert.equal((await migrate(() => undefined)).length, 2);
    assert.deepEqual(await checkMigrations(url, later), []);
  });

  it('leave tables that the release before still uses', async () => {
    await migrate(() => undefined);
    await (await openStore(url)).close();
  });
});
