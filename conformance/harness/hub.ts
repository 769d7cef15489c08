import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import { readSettings } from '../../server/config.ts';
import { openHub, type OpenOptions, type RunningHub } from '../../server/open.ts';
import { fakeClock, type FakeClock } from './clock.ts';

/** A hub in this process with its own database, clock and data folder. */
export interface TestHub {
  readonly url: string;
  readonly clock: FakeClock;
  readonly running: RunningHub;
  /** Runs a job as its timer would. */
  runJob(name: string): Promise<void>;
  close(): Promise<void>;
}

export interface TestHubOptions {
  readonly databaseUrl?: string;
  readonly clock?: FakeClock;
  readonly env?: Readonly<Record<string, string>>;
  /** Accounts that answers mark as the hub's own scripted agents. */
  readonly sandboxAgents?: ReadonlySet<string>;
  /** Lets the published RFC 9421 key of the vectors sign. */
  readonly allowTestKey?: boolean;
  /** Answers for name servers. */
  readonly names?: NonNullable<OpenOptions['outbound']>['resolver'];
}

export async function startHub(options: TestHubOptions = {}): Promise<TestHub> {
  const databaseUrl = options.databaseUrl ?? MEMORY;
  const dataDir = options.env?.['HUB_DATA_DIR'] ?? dataFolder(databaseUrl);
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
    allowTestKey: options.allowTestKey ?? false,
    ...(options.names && { outbound: { resolver: options.names } }),
    ...(options.sandboxAgents && { sandboxAgents: options.sandboxAgents }),
  });
  return {
    url: running.url,
    clock,
    running,
    runJob: (name) => running.driver.runOnce(name),
    async close() {
      await running.close();
      if (databaseUrl === MEMORY) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const MEMORY = 'sqlite::memory:';
const folders = new Map<string, string>();
process.once('exit', () => {
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
});

/** Hubs that share a database share its data folder, where the key is that they sign with. */
function dataFolder(databaseUrl: string): string {
  const known = folders.get(databaseUrl);
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(tmpdir(), 'hub-test-'));
  if (databaseUrl !== MEMORY) folders.set(databaseUrl, folder);
  return folder;
}
