import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../clients/examples/freePort.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { storeContent } from '../../workflows/files/put.ts';
import { agentWith, visitor } from '../harness/agents.ts';
import { fakeClock } from '../harness/clock.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { startHub } from '../harness/hub.ts';
import { mustHaveConformed, mustOk } from '../harness/must.ts';
import { startProcess } from '../kinds/kill/process.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { bytesOf, filePath, putFile, sha256Of } from './file.ts';

const KILLS = Number(process.env['KILLS'] ?? 4);
const HOUR_MS = 3_600_000;

interface Place {
  readonly databaseUrl: string;
  readonly dataDir: string;
}

async function objectsIn({ dataDir }: Place): Promise<readonly string[]> {
  const names = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true });
  return names.filter((each) => each.isFile()).map(({ name }) => name);
}

/** Sweeps as a hub does that comes an hour later; answers what the database knows afterwards. */
async function sweptHub(place: Place) {
  const hub = await startHub({
    databaseUrl: place.databaseUrl,
    clock: fakeClock(Date.now() + 2 * HOUR_MS),
    env: { HUB_DATA_DIR: place.dataDir },
  });
  while ((await hub.running.driver.runOnce('fileSweep')) !== undefined);
  const contents = await hub.running.hub.store.read((db) =>
    db.knex<{ object: string; state: string }>('file_contents'),
  );
  return { hub, contents };
}

for (const database of ['SQLite', 'PostgreSQL'] as const) {
  describe(`a hub that is killed while it stores files (${database})`, function suite() {
    this.timeout(240_000);
    let place: Place;
    before(async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'hub-kill-'));
      const databaseUrl =
        database === 'SQLite'
          ? `sqlite:${join(dataDir, 'hub.sqlite')}`
          : await (await sharedPostgres()).freshDatabase();
      place = { databaseUrl, dataDir };
    });
    after(() => rm(place.dataDir, { recursive: true, force: true }));

    it('keeps every file that it answered, balances, and loses nothing but room for an hour', async () => {
      const env = {
        HUB_DATABASE_URL: place.databaseUrl,
        HUB_DATA_DIR: place.dataDir,
        HUB_RATE_LIMITS: 'false',
        FAUCET_ENABLED: 'true',
      };
      const key = await generateKey();
      const answered = new Map<string, string>();
      for (let life = 0; life < KILLS; life += 1) {
        const running = await startProcess(env, await freePort());
        const here = { url: running.url, clock: { now: () => Date.now() } };
        const agent = agentWith(here, key);
        const fund = { amount: '1000000', idempotencyKey: `life-${life}` };
        mustOk(await visitor(here).post(`/api/v1/wallet/${agent.account}/credit`, fund));
        const writers = [0, 1, 2].map(async (writer) => {
          for (let n = 0; ; n += 1) {
            const name = `${life}-${writer}-${n % 3}`;
            const content = bytesOf(40_000 + n, life * 1000 + writer * 100 + n);
            const stored = await putFile(agent, name, content).catch(() => undefined);
            if (stored === undefined) return;
            answered.set(name, String(mustOk(stored)['sha256']));
            assert.equal(answered.get(name), sha256Of(content));
          }
        });
        await sleep(250 + ((life * 7919) % 400));
        await running.kill();
        await Promise.all(writers);
      }
      assert.ok(answered.size > 0, 'something was stored');
      const { hub, contents } = await sweptHub(place);
      try {
        const agent = agentWith(hub, key);
        for (const [name, sha256] of answered) {
          const got = mustOk(await agent.get(filePath(agent, name)));
          const bytes = Buffer.from(String(got['contentBase64']), 'base64');
          assert.equal(sha256Of(bytes), got['sha256'], `${name} is whole`);
          // The last put may have been committed without an answer.
          if (got['sha256'] !== sha256) assert.ok(Number(got['bytes']) > 40_000);
        }
        assert.deepEqual([...new Set(contents.map(({ state }) => state))], ['kept']);
        assert.deepEqual(
          [...(await objectsIn(place))].sort(),
          contents.map(({ object }) => object).sort(),
          'the store holds what files have, and nothing else',
        );
        await assertBooksBalance(hub.running.hub.store);
      } finally {
        await hub.close();
      }
      mustHaveConformed();
    });

    it('sweeps what lies between the store and the commit, and nothing that is about to be committed', async () => {
      const hub = await startHub({ ...place, env: { HUB_DATA_DIR: place.dataDir } });
      const content = bytesOf(500, 99);
      const path = join(place.dataDir, 'arrived');
      await writeFile(path, content);
      const sha256 = sha256Of(content);
      const discard = (): Promise<void> => rm(path, { force: true });
      const upload = { path, sha256, bytes: content.length, isBase64: true, discard };
      const { object } = await storeContent(hub.running.hub, upload);
      await hub.runJob('fileSweep');
      assert.ok((await objectsIn(place)).includes(object), 'it may still be committed');
      await hub.close();
      const { hub: later } = await sweptHub(place);
      assert.ok(!(await objectsIn(place)).includes(object));
      await later.close();
    });
  });
}
