import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPooler, type Pooler } from '../conformance/harness/pooler.ts';
import { startPostgres, type RunningPostgres } from '../conformance/harness/postgres.ts';
import { until } from '../conformance/harness/waiting.ts';
import { linkOf, statement } from './connection.ts';
import { poolSizes } from './postgres.ts';
import { openStore, type Store } from './store.ts';

const LOCK_TIMEOUT = statement('', `SELECT current_setting('lock_timeout') AS limit_of`);

describe('a PostgreSQL behind a pooler in transaction mode', function suite() {
  this.timeout(60_000);
  let server: RunningPostgres;
  let pooler: Pooler;
  let direct: string;
  let pooled: string;
  const stores: Store[] = [];
  before(async () => {
    server = await startPostgres();
    pooler = await startPooler(server.folder);
    direct = await server.freshDatabase();
    pooled = pooler.addressOf(new URL(direct).pathname.slice(1));
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
  });
  after(async () => {
    await pooler.close();
    await server.stop();
  });

  const open = async (url: string, directUrl?: string): Promise<Store> => {
    const store = await openStore(url, { directUrl });
    stores.push(store);
    return store;
  };

  it('is refused without a direct address, because notifications would be lost', async () => {
    await assert.rejects(openStore(pooled), { name: 'NotificationsLost' });
  });

  it('serves reads and units side by side, and notifies another process', async () => {
    const [store, other] = [await open(pooled, direct), await open(pooled, direct)];
    const topics: string[] = [];
    other.onPublish((topic) => topics.push(topic));
    const rounds = Array.from({ length: 40 }, (_, nth) => nth);
    const limits = await Promise.all(
      rounds.map((nth) =>
        nth % 2 === 0
          ? store.read((db) => linkOf(db).rows(LOCK_TIMEOUT, []))
          : store.write(async (tx) => {
              tx.publish(`round ${nth}`);
              const rows = await linkOf(tx).rows(LOCK_TIMEOUT, []);
              await sleep(nth % 3);
              return rows;
            }),
      ),
    );
    assert.deepEqual([...new Set(limits.map(([row]) => row?.['limit_of']))], ['10s']);
    await until(() => Promise.resolve(topics.length === 20));
  });

  it('keeps its limits to the hub, so that other users of the pooler do not have them', async () => {
    const store = await open(pooled, direct);
    await store.write((tx) => linkOf(tx).rows(LOCK_TIMEOUT, []));
    const { default: pg } = await import('pg');
    const other = new pg.Client({ connectionString: pooled });
    await other.connect();
    const { rows } = await other.query<{ limit_of: string }>(LOCK_TIMEOUT.postgres);
    await other.end();
    assert.equal(rows[0]?.limit_of, '0');
  });
});

describe('connections of one process to PostgreSQL', () => {
  for (const connections of [4, 8, 21, 100]) {
    it(`are at most ${connections}, with one of each kind`, () => {
      const { batches, units, views, reads } = poolSizes(connections);
      assert.equal(batches + units + views + reads + 1, connections);
      assert.ok(Math.min(batches, units, reads) >= 1);
    });
  }
});
