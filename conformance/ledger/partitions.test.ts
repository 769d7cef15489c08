import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../db/store.ts';
import { makePartitionsAhead } from '../../db/ledger/partitions.ts';
import { runCli } from '../../server/cli.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { walletPath } from '../wallet/_signed.ts';

const FIRST = 10_000_000;
const DAY = 86_400;

describe('the journal in partitions (PostgreSQL)', function suite() {
  this.timeout(60_000);
  let world: Fixture;
  let databaseUrl: string;
  beforeEach(async () => {
    databaseUrl = await (await sharedPostgres()).freshDatabase();
    world = await openFixture({ databaseUrl });
    await world.fund(world.alice, '1000');
  });
  afterEach(() => world.close());

  const store = () => world.hub.running.hub.store;
  const raw = async <T>(sql: string): Promise<readonly T[]> =>
    (await store().write(({ knex }) => knex.raw<{ readonly rows: readonly T[] }>(sql))).rows;
  const jumpTo = (seq: number) => raw(`SELECT setval('transfers_seq_seq', ${seq})`);
  const pay = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      const idempotencyKey = `pay ${await pays()} ${n}`;
      const body = { to: world.bob.account, amount: '1', idempotencyKey };
      mustOk(await world.alice.post(`${walletPath(world.alice)}/pay`, body));
    }
  };
  const pays = async (): Promise<number> => {
    const [row] = await raw<{ readonly n: string }>('SELECT count(*) AS n FROM transfers');
    return Number(row?.n);
  };
  /** How many entries each partition has, by its name. */
  const filled = async (): Promise<Readonly<Record<string, number>>> => {
    const rows = await raw<{ readonly name: string; readonly n: string }>(
      'SELECT tableoid::regclass::text AS name, count(*) AS n FROM entries GROUP BY 1 ORDER BY 1',
    );
    return Object.fromEntries(rows.map(({ name, n }) => [name, Number(n)]));
  };
  const names = async (): Promise<readonly string[]> => {
    const rows = await raw<{ readonly name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits
      WHERE inhparent = 'entries'::regclass ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };
  const statement = async (): Promise<readonly unknown[]> => {
    const page = mustOk(await world.bob.get(`${walletPath(world.bob)}/statement?limit=50`));
    return page['entries'] as readonly unknown[];
  };

  it('has two empty ones ahead, made once by any number of processes', async () => {
    await Promise.all([1, 2, 3].map(() => store().write(makePartitionsAhead)));
    const expected = ['entries_0', 'entries_10000000', 'entries_20000000', 'entries_rest'];
    assert.deepEqual(await names(), expected);
    await world.hub.runJob('housekeeping');
    assert.deepEqual(await names(), expected);
  });

  it('goes on in the next one, and a statement and the audit read all of them', async () => {
    await world.hub.runJob('housekeeping');
    await jumpTo(FIRST - 3);
    await pay(5);
    const { entries_0: first = 0, entries_10000000: second } = await filled();
    assert.ok(first > 4);
    assert.equal(second, 6);
    assert.equal((await statement()).length, 5);
    await world.hub.audit();
    assert.equal(await store().write(makePartitionsAhead), 1);
    assert.ok((await names()).includes('entries_30000000'));
  });

  it('loses no payment when none was made in time, and goes on behind the rest', async () => {
    await jumpTo(FIRST + 5);
    await pay(2);
    assert.equal((await filled())['entries_rest'], 4);
    await world.hub.runJob('housekeeping');
    assert.deepEqual(await names(), [
      'entries_0',
      'entries_11000007',
      'entries_21000007',
      'entries_rest',
    ]);
    await jumpTo(FIRST * 1.2);
    await pay(1);
    assert.equal((await filled())['entries_11000007'], 2);
    assert.equal((await statement()).length, 3);
    await world.hub.audit();
  });

  it('doubles the size of the next one when one was full within two weeks', async () => {
    await world.hub.runJob('housekeeping');
    await jumpTo(FIRST);
    world.hub.clock.advance(14 * DAY);
    await pay(1);
    await world.hub.runJob('housekeeping');
    await jumpTo(2 * FIRST);
    world.hub.clock.advance(16 * DAY);
    await pay(1);
    await world.hub.runJob('housekeeping');
    const made = await raw<{ readonly bound: string }>(
      `SELECT pg_get_expr(relpartbound, oid) AS bound FROM pg_class
      WHERE relname IN ('entries_30000000', 'entries_50000000') ORDER BY relname`,
    );
    assert.deepEqual(
      made.map(({ bound }) => bound),
      [
        "FOR VALUES FROM ('30000000') TO ('50000000')",
        "FOR VALUES FROM ('50000000') TO ('70000000')",
      ],
    );
  });

  it('comes back from a backup as it was', async () => {
    await world.hub.runJob('housekeeping');
    await jumpTo(FIRST - 1);
    await pay(3);
    const expected = [await filled(), await names()];
    const folder = await mkdtemp(join(tmpdir(), 'hub-test-'));
    const lines: string[] = [];
    const run = (env: Record<string, string>, ...words: readonly string[]) =>
      runCli(words, { HUB_LOG: 'fatal', ...env }, (text) => void lines.push(text));
    const from = { HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: join(folder, 'data') };
    assert.equal(await run(from, 'backup', join(folder, 'backup')), 0, lines.join(''));
    const emptyUrl = await (await sharedPostgres()).emptyDatabase();
    const to = { HUB_DATABASE_URL: emptyUrl, HUB_DATA_DIR: join(folder, 'restored') };
    assert.equal(await run(to, 'restore', join(folder, 'backup')), 0, lines.join(''));
    const restored = await openStore(emptyUrl);
    const original = world;
    world = {
      ...world,
      hub: {
        ...world.hub,
        running: { ...world.hub.running, hub: { ...world.hub.running.hub, store: restored } },
      },
    };
    assert.deepEqual([await filled(), await names()], expected);
    world = original;
    await restored.close();
    await rm(folder, { recursive: true });
  });
});
