import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../db/store.ts';
import { startPostgres, type RunningPostgres } from './postgres.ts';

/**
 * Defines a suite twice, once for each database. A suite has a fresh database of its own; every
 * `open` opens one more store on it, and all are closed when the suite ends.
 */
export type OpenStore = () => Promise<Store>;

/** First start creates the cluster. */
const START_MS_MAX = 30_000;

let postgres: Promise<RunningPostgres> | undefined;

/** The PostgreSQL of this test process, started when the first suite asks for it. */
export function sharedPostgres(): Promise<RunningPostgres> {
  postgres ??= startPostgres();
  return postgres;
}

/** Root hook: registered once, when the first suite loads this module. */
after('stop PostgreSQL', async () => {
  const running = postgres;
  postgres = undefined;
  await (await running)?.stop();
});

export function onBothDatabases(title: string, define: (open: OpenStore) => void): void {
  describe(`${title} (SQLite)`, () => {
    let folder = '';
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'hub-test-'));
    });
    defineWith(() => `sqlite:${join(folder, 'hub.sqlite')}`, define);
    after(() => rm(folder, { recursive: true, force: true }));
  });
  describe(`${title} (PostgreSQL)`, () => {
    let url = '';
    before(async function start() {
      this.timeout(START_MS_MAX);
      url = await (await sharedPostgres()).freshDatabase();
    });
    defineWith(() => url, define);
  });
}

function defineWith(url: () => string, define: (open: OpenStore) => void): void {
  const opened: Store[] = [];
  define(async () => {
    const store = await openStore(url());
    opened.push(store);
    return store;
  });
  after('close the stores', async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });
}
