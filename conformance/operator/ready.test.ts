import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCli } from '../../server/cli.ts';
import { keyFile } from '../../workflows/kernel/keys/keyFiles.ts';
import { fakeClock } from '../harness/clock.ts';
import { mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { digestOf, timeApp } from '../time/_site.ts';

hubsOnBothDatabases('a process that cannot do its work', (open) => {
  const folders: string[] = [];
  const clock = fakeClock();
  after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  const ready = async ({ hub }: Fixture): Promise<readonly [number, string]> => {
    const answer = await fetch(`${hub.url}/readyz`);
    return [answer.status, await answer.text()];
  };
  const READY = [200, 'ready\n'];

  it('is not ready without the file of a rotated key, and ready when it is copied', async () => {
    const first = await open({ clock });
    const { databaseUrl, dataDir } = first.hub.running.hub.settings;
    const own = mkdtempSync(join(tmpdir(), 'hub-ready-'));
    folders.push(own);
    const signing = first.hub.running.hub.keys.current().keyId;
    const copyKey = (keyId: typeof signing): void => {
      mkdirSync(dirname(keyFile(own, keyId)), { recursive: true });
      copyFileSync(keyFile(dataDir, keyId), keyFile(own, keyId));
    };
    copyKey(signing);
    const second = await open({ clock, env: { HUB_DATA_DIR: own } });
    const env = { HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: dataDir };
    assert.equal(await runCli(['key', 'rotate'], env, () => undefined), 0);
    clock.advance(60);
    await first.hub.runJob('pulse');
    await second.hub.runJob('pulse');
    const next = first.hub.running.hub.keys.current().keyId;
    assert.notEqual(next, signing);
    assert.deepEqual([await ready(first), await ready(second)], [READY, [503, 'no signing key\n']]);
    mustRefuse(await timeApp(second.hub).stamp(digestOf('a')), 503, 'busy');
    for (const job of ['sealJournal', 'sequenceLog', 'pulse']) {
      await second.hub.runJob(job);
      const report = second.hub.running.driver.report().find(({ name }) => name === job);
      assert.equal(report?.lastError, undefined, job);
    }
    copyKey(next);
    await second.hub.runJob('pulse');
    assert.deepEqual(await ready(second), READY);
    await timeApp(second.hub).promise(digestOf('a'));
  });

  it('is not ready while its folder takes no file, and ready when it does again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-ready-'));
    folders.push(folder);
    const first = await open({ clock });
    const { keys, settings } = first.hub.running.hub;
    const own = join(folder, 'data');
    const { keyId } = keys.current();
    mkdirSync(dirname(keyFile(own, keyId)), { recursive: true });
    copyFileSync(keyFile(settings.dataDir, keyId), keyFile(own, keyId));
    const world = await open({ clock, env: { HUB_DATA_DIR: own } });
    assert.deepEqual(await ready(world), READY);
    renameSync(own, `${own}-away`);
    await world.hub.runJob('healthCheck');
    assert.deepEqual(await ready(world), [503, `${own} cannot be written\n`]);
    assert.ok(!existsSync(own), 'the probe makes no folder');
    renameSync(`${own}-away`, own);
    await world.hub.runJob('healthCheck');
    assert.deepEqual(await ready(world), READY);
  });
});
