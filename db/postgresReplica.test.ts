import { strict as assert } from 'node:assert';
import {
  addressOf,
  REPLICATED,
  startPostgres,
  type RunningPostgres,
  type Standby,
} from '../conformance/harness/postgres.ts';
import { until } from '../conformance/harness/waiting.ts';
import { openStore, type Reader, type Store } from './store.ts';

describe('reads that may lag, with a replica', function suite() {
  this.timeout(60_000);
  let server: RunningPostgres;
  let standby: Standby;
  let store: Store;
  const errors: unknown[] = [];
  before(async () => {
    server = await startPostgres(false, { settings: REPLICATED });
    const url = await server.freshDatabase();
    standby = await server.standby();
    const replica = addressOf(standby.folder, new URL(url).pathname.slice(1));
    store = await openStore(url, {
      replica: { url: replica, lagMsMax: 1_000 },
      report: (error) => void errors.push(error),
    });
  });
  after(async () => {
    await store.close();
    await standby.stop();
    await server.stop();
  });

  const isReplica = async ({ knex }: Reader): Promise<boolean> => {
    const { rows } = await knex.raw<{ readonly rows: readonly { readonly v: boolean }[] }>(
      'SELECT pg_is_in_recovery() AS v',
    );
    return rows[0]?.v === true;
  };
  const lagging = (): Promise<boolean> => store.readLagging(isReplica);

  it('come from the replica once it has shown that it keeps up', async () => {
    await until(lagging);
    assert.equal(await store.read(isReplica), false);
    assert.equal(await store.readOne(isReplica), false);
  });

  it('come from the leader while the replica does not follow', async () => {
    await standby.query('SELECT pg_wal_replay_pause()');
    await store.write(({ knex }) => knex.raw('CREATE TABLE written_meanwhile (n int)'));
    await until(async () => !(await lagging()));
    await store.readLagging(({ knex }) => knex('written_meanwhile').select('n'));
    await standby.query('SELECT pg_wal_replay_resume()');
    await until(lagging);
  });

  it('come from the leader when the replica is gone, and none of them fails', async () => {
    await until(lagging);
    const reads = Promise.allSettled(Array.from({ length: 20 }, lagging));
    await standby.stop();
    assert.deepEqual(
      (await reads).flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : [])),
      [],
    );
    assert.equal(await lagging(), false);
    await until(() => errors.length > 0);
    assert.equal(await lagging(), false);
  });
});
