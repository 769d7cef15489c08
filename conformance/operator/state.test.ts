import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCli } from '../../server/cli.ts';
import { keyFile } from '../../workflows/kernel/keys/keyFiles.ts';
import { fakeClock } from '../harness/clock.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

type State = Record<'money' | 'writes' | 'time', { readonly [name: string]: string }> & {
  readonly startedAt: string;
};

hubsOnBothDatabases('the state that pages ask for', (open) => {
  const clock = fakeClock();
  let world: Fixture;
  const folders: string[] = [];
  before(async () => (world = await open({ clock, env: { HUB_RATE_LIMITS: 'true' } })));
  after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

  const ask = async (accept = 'application/json'): Promise<Response> =>
    fetch(`${world.hub.url}/healthz`, { headers: { accept } });
  const state = async (): Promise<State> => {
    // The state is shared for a second.
    clock.advance(1);
    return (await ask()).json() as Promise<State>;
  };
  const hubctl = async (...words: string[]): Promise<void> => {
    const { databaseUrl, dataDir } = world.hub.running.hub.settings;
    const env = { HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: dataDir };
    assert.equal(await runCli(words, env, () => undefined), 0);
    await world.hub.runJob('pauseCheck');
  };

  it('is well on a new hub, and balancers still read one word', async () => {
    const answer = await ask();
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('content-type'), 'application/json');
    const { startedAt, ...parts } = (await answer.json()) as State;
    assert.ok(Date.parse(startedAt) <= clock.now());
    assert.deepEqual(parts, {
      money: { state: 'moves' },
      writes: { state: 'accepted' },
      time: { state: 'live' },
    });
    for (const accept of ['*/*', 'text/plain']) {
      assert.equal(await (await ask(accept)).text(), 'ok\n');
    }
  });

  it('has since when and why no money moves, until it does again', async () => {
    await hubctl('freeze', 'A rail is being repaired.');
    const { money } = await state();
    assert.equal(money['state'], 'frozen');
    assert.equal(money['reason'], 'A rail is being repaired.');
    assert.ok(Math.abs(Date.parse(money['since'] ?? '') - Date.now()) < 60_000);
    await hubctl('thaw');
    assert.deepEqual((await state()).money, { state: 'moves' });
  });

  it('has since when the chain of pulses stands still', async () => {
    await world.hub.runJob('pulse');
    clock.advance(60);
    await world.hub.runJob('pulse');
    assert.deepEqual((await state()).time, { state: 'live' });
    clock.advance(600);
    const { time } = await state();
    assert.equal(time['state'], 'stalled');
    assert.match(time['reason'] ?? '', /^no pulse was issued after \d+$/);
    assert.ok(Date.parse(time['since'] ?? '') <= clock.now() - 360_000);
    await world.hub.runJob('pulse');
    assert.deepEqual((await state()).time, { state: 'live' });
  });

  it('has since when the disk takes no files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-state-'));
    folders.push(folder);
    const own = join(folder, 'data');
    const { keys, settings } = world.hub.running.hub;
    const { keyId } = keys.current();
    mkdirSync(dirname(keyFile(own, keyId)), { recursive: true });
    copyFileSync(keyFile(settings.dataDir, keyId), keyFile(own, keyId));
    const other = await open({ clock, env: { HUB_DATA_DIR: own } });
    const first = world;
    world = other;
    try {
      assert.deepEqual((await state()).writes, { state: 'accepted' });
      renameSync(own, `${own}-away`);
      await other.hub.runJob('healthCheck');
      const { writes } = await state();
      assert.equal(writes['reason'], 'The disk takes no files.');
      assert.deepEqual((await state()).writes, writes, 'the time is that of the first fault');
      renameSync(`${own}-away`, own);
      await other.hub.runJob('healthCheck');
      assert.deepEqual((await state()).writes, { state: 'accepted' });
    } finally {
      world = first;
    }
  });

  it('reads the database once a second, however many pages ask', async () => {
    clock.advance(1);
    const { store } = world.hub.running.hub;
    const read = store.read.bind(store);
    let reads = 0;
    Object.assign(store, {
      read: (...words: Parameters<typeof store.read>) => ((reads += 1), read(...words)),
    });
    try {
      const answers = await Promise.all(Array.from({ length: 400 }, () => ask()));
      assert.ok(
        answers.every(({ status }) => status === 200),
        'no limit counts them',
      );
      assert.equal(reads, 1);
    } finally {
      Object.assign(store, { read });
    }
  });
});
