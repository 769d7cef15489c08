import assert from 'node:assert/strict';
import pg from 'pg';
import { checkMigrations } from '../../db/migrateCheck.ts';
import type { Migration } from '../../db/migration.ts';
import { migrations } from '../../db/migrations/index.ts';
import { BY_INDEX, postgresPool } from '../../db/postgresConnection.ts';
import { leasesOf } from '../../db/postgresLeases.ts';
import { migratePostgres } from '../../db/postgresMigrate.ts';
import { openNodes } from '../../db/postgresNodes.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { LENGTHS } from '../harness/lengths.ts';
import { publish } from '../tasks/_work.ts';

const TASKS = LENGTHS.upgradedTasks;
/** How long a call may take while a table changes. */
const CALL_MS_MAX = 5_000;

const column: Migration = {
  name: '9001_mood',
  async up(knex) {
    await knex.raw('ALTER TABLE tasks ADD COLUMN mood TEXT');
    // Tasks that the hub publishes meanwhile do not wait for the change of rows.
    await knex.raw(`ALTER TABLE tasks ALTER COLUMN mood SET DEFAULT 'new'`);
  },
};
const rows: Migration = {
  name: '9002_moods',
  rows: { table: 'tasks', where: 'mood IS NULL', set: `mood = 'fine'` },
};
const index: Migration = {
  name: '9003_mood_index',
  indexes: [{ name: 'tasks_by_mood', sql: 'INDEX tasks_by_mood ON tasks (mood)' }],
};
const later = [...migrations, column, rows, index];

/** Copies of one that waits; what triggers would write has no part in the change. */
async function copyTask(client: pg.Client): Promise<void> {
  // They come back when all rows are there, which is quicker than adding each row to every index.
  const indexes = await client.query<{ name: string; sql: string }>(
    `SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE tablename = 'tasks'
      AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
  );
  const columns = await client.query<{ names: string }>(
    `SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns
      WHERE table_name = 'tasks' AND column_name <> 'id'`,
  );
  const names = columns.rows[0]?.names ?? assert.fail();
  await client.query('ALTER TABLE tasks DISABLE TRIGGER USER');
  for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`);
  await client.query(
    `INSERT INTO tasks (id, ${names}) SELECT 'copy-' || n, ${names}
      FROM tasks, generate_series(1, $1::int) AS n WHERE id = (SELECT min(id) FROM tasks)`,
    [TASKS],
  );
  for (const { sql } of indexes.rows) await client.query(sql);
  await client.query('ALTER TABLE tasks ENABLE TRIGGER USER');
  await client.query('ANALYZE tasks');
}

describe(`an upgrade of ${TASKS} tasks beside a hub that serves (PostgreSQL)`, function suite() {
  this.timeout(120_000 + TASKS);
  let url: string;
  let world: Fixture;
  let client: pg.Client;
  before(async () => {
    url = await (await sharedPostgres()).freshDatabase();
    world = await openFixture({ databaseUrl: url });
    await world.fund(world.alice, '1000000000');
    client = new pg.Client({ connectionString: url });
    await client.connect();
    await publish(world.alice, { rewardAmount: '100000' });
    await copyTask(client);
  });
  after(async () => {
    await client.end();
    await world.close();
  });

  const migrate = async (
    notice: (text: string) => void,
    known: readonly Migration[] = later,
  ): Promise<readonly string[]> => {
    const pools = [0, 1].map(() => postgresPool(url, 1, () => undefined));
    const [hold, work] = pools.map((pool) => leasesOf(pool, openNodes(url), [BY_INDEX]));
    assert.ok(hold && work);
    try {
      return await migratePostgres({ hold, work, notice }, known);
    } finally {
      for (const pool of pools) await pool.end();
    }
  };
  const left = async (): Promise<number> => {
    const sql = 'SELECT count(*)::int AS n FROM tasks WHERE mood IS NULL';
    return (await client.query<{ n: number }>(sql)).rows[0]?.n ?? assert.fail();
  };

  it('is planned first: what is locked, and how many rows change', async () => {
    const [first, second, third, ...more] = await checkMigrations(url, later);
    assert.deepEqual([first?.locks, first?.rows], [['tasks'], 0]);
    assert.deepEqual([second?.locks, third?.locks, more], [[], [], []]);
    assert.ok((second?.rows ?? 0) > 0);
  });

  it('can be stopped, and goes on with the rows that are left, while tasks are published', async () => {
    let slowest = 0;
    let published = 0;
    let isOver = false;
    const publishing = (async () => {
      for (; !isOver; published += 1) {
        const sentAt = performance.now();
        await publish(world.alice, { rewardAmount: '100000' });
        slowest = Math.max(slowest, performance.now() - sentAt);
      }
    })();
    const began = performance.now();
    // A row that a caller holds is left for the end, where this operator has waited long enough.
    await migrate((text) => text, [...migrations, column]);
    await client.query('BEGIN; SELECT id FROM tasks LIMIT 1 FOR UPDATE');
    const stopped = new Error('stopped');
    await assert.rejects(
      migrate((text) => {
        if (/9002_moods waits for rows/.test(text)) throw stopped;
      }),
      stopped,
    );
    assert.equal(await left(), 1);
    await client.query('COMMIT');
    const lines: string[] = [];
    const done = await migrate((text) => lines.push(text));
    assert.equal(await left(), 0);
    const seconds = (performance.now() - began) / 1_000;
    isOver = true;
    await publishing;
    console.log(
      `      ${TASKS} tasks in ${seconds.toFixed(1)} s; ${published} published meanwhile, ` +
        `the slowest in ${slowest.toFixed(0)} ms`,
    );
    assert.deepEqual(done, ['9002_moods', '9003_mood_index']);
    assert.match(lines.join('\n'), /9002_moods changed \d+ rows in [\d.]+ s/);
    assert.ok(published > 0 && slowest < CALL_MS_MAX, `${published} published, ${slowest} ms`);
  });
});
