import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../../clients/examples/freePort.ts';
import { give, startDaemon, subfolder, until, type Daemon } from '../daemons.ts';
import { audit, openHub, startHubs } from '../hubs.ts';
import { liveAcross } from '../lives.ts';
import { rowsOf } from '../patroni.ts';
import { startLoad } from '../payers.ts';
import type { Parts, Scenario } from '../scenario.ts';
import { verify } from '../verify.ts';

const PAYERS = 32;
const RATE = 500;
const LOAD_MS = 5_000;
const LONG_LOAD_MS = 60_000;
const LIVES = 10;
/** A poll finds work without LISTEN only when it scans again. */
const WAIT_MS_MAX = 3_000;

type Mode = 'session' | 'transaction';

/** Two hubs behind PgBouncer in each of its modes; LISTEN has an address of its own. */
export const pooler: Scenario = async (parts) => {
  for (const mode of ['session', 'transaction'] as const) {
    const folder = await subfolder(parts.folder, mode);
    const database = await parts.cluster.freshDatabase();
    const bouncer = await startBouncer(parts, { folder, mode, database });
    try {
      if (mode === 'transaction') await refused({ ...parts, folder }, bouncer.url);
      await behind({ ...parts, folder }, { mode, database, url: bouncer.url });
    } finally {
      await bouncer.daemon.end();
    }
  }
};

async function behind(
  parts: Parts,
  { mode, database, url }: { readonly mode: Mode; readonly database: string; readonly url: string },
): Promise<void> {
  const { cluster, folder, isLong, say } = parts;
  const direct = cluster.url(database);
  // A session of its own is what LISTEN needs, and a pooler of sessions has them.
  const env = mode === 'session' ? {} : { HUB_DATABASE_DIRECT_URL: direct };
  const hubs = await startHubs({ folder, databaseUrl: url, env });
  try {
    const urls = hubs.map((hub) => hub.url);
    const [first = '', second = ''] = urls;
    const load = await startLoad({ urls, payers: PAYERS, rate: RATE });
    const loadMs = isLong ? LONG_LOAD_MS : LOAD_MS;
    try {
      const waits = await liveAcross([first, second], LIVES);
      say(`${mode} mode: lives of tasks across two hubs`, waits.length);
      say(`${mode} mode: milliseconds that a poll waited at most`, Math.round(Math.max(...waits)));
      assert.ok(Math.max(...waits) < WAIT_MS_MAX, 'work is found by a notification');
      await sleep(loadMs);
    } finally {
      await load.stop();
    }
    assert.deepEqual([load.failures(), load.faults], [0, []]);
    const leader = await cluster.leader();
    const { acknowledged } = await verify(load.sent, urls, (sql) => rowsOf(leader, sql, database));
    say(`${mode} mode: payments, each once and repeatable`, acknowledged);
    say(`${mode} mode: audit`, await audit(direct, folder));
  } finally {
    for (const hub of hubs) await hub.end();
  }
}

/** Without an address for LISTEN a hub refuses a pooler of transactions, in one line. */
async function refused({ folder, say }: Parts, databaseUrl: string): Promise<void> {
  const hub = await openHub({ name: 'hub-alone', folder, databaseUrl });
  await assert.rejects(hub.start(), 'it started behind a pooler of transactions');
  const lines = (await readFile(hub.log, 'utf8')).trim().split('\n');
  assert.deepEqual(
    lines.map((line) => /^hub: .*HUB_DATABASE_DIRECT_URL/.test(line)),
    [true],
    lines.join('\n'),
  );
  say('transaction mode without a direct address', lines[0] ?? '');
}

async function startBouncer(
  { cluster }: Parts,
  {
    folder,
    mode,
    database,
  }: { readonly folder: string; readonly mode: Mode; readonly database: string },
): Promise<{ readonly daemon: Daemon; readonly url: string }> {
  const [port, leader] = [await freePort(), await cluster.leader()];
  const path = join(folder, 'pgbouncer.ini');
  await writeFile(
    path,
    `[databases]
${database} = host=127.0.0.1 port=${leader.port} user=hub password=hub
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
max_client_conn = 200
default_pool_size = 40
`,
  );
  await give(path);
  const daemon = await startDaemon({ name: 'pgbouncer', command: ['pgbouncer', path], folder });
  await until('PgBouncer', async () => (await rowsOf({ port }, 'SELECT 1', database)).length === 1);
  return { daemon, url: `postgres://hub:hub@127.0.0.1:${port}/${database}` };
}
