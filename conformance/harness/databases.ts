import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../db/store.ts';
import { addressOf, query, startPostgres, type RunningPostgres } from './postgres.ts';
import { afterFile, afterRun } from './runner.ts';
import { freshSqlite } from './sqlite.ts';

/**
 * Defines a suite twice, once for each database, with a fresh one of its own. Every `open` opens
 * one more store on it, and all are closed when the suite ends.
 */
export type OpenStore = () => Promise<Store>;

export interface SharedPostgres {
  /** Address of a database of its own with the hub's tables: a copy, so nothing is migrated. */
  freshDatabase(): Promise<string>;
  /** Address of a database of its own without a table, for what tests the first start. */
  emptyDatabase(): Promise<string>;
}

/** First start creates the cluster. */
const START_MS_MAX = 30_000;
const TEMPLATE = 'hub_tables';

let running: Promise<RunningPostgres> | undefined;
let shared: Promise<SharedPostgres> | undefined;

/**
 * Returns the PostgreSQL of this process, started for its first suite. Every worker has its own,
 * because a server numbers the transactions of all its databases together, so one database would
 * wait for the others.
 */
export function sharedPostgres(): Promise<SharedPostgres> {
  running ??= startPostgres();
  shared ??= running.then(({ folder }) => databasesOf(folder));
  return shared;
}

/** Root hook of plain mocha: registered once, when the first suite loads this module. */
afterRun(async () => {
  const started = running;
  running = undefined;
  await (await started)?.stop();
});

function databasesOf(folder: string): SharedPostgres {
  let count = 0;
  const made: string[] = [];
  afterFile(async () => {
    for (const name of made.splice(0)) await query(folder, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  const create = async (as: string): Promise<string> => {
    count += 1;
    const name = `test_${count}`;
    await query(folder, `CREATE DATABASE ${name} ${as}`);
    made.push(name);
    return addressOf(folder, name);
  };
  let isReady: Promise<void> | undefined;
  return {
    async freshDatabase() {
      await (isReady ??= makeTemplate(folder));
      return create(`TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
    },
    emptyDatabase: () => create(''),
  };
}

async function makeTemplate(folder: string): Promise<void> {
  await query(folder, `CREATE DATABASE ${TEMPLATE}`);
  await (await openStore(addressOf(folder, TEMPLATE))).close();
}

/**
 * The two databases with the address of a fresh one; SQLite is a file in the given folder, or in
 * memory. The title of a suite ends with the name in brackets, by which `npm test` selects SQLite
 * and `npm run test:long` PostgreSQL (docs/testing.md).
 */
export const DATABASES: readonly (readonly [
  name: 'SQLite' | 'PostgreSQL',
  url: (folder?: string) => Promise<string>,
])[] = [
  [
    'SQLite',
    async (folder) => {
      if (folder === undefined) return 'sqlite::memory:';
      const path = join(folder, 'hub.sqlite');
      await freshSqlite(path);
      return `sqlite:${path}`;
    },
  ],
  ['PostgreSQL', async () => (await sharedPostgres()).freshDatabase()],
];

export function onBothDatabases(title: string, define: (open: OpenStore) => void): void {
  for (const [name, freshUrl] of DATABASES) {
    describe(`${title} (${name})`, () => {
      let folder = '';
      let url = '';
      before(async function start() {
        this.timeout(START_MS_MAX);
        folder = await mkdtemp(join(tmpdir(), 'hub-test-'));
        url = await freshUrl(folder);
      });
      defineWith(() => url, define);
      after(() => rm(folder, { recursive: true, force: true }));
    });
  }
}

function defineWith(url: () => string, define: (open: OpenStore) => void): void {
  const opened: Store[] = [];
  define(async () => {
    const store = await openStore(url(), { guardNesting: true });
    opened.push(store);
    return store;
  });
  after('close the stores', async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });
}
