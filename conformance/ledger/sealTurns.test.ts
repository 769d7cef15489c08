import assert from 'node:assert/strict';
import { readSeal } from '../../db/ledger/seals.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { startHub, type TestHub } from '../harness/hub.ts';

const BACKLOG = 4_500;

describe('the sealing of two processes (PostgreSQL)', function suite() {
  this.timeout(60_000);
  let first: Fixture;
  let second: TestHub;
  before(async () => {
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    first = await openFixture({ databaseUrl });
    second = await startHub({ databaseUrl, clock: first.hub.clock });
  });
  after(async () => {
    await second.close();
    // The backlog has transfers without entries, so the fixture's audit would find them.
    await first.hub.close();
  });

  /** The journal is whole up to a look once every transaction that ran then has ended. */
  const seal = async (hub: TestHub): Promise<number> => {
    for (let looks = 0; looks < 3; looks += 1) await hub.runJob('sealJournal');
    const newest = await hub.running.hub.store.read((db) => readSeal(db, 'head'));
    return newest?.seal.body.toSeq ?? 0;
  };

  it('leaves a backlog to the one that sealed, and takes it over when that one stops', async () => {
    await first.fund(first.alice, '1000');
    const sealed = await seal(first.hub);
    await first.hub.running.hub.store.write(({ knex }) =>
      knex.raw(`INSERT INTO transfers (id, network, asset, event, ref_kind, ref_id, actor, at)
        SELECT 'backlog-' || n, network, asset, event, ref_kind, ref_id, actor, at
        FROM generate_series(1, ${BACKLOG}) AS n,
          (SELECT * FROM transfers ORDER BY seq DESC LIMIT 1) AS t`),
    );
    assert.equal(await seal(second), sealed);
    first.hub.clock.advance(2);
    const whole = await seal(second);
    assert.ok(whole >= sealed + BACKLOG);
    await first.fund(first.alice, '1000');
    assert.ok((await seal(first.hub)) > whole, 'what is no backlog is sealed by either');
  });
});
