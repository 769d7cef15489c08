import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../clients/examples/freePort.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { REPLICATED, startPostgres, type RunningPostgres } from '../harness/postgres.ts';
import { until } from '../harness/waiting.ts';
import { commandsOf, fires } from './_alerts.ts';

const DOWN_MS = 5_000;

/** Statements of the runbook run as they stand, with the name of a slot in place of NAME. */
describe('alerts of PostgreSQL', function suite() {
  this.timeout(120_000);
  let folder: string;
  let server: RunningPostgres;
  let world: Fixture;
  let client: Client;
  let page: () => Promise<string>;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hub-archive-'));
    chmodSync(folder, 0o755);
    const archive = join(folder, 'archive');
    writeFileSync(archive, `#!/bin/sh\ntest -e ${folder}/repaired\n`);
    chmodSync(archive, 0o755);
    server = await startPostgres(false, {
      settings: [
        ...REPLICATED,
        'synchronous_standby_names=walreceiver',
        'archive_mode=on',
        `archive_command=${archive}`,
      ],
    });
    const databaseUrl = await server.freshDatabase();
    const port = String(await freePort());
    world = await openFixture({ databaseUrl, env: { HUB_METRICS_PORT: port } });
    page = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    client = new Client({ connectionString: databaseUrl });
    // The server ends the connection when the last test stops it.
    client.on('error', () => undefined);
    await client.connect();
  });
  after(async () => {
    await client.end();
    await world.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = async (section: string, name = ''): Promise<void> => {
    const statements = commandsOf(section, 'SELECT');
    assert.ok(statements.length > 0, section);
    for (const each of statements) await client.query(each.replace('NAME', name));
  };

  it('fire while a standby that commits wait for is lost', async () => {
    assert.ok(fires('HubStandbyLost', await page()));
    const standby = await server.standby();
    await until(async () => !fires('HubStandbyLost', await page()));
    assert.match(await page(), /^hub_database_standbys 1$/m);
    await standby.stop();
    await until(async () => fires('HubStandbyLost', await page()));
  });

  it('fire while a slot keeps the log for a standby that is lost, until it is dropped', async () => {
    const standby = await server.standby();
    await until(async () => !fires('HubStandbyLost', await page()));
    await client.query(`SELECT pg_create_physical_replication_slot('lost')`);
    assert.ok(fires('HubStandbyLost', await page()));
    await run('HubStandbyLost', 'lost');
    assert.ok(!fires('HubStandbyLost', await page()));
    await standby.stop();
  });

  it('fire while the log is not archived, until it is', async () => {
    await client.query('SELECT pg_switch_wal()');
    await until(async () => fires('HubArchiveFails', await page()));
    await run('HubArchiveFails');
    writeFileSync(join(folder, 'repaired'), '');
    await client.query('CREATE TABLE written (n int)');
    await client.query('SELECT pg_switch_wal()');
    await until(async () => !fires('HubArchiveFails', await page()));
  });

  it('fire while the database is gone, of which the page then says nothing else', async () => {
    assert.ok(!fires('HubNotReady', await page()));
    assert.match(await page(), /^hub_ledger_unsealed_transfers /m);
    const back = server.restart(DOWN_MS);
    await until(async () => fires('HubNotReady', await page()));
    const gone = await page();
    assert.match(gone, /^hub_fault\{fault="database"\} 1$/m);
    assert.match(gone, /^hub_job_failed\{/m);
    assert.doesNotMatch(gone, /^hub_(?:ledger_unsealed|crawls_due|backup_age|webhooks)/m);
    await back;
    await until(async () => !fires('HubNotReady', await page()));
    assert.match(await page(), /^hub_ledger_unsealed_transfers /m);
  });
});
