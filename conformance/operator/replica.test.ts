import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import {
  addressOf,
  REPLICATED,
  startPostgres,
  type RunningPostgres,
  type Standby,
} from '../harness/postgres.ts';
import { until } from '../harness/waiting.ts';

describe('a hub with a replica of its database', function suite() {
  this.timeout(120_000);
  let server: RunningPostgres;
  let standby: Standby;
  let world: Fixture;
  before(async () => {
    server = await startPostgres(false, { settings: REPLICATED });
    const databaseUrl = await server.freshDatabase();
    standby = await server.standby();
    const database = new URL(databaseUrl).pathname.slice(1);
    const HUB_DATABASE_READ_URL = addressOf(standby.folder, database);
    const env = { HUB_DATABASE_READ_URL, HUB_DATABASE_READ_LAG_MS: '60000' };
    world = await openFixture({ databaseUrl, env });
  });
  after(async () => {
    await world.close();
    await standby.stop();
    await server.stop();
  });

  const newestPulse = async (): Promise<unknown> => {
    const answer = await world.anyone.get('/api/v1/time/pulses/head');
    return JSON.stringify(answer.body).match(/"seq":(\d+)/)?.[1];
  };
  const issue = async (): Promise<void> => {
    world.hub.clock.advance(60);
    await world.hub.runJob('pulse');
  };

  it('reads pulses from the replica, and what an account wrote from the leader', async () => {
    await issue();
    await until(async () => (await newestPulse()) !== undefined);
    const first = await newestPulse();
    await standby.query('SELECT pg_wal_replay_pause()');
    await issue();
    await world.fund(world.alice, '1000');
    assert.equal(await newestPulse(), first, 'the replica has not replayed the second');
    const me = mustOk(await world.alice.get('/api/v1/me'));
    assert.match(JSON.stringify(me), /"1000"/);
    await standby.query('SELECT pg_wal_replay_resume()');
    await until(async () => Number(await newestPulse()) === Number(first) + 1);
  });
});
