import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import { readSettings } from '../../server/boot/config.ts';
import { openHub, type OpenOptions, type RunningHub } from '../../server/boot/open.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { visitor } from './agents.ts';
import { sharedPostgres } from './databases.ts';
import { fakeClock, type FakeClock } from './clock.ts';
import { mustOk } from './must.ts';
import { freshSqlite } from './sqlite.ts';

/** A hub in this process with its own database, clock and data folder. */
export interface TestHub {
  readonly url: string;
  readonly clock: FakeClock;
  readonly running: RunningHub;
  /** False of a hub of which a suite has the address alone: its clock and jobs are not to be moved. */
  readonly isOurs: boolean;
  runJob(name: string): Promise<void>;
  fund(account: string, amount: string): Promise<void>;
  /** Fails when the books do not balance. */
  audit(): Promise<void>;
  close(): Promise<void>;
}

export interface TestHubOptions {
  readonly databaseUrl?: string;
  readonly clock?: FakeClock;
  /** Compares the clock with those of the database and the file system, as a real hub does. */
  readonly comparesClock?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Accounts that answers mark as the hub's own scripted agents. */
  readonly sandboxAgents?: ReadonlySet<string>;
  /** Lets the published RFC 9421 key of the vectors sign. */
  readonly allowTestKey?: boolean;
  readonly names?: NonNullable<OpenOptions['outbound']>['resolver'];
  readonly wrapChain?: OpenOptions['wrapChain'];
  readonly webFolder?: string;
}

let faucetCalls = 0;

export async function startHub(options: TestHubOptions = {}): Promise<TestHub> {
  const given = options.databaseUrl ?? (await usualDatabase());
  const own = given === MEMORY ? await ownFolder() : undefined;
  const databaseUrl = own === undefined ? given : `sqlite:${join(own, 'hub.sqlite')}`;
  const dataDir = options.env?.['HUB_DATA_DIR'] ?? own ?? dataFolder(given);
  const clock = options.clock ?? fakeClock();
  const settings = readSettings({
    HUB_PORT: String(await freePort()),
    HUB_DATABASE_URL: databaseUrl,
    HUB_DATA_DIR: dataDir,
    HUB_LOG: 'fatal',
    HUB_RATE_LIMITS: 'false',
    HUB_CHECK_ANSWERS: 'true',
    FAUCET_ENABLED: 'true',
    ...options.env,
  });
  const running = await openHub({
    settings,
    clock,
    runJobs: false,
    comparesClock: options.comparesClock ?? false,
    allowTestKey: options.allowTestKey ?? false,
    ...(options.names && { outbound: { resolver: options.names } }),
    ...(options.wrapChain && { wrapChain: options.wrapChain }),
    ...(options.webFolder !== undefined && { webFolder: options.webFolder }),
    ...(options.sandboxAgents && { sandboxAgents: options.sandboxAgents }),
  });
  const anyone = visitor({ url: running.url, clock });
  return {
    url: running.url,
    clock,
    running,
    isOurs: true,
    runJob: async (name) => void (await running.driver.runOnce(name)),
    async fund(account, amount) {
      faucetCalls += 1;
      const body = { amount, idempotencyKey: `fund-${faucetCalls}` };
      mustOk(await anyone.post(`/api/v1/wallet/${account}/credit`, body));
    },
    audit: () => assertBooksBalance(running.hub.store),
    async close() {
      await running.close();
      if (own !== undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}

/** A hub that is asked for by this name gets a file with the hub's tables, removed with the hub. */
const MEMORY = 'sqlite::memory:';

async function ownFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-test-'));
  await freshSqlite(join(folder, 'hub.sqlite'));
  return folder;
}

async function usualDatabase(): Promise<string> {
  const isPostgres = process.env['TEST_DATABASE'] === 'postgres';
  return isPostgres ? (await sharedPostgres()).freshDatabase() : MEMORY;
}

const folders = new Map<string, string>();
process.once('exit', () => {
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
});

/** Hubs that share a database share its data folder, where the key is that they sign with. */
function dataFolder(databaseUrl: string): string {
  const known = folders.get(databaseUrl);
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(tmpdir(), 'hub-test-'));
  folders.set(databaseUrl, folder);
  return folder;
}
