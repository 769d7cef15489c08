import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import knex from 'knex';
import { freePort } from '../../clients/examples/freePort.ts';
import { program } from '../harness/program.ts';
import { freshSqlite } from '../harness/sqlite.ts';
import { until } from '../harness/waiting.ts';
import { fires, grewAbove, rules } from './_alerts.ts';

const SUITE_MS_MAX = 120_000;
const ANSWERS = 20;
/** Longer than the alert allows, and many times within one scrape. */
const STOPPED_MS = 150;
const STOPS = 10;
/** More than the alert allows, held by a module that the process loads before its own. */
const HELD_BYTES = 1_600_000_000;
const HOLDS = `data:text/javascript,globalThis.held=Buffer.alloc(${HELD_BYTES},1)`;

/** Alerts of a whole process, each of which has a hub of its own. */
describe('an alert of a process', function suite() {
  this.timeout(SUITE_MS_MAX);
  let folder: string;
  let child: ChildProcess | undefined;
  let url = '';
  let metricsUrl = '';
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hub-alert-'));
    await freshSqlite(join(folder, 'hub.sqlite'));
  });
  afterEach(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const databaseUrl = (): string => `sqlite:${join(folder, 'hub.sqlite')}`;
  const start = async (...words: readonly string[]): Promise<void> => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    [url, metricsUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${metricsPort}/metrics`];
    child = spawn(process.execPath, [...words, await program('server/main.ts')], {
      env: {
        ...process.env,
        HUB_DATABASE_URL: databaseUrl(),
        HUB_DATA_DIR: folder,
        HUB_PORT: String(port),
        HUB_METRICS_PORT: String(metricsPort),
        HUB_RATE_LIMITS: 'false',
        HUB_LOG: 'silent',
      },
      stdio: 'ignore',
    });
    // The two ports open one after the other.
    await until(async () => (await isUp()) && (await answers(url)));
  };
  const kill = async (): Promise<void> => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const page = async (): Promise<string> => (await fetch(metricsUrl)).text();
  /** Prometheus makes `up` of whether its scrape was answered. */
  const isUp = (): Promise<boolean> => answers(metricsUrl);
  const asked = async (): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let n = 0; n < ANSWERS; n += 1) {
      statuses.push((await fetch(`${url}/api/v1/tasks?limit=${n + 1}`)).status);
    }
    return statuses;
  };

  it('fires when it was killed', async () => {
    const up = async (): Promise<string> =>
      `# TYPE up gauge\nup{job="hub"} ${(await isUp()) ? 1 : 0}\n`;
    await start();
    assert.ok(!fires('HubDown', await up()));
    await kill();
    assert.ok(fires('HubDown', await up()));
  });

  it('fires while requests fail, and not when the cause is gone', async () => {
    await start();
    const rename = async (from: string, to: string): Promise<void> => {
      const filename = join(folder, 'hub.sqlite');
      const db = knex({ client: 'sqlite3', connection: { filename }, useNullAsDefault: true });
      await db.raw(`ALTER TABLE ${from} RENAME TO ${to}`);
      await db.destroy();
    };
    await asked();
    const first = await page();
    assert.ok((await asked()).every((status) => status === 200));
    const well = await page();
    assert.ok(!grewAbove('HubRequestsFail', first, well));
    await rename('tasks', 'away');
    assert.ok((await asked()).some((status) => status >= 500));
    const ill = await page();
    assert.ok(grewAbove('HubRequestsFail', well, ill));
    await rename('away', 'tasks');
    assert.ok((await asked()).every((status) => status === 200));
    assert.ok(!grewAbove('HubRequestsFail', ill, await page()));
  });

  it('fires while its event loop is late', async () => {
    await start();
    await page();
    for (let n = 0; n < STOPS; n += 1) {
      child?.kill('SIGSTOP');
      await sleep(STOPPED_MS);
      child?.kill('SIGCONT');
      await sleep(STOPPED_MS);
    }
    assert.ok(fires('HubLoopSlow', await page()));
  });

  it('fires while it uses much memory', async () => {
    await start();
    assert.ok(!fires('HubMemoryHigh', await page()));
    await kill();
    await start('--import', HOLDS);
    assert.ok(fires('HubMemoryHigh', await page()));
  });

  it('is caused by a test, each of the rules', () => {
    const tests = readdirSync(import.meta.dirname)
      .filter((name) => /^alerts.*\.test\.ts$/.test(name))
      .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
      .join('\n');
    const uncaused = rules.filter(
      ({ alert }) => !new RegExp(`(?:fires|grewAbove)\\(\\s*'${alert}'`).test(tests),
    );
    assert.deepEqual(uncaused, []);
  });
});

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );
