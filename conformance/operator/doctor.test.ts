import assert from 'node:assert/strict';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../db/migrations/index.ts';
import { runCli } from '../../server/cli.ts';
import type { Environment } from '../../server/commands/command.ts';
import { realClock } from '../harness/clock.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

const LIMITED = { HUB_RATE_LIMITS: 'true' };

/** Runs the doctor, and returns its lines of one state without the remedies. */
async function examine(env: Environment, ...options: readonly string[]) {
  let text = '';
  const code = await runCli(['doctor', ...options], env, (part) => (text += part));
  const lines = (state: string) => text.split('\n').filter((line) => line.startsWith(`${state} `));
  return { code, text, failed: lines('fail'), fine: lines('ok') };
}

hubsOnBothDatabases('hubctl doctor', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open({ clock: realClock(), env: LIMITED });
  });
  const envOf = ({ hub }: Fixture, more: Environment = {}): Environment => ({
    HUB_DATABASE_URL: hub.running.hub.settings.databaseUrl,
    HUB_DATA_DIR: hub.running.hub.settings.dataDir,
    HUB_BASE_URL: hub.url,
    ...more,
  });

  it('finds nothing wrong with a running hub, and says what it checked', async () => {
    const { code, failed, fine, text } = await examine(envOf(world));
    assert.deepEqual([code, failed], [0, []], text);
    const areas = fine.map((line) => line.split(/ +/)[1]);
    for (const area of ['settings', 'database', 'clock', 'keys', 'disk', 'proxy', 'limits']) {
      assert.ok(areas.includes(area), text);
    }
  });

  it('compares the index of search with its documents when it is asked to', async () => {
    assert.doesNotMatch((await examine(envOf(world))).text, /search/);
    const { code, fine, text } = await examine(envOf(world), '--search');
    assert.equal(code, 0, text);
    assert.match(fine.join(), /ok +search +\d+ documents, \d+ searched, \d+ queued, snapshot none/);
    const model = { HUB_SEARCH_EMBEDDINGS: 'hub/words' };
    const { fine: findings } = await examine(envOf(world, model), '--search');
    assert.match(findings.join(), /ok +search +vectors of hub\/words: 0 texts, 0 wait for theirs/);
    const { failed } = await examine(envOf(world, { HUB_SEARCH_EMBEDDINGS: 'hub/echo' }));
    assert.match(failed.join(), /^fail +settings +HUB_SEARCH_EMBEDDINGS .*: hub\/words/);
  });

  it('names an unknown setting', async () => {
    const { code, failed } = await examine(envOf(world, { HUB_PRT: '1' }));
    assert.equal(code, 1);
    assert.match(failed.join(), /^fail +settings +unknown setting HUB_PRT/);
  });

  it('names a signing key whose file is missing', async () => {
    const env = envOf(world);
    const keys = join(String(env['HUB_DATA_DIR']), 'keys');
    const [name = ''] = readdirSync(keys);
    renameSync(join(keys, name), join(keys, 'away'));
    try {
      const { code, failed } = await examine(env);
      assert.equal(code, 1);
      assert.match(failed.join(), /^fail +keys +\S+\.json is missing/);
    } finally {
      renameSync(join(keys, 'away'), join(keys, name));
    }
  });

  it('names tables of a newer hub', async () => {
    const { store } = world.hub.running.hub;
    const row = { name: '9999_tomorrow_contract', batch: 9 };
    await store.write(async ({ knex }) => void (await knex('knex_migrations').insert(row)));
    const { failed } = await examine(envOf(world));
    await store.write(async ({ knex }) => void (await knex('knex_migrations').where(row).del()));
    assert.match(
      failed.join(),
      /^fail +database +a newer hub made the tables \(9999_tomorrow_contract\)/,
    );
  });

  it('names tables of an unreleased version', async () => {
    const { store } = world.hub.running.hub;
    const rename = (from: string, to: string): Promise<void> =>
      store.write(async ({ knex }) => {
        await knex('knex_migrations').where({ name: from }).update({ name: to });
      });
    const last = migrations.at(-1)?.name ?? assert.fail();
    await rename(last, '0000_draft');
    const { failed } = await examine(envOf(world));
    await rename('0000_draft', last);
    const says = /^fail +database +an unreleased version of the hub made the tables \(0000_draft\)/;
    assert.match(failed.join(), says);
  });

  it('names a base URL at which signatures are rejected', async () => {
    const other = world.hub.url.replace('127.0.0.1', 'localhost');
    const { failed } = await examine(envOf(world, { HUB_BASE_URL: other }));
    assert.match(failed.join(), /^fail +proxy +a signed request is rejected at http:\/\/localhost/);
  });

  it('names a trusted proxy that lets callers claim another address', async () => {
    const own = await open({
      clock: realClock(),
      env: { ...LIMITED, HUB_TRUSTED_PROXIES: '127.0.0.1' },
    });
    const { failed } = await examine(envOf(own, { HUB_TRUSTED_PROXIES: '127.0.0.1' }));
    assert.match(failed.join(), /^fail +limits +callers can claim another address/);
  });
});
