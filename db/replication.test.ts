import { strict as assert } from 'node:assert';
import { sharedPostgres } from '../conformance/harness/databases.ts';
import { query, startPostgres } from '../conformance/harness/postgres.ts';
import { until } from '../conformance/harness/waiting.ts';
import { lossOf } from './replication.ts';
import { openStore, type Store } from './store.ts';

const SYNCHRONOUS = ['wal_level=replica', 'max_wal_senders=2', 'synchronous_commit=on'];

describe('what a lost node takes along', () => {
  let store: Store;

  it('is reported for a PostgreSQL that waits for no standby', async function postgres() {
    this.timeout(30_000);
    store = await openStore(await (await sharedPostgres()).freshDatabase());
    assert.match((await store.read(lossOf)) ?? '', /set synchronous_standby_names/);
    await store.close();
  });

  it('is nothing where a standby is named and each commit waits for it', async function postgres() {
    this.timeout(60_000);
    const server = await startPostgres(false, { settings: SYNCHRONOUS });
    try {
      store = await openStore(await server.freshDatabase());
      await query(server.folder, "ALTER SYSTEM SET synchronous_standby_names = 'one'");
      await query(server.folder, 'SELECT pg_reload_conf()');
      await until(async () => (await store.read(lossOf)) === undefined);
    } finally {
      await query(server.folder, "ALTER SYSTEM SET synchronous_standby_names = ''");
      await query(server.folder, 'SELECT pg_reload_conf()');
      await store.close();
      await server.stop();
    }
  });

  it('is nothing on SQLite', async () => {
    store = await openStore('sqlite::memory:');
    assert.equal(await store.read(lossOf), undefined);
    await store.close();
  });
});
