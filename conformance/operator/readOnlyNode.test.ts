import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { query, startPostgres, type RunningPostgres } from '../harness/postgres.ts';
import { until } from '../harness/waiting.ts';

/** A node of PostgreSQL that lost its lead: it reads, and refuses every write (SQLSTATE 25006). */
describe('a PostgreSQL of several nodes', function suite() {
  this.timeout(120_000);
  let server: RunningPostgres;
  let world: Fixture | undefined;
  before(async () => {
    server = await startPostgres();
  });
  afterEach(async () => {
    await setReadOnly(false);
    await world?.close();
  });
  after(() => server.stop());

  const setReadOnly = async (isReadOnly: boolean): Promise<void> => {
    const value = isReadOnly ? 'on' : 'off';
    await query(server.folder, `ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await query(server.folder, 'SELECT pg_reload_conf()');
  };
  const ready = async ({ hub }: Fixture): Promise<number> =>
    (await fetch(new URL('/readyz', hub.url))).status;

  it('answers 503 and is not ready while its node only reads, and serves when it leads', async () => {
    world = await openFixture({ databaseUrl: await server.freshDatabase() });
    const { alice, bob } = world;
    await world.fund(alice, '1000');
    const path = `/api/v1/wallet/${alice.account}/pay`;
    const body = { to: bob.account, amount: '10', idempotencyKey: 'failover' };
    assert.equal(await ready(world), 200);
    await setReadOnly(true);
    const here = world;
    await until(async () => (await ready(here)) === 503);
    mustRefuse(await alice.post(path, body), 503, 'busy');
    await setReadOnly(false);
    await until(async () => (await ready(here)) === 200);
    assert.equal(mustOk(await alice.post(path, body))['repeated'], false);
  });

  it('serves by the node that leads, whichever is named first', async () => {
    const url = await server.freshDatabase();
    const gone = encodeURIComponent('/nowhere');
    world = await openFixture({ databaseUrl: url.replace('?host=', `?host=${gone},`) });
    await world.fund(world.alice, '1000');
    assert.equal(await ready(world), 200);
  });
});
