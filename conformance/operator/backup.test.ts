import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateKey } from '../../clients/typescript/sign.ts';
import { openStore } from '../../db/store.ts';
import { runCli } from '../../server/cli.ts';
import { bytesOf, filePath, putFile, sha256Of } from '../files/file.ts';
import { agentWith, type Agent } from '../harness/agents.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { fund, person } from '../ledger/book.ts';

type Database = 'SQLite' | 'PostgreSQL';
const START_MS_MAX = 60_000;

/** Runs a command as a person types it, and returns what they see. */
async function hub(env: Record<string, string>, ...words: readonly string[]) {
  let output = '';
  const code = await runCli(words, { HUB_LOG: 'fatal', ...env }, (text) => (output += text));
  return { code, output };
}

/** An empty database and a data folder of its own. */
async function place(database: Database, folder: string): Promise<Record<string, string>> {
  const url =
    database === 'SQLite'
      ? `sqlite:${join(folder, 'hub.sqlite')}`
      : await (await sharedPostgres()).emptyDatabase();
  await mkdir(folder);
  return { HUB_DATABASE_URL: url, HUB_DATA_DIR: join(folder, 'data') };
}

const pay = (to: Agent, idempotencyKey: string) => ({
  to: to.account,
  amount: '1',
  idempotencyKey,
});

/** Atomic units that an account can spend. */
async function spendable(agent: Agent): Promise<bigint> {
  const wallet = mustOk(await agent.get(`/api/v1/wallet/${agent.account}`));
  return BigInt(String(at(wallet, 'spendable')));
}

/** Pays one unit after the other until it is stopped. */
function keepPaying(from: Agent, to: Agent) {
  let count = 0;
  let stopped = false;
  const running = (async () => {
    while (!stopped) {
      mustOk(await from.post(`/api/v1/wallet/${from.account}/pay`, pay(to, `load ${count}`)));
      count += 1;
    }
  })();
  return {
    /** Answers once so many more were paid. */
    async answered(more: number): Promise<void> {
      const until = count + more;
      while (count < until) await Promise.race([running, sleep(5)]);
    },
    async stop(): Promise<void> {
      stopped = true;
      await running;
    },
  };
}

for (const database of ['SQLite', 'PostgreSQL'] as const) {
  describe(`hubctl backup and hubctl restore (${database})`, function backups() {
    this.timeout(START_MS_MAX);
    let root: string;
    let world: Fixture;
    let env: Record<string, string>;
    let fileOwner: Awaited<ReturnType<typeof generateKey>>;
    let count = 0;
    const fresh = (): Promise<Record<string, string>> =>
      place(database, join(root, `to-${++count}`));

    before(async () => {
      root = await mkdtemp(join(tmpdir(), 'hub-backup-'));
      fileOwner = await generateKey();
      env = await place(database, join(root, 'from'));
      world = await openFixture({ databaseUrl: env['HUB_DATABASE_URL'] ?? '', env });
      const owner = agentWith(world.hub, fileOwner);
      await world.fund(owner, '1000000');
      mustOk(await putFile(owner, 'report', bytesOf(5_000, 1)));
    });
    after(async () => {
      await world.close();
      await rm(root, { recursive: true, force: true });
    });

    it('take a snapshot under load that balances to the unit, and run on from there', async () => {
      const folder = join(root, 'loaded');
      const key = await generateKey();
      const payer = agentWith(world.hub, key);
      await world.fund(payer, '1000000');
      const load = keepPaying(payer, world.bob);
      await load.answered(20);
      const made = await hub(env, 'backup', folder);
      await load.answered(20);
      await load.stop();
      assert.equal(made.code, 0, made.output);

      const to = await fresh();
      const restored = await hub(to, 'restore', folder);
      assert.equal(restored.code, 0, restored.output);
      assert.match(restored.output, /The books balance\./);
      const again = await openFixture({ databaseUrl: to['HUB_DATABASE_URL'] ?? '', env: to });
      try {
        const owner = agentWith(again.hub, key);
        const left = await spendable(owner);
        const paid = 1_000_000n - left;
        assert.ok(paid >= 20n && left > (await spendable(payer)), `${paid} paid: of the middle`);
        mustOk(await owner.post(`/api/v1/wallet/${payer.account}/pay`, pay(world.bob, 'after')));
        assert.equal(await spendable(owner), left - 1n);
        const reader = agentWith(again.hub, fileOwner);
        const got = mustOk(await reader.get(filePath(reader, 'report')));
        assert.equal(got['sha256'], sha256Of(bytesOf(5_000, 1)));
        const keysOf = async (at: Fixture) => (await at.anyone.get('/keys')).body['keys'];
        assert.deepEqual(await keysOf(again), await keysOf(world), 'the same keys sign');
      } finally {
        await again.close();
      }
    });

    it('leave nothing of books that do not balance', async () => {
      const bad = await fresh();
      const store = await openStore(bad['HUB_DATABASE_URL'] ?? '');
      await fund(store, person(), 1_000n);
      await store.write(async (tx) => {
        await tx.knex.raw("UPDATE accounts SET posted = posted + 1 WHERE class <> 'external'");
      });
      await store.close();
      const folder = join(root, 'unbalanced');
      assert.equal((await hub(bad, 'backup', folder)).code, 0);
      const to = await fresh();
      const refused = await hub(to, 'restore', folder);
      assert.deepEqual([refused.code, /Nothing was restored/.test(refused.output)], [1, true]);
      assert.match(refused.output, /broken/);
      const whole = join(root, 'after the unbalanced');
      await hub(env, 'backup', whole);
      const next = await hub(to, 'restore', whole);
      assert.equal(next.code, 0, `the place is still empty: ${next.output}`);
    });

    it('refuse a backup that did not end', async () => {
      const folder = join(root, 'cut');
      await hub(env, 'backup', folder);
      await rm(join(folder, 'manifest.json'));
      const refused = await hub(await fresh(), 'restore', folder);
      assert.deepEqual([refused.code, /no backup ended there/.test(refused.output)], [2, true]);
    });

    it('restore into the other kind of database', async () => {
      const folder = join(root, 'for another');
      await hub(env, 'backup', folder);
      const other = await place(database === 'SQLite' ? 'PostgreSQL' : 'SQLite', join(root, 'o'));
      const restored = await hub(other, 'restore', folder);
      assert.equal(restored.code, 0, restored.output);
      const again = await openFixture({ databaseUrl: other['HUB_DATABASE_URL'] ?? '', env: other });
      const reader = agentWith(again.hub, fileOwner);
      assert.equal(await spendable(reader), await spendable(agentWith(world.hub, fileOwner)));
      mustOk(await reader.get(filePath(reader, 'report')));
      await again.close();
    });

    it('refuse a part that was changed, and a place that is taken', async () => {
      const folder = join(root, 'whole');
      await hub(env, 'backup', folder);
      const taken = await hub(env, 'restore', folder);
      assert.deepEqual([taken.code, /is not empty/.test(taken.output)], [2, true], taken.output);
      assert.match((await hub(env, 'backup', folder)).output, /is not empty/);
      const [key = ''] = await readdir(join(folder, 'keys'));
      await appendFile(join(folder, 'keys', key), 'x');
      const refused = await hub(await fresh(), 'restore', folder);
      assert.deepEqual(
        [refused.code, /was changed/.test(refused.output)],
        [2, true],
        refused.output,
      );
    });

    it('refuse what a newer hub made', async () => {
      const folder = join(root, 'newer');
      await hub(env, 'backup', folder);
      const path = join(folder, 'manifest.json');
      const manifest = JSON.parse(await readFile(path, 'utf8')) as { migrations: string[] };
      manifest.migrations.push('9999_tomorrow');
      await writeFile(path, JSON.stringify(manifest));
      const refused = await hub(await fresh(), 'restore', folder);
      assert.match(refused.output, /A newer hub made this backup/);
    });

    it('refuse what an unreleased version made', async () => {
      const folder = join(root, 'unreleased');
      await hub(env, 'backup', folder);
      const path = join(folder, 'manifest.json');
      const manifest = JSON.parse(await readFile(path, 'utf8')) as { migrations: string[] };
      manifest.migrations[1] = '0002_identity';
      await writeFile(path, JSON.stringify(manifest));
      const refused = await hub(await fresh(), 'restore', folder);
      assert.match(refused.output, /An unreleased version of the hub made this backup/);
    });
  });
}
