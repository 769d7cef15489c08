import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import { runCli } from '../../server/cli.ts';
import { keyFile } from '../../workflows/kernel/keys/keyFiles.ts';
import { newAgent } from '../harness/agents.ts';
import type { FakeClock } from '../harness/clock.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { freshSqlite } from '../harness/sqlite.ts';
import { authority } from '../outbound/_certificates.ts';
import { wrongBy } from '../time/_site.ts';
import { create, startReceiver, status } from '../webhooks/_world.ts';
import { commandsOf, fires, rules } from './_alerts.ts';

const HOUR_MS = 3_600_000;
/** alertsOfProcess.test.ts has these: the process of this test runs others as well. */
const NOT_OF_ONE_HUB = ['HubDown', 'HubRequestsFail', 'HubLoopSlow', 'HubMemoryHigh'];
const SUITE_MS_MAX = 60_000;
/** `hubctl doctor` has a suite of its own. */
const RUN = [
  'hubctl audit',
  'hubctl backup --noted',
  'hubctl backup FOLDER',
  'hubctl doctor',
  'hubctl feed list',
  'hubctl feed remove URL',
  'hubctl feed run URL',
  'hubctl key rotate',
  'hubctl pulses',
  'hubctl pulses withdraw SEQ',
  'hubctl thaw',
];

/** Each alert is caused at a hub, and ended as its section of the runbook says. */
describe('an alert', function suite() {
  this.timeout(SUITE_MS_MAX);
  let folder: string;
  const hubs: TestHub[] = [];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hub-alert-'));
    mkdirSync(join(folder, 'data'));
    await freshSqlite(join(folder, 'hub.sqlite'));
  });
  afterEach(async () => {
    for (const hub of hubs.splice(0)) await hub.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Watched extends TestHub {
    fires(alert: string): Promise<boolean>;
  }
  const settings = (): Record<string, string> => ({
    HUB_DATABASE_URL: `sqlite:${join(folder, 'hub.sqlite')}`,
    HUB_DATA_DIR: join(folder, 'data'),
  });
  const start = async (
    clock: FakeClock = wrongBy(0),
    env: Record<string, string> = {},
    comparesClock = false,
  ): Promise<Watched> => {
    const port = String(await freePort());
    const hub = await startHub({
      clock,
      comparesClock,
      databaseUrl: `sqlite:${join(folder, 'hub.sqlite')}`,
      env: { ...settings(), HUB_METRICS_PORT: port, HUB_DISK_LOW_MB: '100', ...env },
    });
    hubs.push(hub);
    const page = async (): Promise<string> =>
      (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return { ...hub, fires: async (alert) => fires(alert, await page()) };
  };
  const stop = async (hub: TestHub): Promise<void> => {
    hubs.splice(
      hubs.findIndex(({ url }) => url === hub.url),
      1,
    );
    await hub.close();
  };
  /** Runs a command as the runbook has it, with its capitals replaced. */
  const follow = async (
    section: string,
    command: string,
    values: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    assert.ok(commandsOf(section, 'hubctl').includes(command), `${command} of ${section}`);
    let output = '';
    const words = command.split(' ').slice(1);
    const given = words.map((word) => values[word] ?? word);
    const code = await runCli(given, settings(), (text) => (output += text));
    assert.equal(code, 0, output);
    return output;
  };
  const minute = async (hub: TestHub): Promise<void> => {
    hub.clock.advance(60);
    await hub.runJob('pulse');
  };

  it('is followed by no command of the runbook that is not run here', () => {
    const all = rules.flatMap(({ alert }) => commandsOf(alert, 'hubctl'));
    assert.deepEqual([...new Set(all)].sort(), [...RUN].sort());
  });

  it('is quiet at a hub that is well', async () => {
    const hub = await start();
    await minute(hub);
    const loud: string[] = [];
    for (const { alert } of rules.filter((rule) => !NOT_OF_ONE_HUB.includes(rule.alert))) {
      if (await hub.fires(alert)) loud.push(alert);
    }
    assert.deepEqual(loud, []);
  });

  it('is ended by a thaw of frozen money', async () => {
    const hub = await start();
    assert.equal(await runCli(['freeze', 'odd'], settings(), () => undefined), 0);
    await hub.runJob('pauseCheck');
    assert.ok(await hub.fires('HubLedgerFrozen'));
    assert.match(await follow('HubLedgerFrozen', 'hubctl audit'), /balance/i);
    await follow('HubLedgerFrozen', 'hubctl thaw');
    await hub.runJob('pauseCheck');
    assert.ok(!(await hub.fires('HubLedgerFrozen')));
  });

  it('is ended by the next pulse when the chain stands', async () => {
    const hub = await start();
    await minute(hub);
    hub.clock.advance(200);
    assert.ok(await hub.fires('HubPulseLate'));
    await minute(hub);
    assert.ok(!(await hub.fires('HubPulseLate')));
  });

  it('is ended by taking pulses back when the chain is ahead', async () => {
    const early = await start(wrongBy(HOUR_MS));
    await minute(early);
    await stop(early);
    const hub = await start();
    assert.ok(await hub.fires('HubPulseAhead'));
    const [, first = ''] =
      /withdraw (\d+)/.exec(await follow('HubPulseAhead', 'hubctl pulses')) ?? [];
    await follow('HubPulseAhead', 'hubctl pulses withdraw SEQ', { SEQ: first });
    await minute(hub);
    assert.ok(!(await hub.fires('HubPulseAhead')));
  });

  it('is ended by setting the clock that differs', async () => {
    const hub = await start(wrongBy(5_000), {}, true);
    const state = async (): Promise<readonly boolean[]> => [
      await hub.fires('HubClockOff'),
      await hub.fires('HubClockWrong'),
      await hub.fires('HubNotReady'),
    ];
    assert.deepEqual(await state(), [true, false, false]);
    hub.clock.jump(HOUR_MS);
    assert.deepEqual(await state(), [true, true, true]);
    hub.clock.jump(-HOUR_MS - 5_000);
    await hub.runJob('healthCheck');
    assert.deepEqual(await state(), [false, false, false]);
  });

  it('is ended by copying a key that is not there', async () => {
    const first = await start();
    const own = join(folder, 'own');
    const copyKey = (keyId: ReturnType<typeof signing>): void => {
      mkdirSync(dirname(keyFile(own, keyId)), { recursive: true });
      copyFileSync(keyFile(join(folder, 'data'), keyId), keyFile(own, keyId));
    };
    const signing = () => first.running.hub.keys.current().keyId;
    copyKey(signing());
    const second = await start(first.clock, { HUB_DATA_DIR: own });
    await follow('HubKeyMissing', 'hubctl key rotate');
    await minute(first);
    await second.runJob('pulse');
    assert.deepEqual(
      [await second.fires('HubKeyMissing'), await second.fires('HubNotReady')],
      [true, true],
    );
    assert.ok(!(await first.fires('HubKeyMissing')));
    copyKey(signing());
    await second.runJob('pulse');
    assert.ok(!(await second.fires('HubKeyMissing')));
  });

  it('is raised and ended for a disk that is nearly full, and for one that takes no file', async () => {
    const hub = await start(wrongBy(0), { HUB_DISK_LOW_MB: '10000000' });
    assert.ok(await hub.fires('HubDiskLow'));
    assert.ok(!(await hub.fires('HubNotReady')));
    renameSync(join(folder, 'data'), join(folder, 'away'));
    await hub.runJob('healthCheck');
    assert.ok(await hub.fires('HubNotReady'));
    renameSync(join(folder, 'away'), join(folder, 'data'));
    await hub.runJob('healthCheck');
    assert.ok(!(await hub.fires('HubNotReady')));
  });

  it('is ended by a backup when the last is old, of the hub or of another program', async () => {
    const then = await start(wrongBy(-37 * HOUR_MS));
    await stop(then);
    const hub = await start();
    assert.ok(await hub.fires('HubBackupOld'));
    await follow('HubBackupOld', 'hubctl backup FOLDER', { FOLDER: join(folder, 'backup') });
    assert.ok(!(await hub.fires('HubBackupOld')));
    hub.clock.jump(37 * HOUR_MS);
    assert.ok(await hub.fires('HubBackupOld'));
    hub.clock.jump(-37 * HOUR_MS);
    await follow('HubBackupOld', 'hubctl backup --noted');
    assert.ok(!(await hub.fires('HubBackupOld')));
  });

  it('is raised and ended for a certificate that ends soon', async () => {
    const port = await freePort();
    const days = (count: number): number => count * 24 * HOUR_MS;
    const { cert, key } = authority('here').issue(['localhost'], 2030);
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'key.pem'), key);
    const hub = await start(wrongBy(Date.parse('2030-01-01') - Date.now() - days(15)), {
      HUB_PORT: String(port),
      HUB_BASE_URL: `https://127.0.0.1:${port}`,
      HUB_TLS_CERT: join(folder, 'cert.pem'),
      HUB_TLS_KEY: join(folder, 'key.pem'),
    });
    await hub.runJob('certificateCheck');
    assert.ok(!(await hub.fires('HubCertificateEnds')));
    hub.clock.jump(days(2));
    assert.ok(await hub.fires('HubCertificateEnds'));
  });

  it('is ended by another try of a feed that fails for an hour, or by giving it up', async () => {
    const pair = `127.0.0.1:${await freePort()}`;
    const URL = `http://${pair}/v0.1/servers`;
    const hub = await start(wrongBy(0), { HUB_ALLOW_PRIVATE_HOSTS: pair });
    assert.equal(await runCli(['feed', 'add', URL], settings(), () => undefined), 0);
    await hub.runJob('crawlFeeds');
    assert.ok(!(await hub.fires('HubFeedFails')), 'it may be back within the hour');
    hub.clock.advance(3_700);
    await hub.runJob('crawlFeeds');
    assert.ok(await hub.fires('HubFeedFails'));
    assert.match(await follow('HubFeedFails', 'hubctl feed list'), /127\.0\.0\.1/);
    await follow('HubFeedFails', 'hubctl feed run URL', { URL });
    assert.ok(!(await hub.fires('HubFeedFails')));
    await follow('HubFeedFails', 'hubctl feed remove URL', { URL });
  });

  it('is ended when webhooks that died are taken again', async () => {
    const receiver = await startReceiver(status(503));
    try {
      const hub = await start(wrongBy(0), { HUB_ALLOW_PRIVATE_HOSTS: receiver.pair });
      const agent = await newAgent(hub);
      await create(agent, { url: receiver.url });
      await hub.fund(agent.account, '1000');
      await hub.runJob('webhooks');
      assert.ok(!(await hub.fires('HubWebhooksFail')));
      hub.clock.advance(3_700);
      assert.ok(await hub.fires('HubWebhooksFail'));
      receiver.answer(status(204));
      await hub.runJob('webhooks');
      assert.ok(!(await hub.fires('HubWebhooksFail')));
    } finally {
      await receiver.close();
    }
  });

  it('is ended by the block of a transfer that is not sealed', async () => {
    const hub = await start();
    await hub.fund((await newAgent(hub)).account, '1000');
    hub.clock.advance(700);
    assert.ok(await hub.fires('HubSealsLate'));
    await hub.runJob('sealJournal');
    assert.ok(!(await hub.fires('HubSealsLate')));
  });

  it('is ended when the cause of a failing job is gone', async () => {
    const hub = await start();
    const rename = (from: string, to: string): Promise<void> =>
      hub.running.hub.store.write(async ({ knex }) => {
        await knex.raw(`ALTER TABLE ${from} RENAME TO ${to}`);
      });
    await rename('a2a_tasks', 'away');
    await hub.runJob('housekeeping');
    assert.ok(await hub.fires('HubJobFailed'));
    await rename('away', 'a2a_tasks');
    await hub.runJob('housekeeping');
    assert.ok(!(await hub.fires('HubJobFailed')));
  });
});
