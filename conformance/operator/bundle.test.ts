import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import { runCli } from '../../server/cli.ts';
import { realClock } from '../harness/clock.ts';
import { openFixture } from '../harness/fixture.ts';

const SECRET = 'aVerySecretWordOfTheOperator';

describe('hubctl bundle', () => {
  it('writes versions, settings without secrets, doctor, metrics and the newest errors', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hub-bundle-'));
    const metricsPort = String(await freePort());
    const own = {
      HUB_METRICS_PORT: metricsPort,
      HUB_ADMIN_TOKEN: SECRET,
      HUB_TRACES_URL: `http://user:${SECRET}@127.0.0.1:1/${SECRET}`,
      HUB_DATA_DIR: join(folder, 'data'),
    };
    const databaseUrl = `sqlite:${join(folder, 'hub.sqlite')}`;
    const world = await openFixture({ clock: realClock(), databaseUrl, env: own });
    try {
      const log = join(folder, 'log');
      const lines = [
        { level: 30, msg: 'request' },
        { level: 50, msg: 'job failed', err: { message: 'no disk' } },
      ];
      await writeFile(
        log,
        `no line of ours\n${lines.map((each) => JSON.stringify(each)).join('\n')}\n`,
      );
      const file = join(folder, 'bundle.json');
      const { port } = new URL(world.hub.url);
      const env = {
        ...own,
        HUB_DATABASE_URL: databaseUrl,
        HUB_BASE_URL: world.hub.url,
        HUB_PORT: port,
        HUB_LOG: 'warn',
      };
      let output = '';
      const run = (...words: readonly string[]) => runCli(words, env, (text) => (output += text));
      assert.equal(await run('bundle', file, '--log', log), 0, output);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      const text = await readFile(file, 'utf8');
      for (const hidden of [SECRET, 'user:']) assert.ok(!text.includes(hidden), hidden);
      const bundle = JSON.parse(text) as Record<string, Record<string, unknown>>;
      assert.deepEqual(
        [bundle['settings']?.['HUB_LOG'], bundle['settings']?.['HUB_ADMIN_TOKEN']],
        ['warn', '(set)'],
      );
      assert.equal(bundle['settings']?.['HUB_TRACES_URL'], 'http://127.0.0.1:1');
      assert.equal(bundle['database']?.['dialect'], 'sqlite');
      assert.equal(bundle['ready']?.['status'], 200);
      const metrics = (bundle['metrics']?.['lines'] as readonly string[]).join('\n');
      assert.match(metrics, /^# TYPE hub_requests_total counter$/m);
      assert.deepEqual(bundle['faults'], [lines[1]]);
      assert.ok(JSON.stringify(bundle['doctor']).includes('"area":"database"'));
      await assert.rejects(run('bundle', file), /EEXIST/);
    } finally {
      await world.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('is written all the same where nothing can be reached', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hub-bundle-'));
    const file = join(folder, 'bundle.json');
    const env = { HUB_PRT: '1', HUB_DATA_DIR: folder };
    assert.equal(await runCli(['bundle', file], env, () => undefined), 0);
    const bundle = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    assert.match(JSON.stringify(bundle['doctor']), /unknown setting HUB_PRT/);
    const closed = { HUB_PORT: String(await freePort()), HUB_DATA_DIR: folder };
    assert.equal(await runCli(['bundle', join(folder, 'other')], closed, () => undefined), 0);
    assert.match(await readFile(join(folder, 'other'), 'utf8'), /"ready": "not available: /);
    await rm(folder, { recursive: true, force: true });
  });
});
