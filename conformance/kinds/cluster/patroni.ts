import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { parse, stringify } from 'yaml';
import { freePort } from '../../../clients/examples/freePort.ts';
import { childrenOf, give, run, send, startDaemon, until, type Daemon } from './daemons.ts';
import { startEtcd } from './etcd.ts';

/** Three nodes of PostgreSQL under Patroni, with synchronous replication. */
export interface Cluster {
  readonly nodes: readonly Node[];
  /** The address of a database at all nodes, as docs/operate/postgresql.md has it. */
  url(database: string): string;
  freshDatabase(): Promise<string>;
  /** The node that takes writes; waits for one while there is none. */
  leader(): Promise<Node>;
  /** Starts nodes that are down and waits until the others follow the leader, one synchronously. */
  heal(): Promise<void>;
  /** Waits until Patroni's store names the standby that would lead next: no other is elected. */
  successor(): Promise<void>;
  switchover(): Promise<void>;
  close(): Promise<void>;
}

export interface Node {
  readonly name: string;
  readonly port: number;
  /** Ends the machine: Patroni, the server and its backends at once. */
  kill(): Promise<void>;
  /** Cuts the machine off: connections to it stay open, and nothing comes any more. */
  freeze(): Promise<void>;
  /**
   * The timeline that it writes, 0 while it takes no writes. Each promotion begins a newer one: a
   * leader that was cut off writes the old one for a moment when it is back, and nothing counts.
   */
  timeline(): Promise<number>;
}

/** No node is named `first` or `any`: Patroni 3.0 does not quote these words of PostgreSQL. */
const NAMES = ['node_a', 'node_b', 'node_c'];
const WHOLE_MS_MAX = 300_000;
/** The name of a file of the WAL begins with its timeline. A node that only reads refuses this. */
const TIMELINE = 'SELECT pg_walfile_name(pg_current_wal_lsn()) AS file';
const STEP_MS = 250;
/** A node that is frozen between a question and its answer never answers. */
const LOOK_MS_MAX = 5_000;
const ANSWER_MS_MAX = 60_000;
const LEADER_MS_MAX = 60_000;
const LEADER_STEP_MS = 20;
/** Patroni takes no shorter one: how long a leader that went away is waited for. */
const LEASE_SECONDS = 20;

export async function startCluster(folder: string): Promise<Cluster> {
  const etcdPort = await freePort();
  const etcd = await startEtcd(folder, etcdPort);
  const nodes: OpenedNode[] = [];
  for (const name of NAMES) nodes.push(await openNode({ folder, name, etcdPort }));
  const url = (database: string): string => {
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgres://hub:hub@${hosts}/${database}?target_session_attrs=read-write`;
  };
  let newest = 0;
  const leading = async (node: OpenedNode): Promise<OpenedNode> => {
    const timeline = await node.timeline();
    if (timeline === 0 || timeline < newest) throw new Error(`${node.name} does not lead`);
    newest = timeline;
    return node;
  };
  const leader = (): Promise<OpenedNode> =>
    until('a node that leads', () => Promise.any(nodes.map(leading)), {
      ms: LEADER_MS_MAX,
      stepMs: LEADER_STEP_MS,
    });
  const heal = async (): Promise<void> => {
    for (const node of nodes) await node.heal();
    await until('a whole cluster', async () => isWhole(await leader()), {
      ms: WHOLE_MS_MAX,
      stepMs: STEP_MS,
    });
  };
  let databases = 0;
  const cluster: Cluster = {
    nodes,
    url,
    leader,
    heal,
    async freshDatabase() {
      databases += 1;
      const name = `hub_${databases}`;
      await rowsOf(await leader(), `CREATE DATABASE ${name}`);
      return name;
    },
    async successor() {
      const named = async (): Promise<boolean> => (await leader()).hasSuccessor();
      await until('a standby that may lead', named, { ms: WHOLE_MS_MAX, stepMs: STEP_MS });
    },
    async switchover() {
      const config = nodes[0]?.config ?? '';
      const words = ['switchover', 'hub', '--leader', (await leader()).name, '--force'];
      await run(['patronictl', '-c', config, ...words]);
    },
    async close() {
      await Promise.all(nodes.map((node) => node.end()));
      await etcd.end();
    },
  };
  await nodes[0]?.start();
  await until('the first node to lead', async () => (await leader()).name === NAMES[0]);
  await heal();
  return cluster;
}

/** Both others follow the leader, and commits wait for one of them. */
async function isWhole(leader: Node): Promise<boolean> {
  const rows = await rowsOf(
    leader,
    `SELECT count(*) FILTER (WHERE state = 'streaming') AS streaming,
      count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')) AS synchronous
    FROM pg_stat_replication`,
  );
  return (
    Number(rows[0]?.['streaming']) === NAMES.length - 1 && Number(rows[0]?.['synchronous']) > 0
  );
}

export async function rowsOf(
  { port }: Pick<Node, 'port'>,
  sql: string,
  database = 'postgres',
  answerMs = ANSWER_MS_MAX,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const address = `postgres://hub:hub@127.0.0.1:${port}/${database}`;
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: LOOK_MS_MAX,
    query_timeout: answerMs,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

interface OpenedNode extends Node {
  readonly config: string;
  start(): Promise<void>;
  hasSuccessor(): Promise<boolean>;
  heal(): Promise<void>;
  end(): Promise<void>;
}

interface NodePlace {
  readonly folder: string;
  readonly name: string;
  readonly etcdPort: number;
}

async function openNode({ folder, name, etcdPort }: NodePlace): Promise<OpenedNode> {
  const [port, restPort] = [await freePort(), await freePort()];
  const config = join(folder, `${name}.yml`);
  const data = join(folder, name);
  const settings = settingsOf({ name, port, restPort, etcdPort, data, folder });
  await writeFile(config, stringify(settings), { mode: 0o600 });
  await give(config);
  let patroni: Daemon | undefined;
  const start = async (): Promise<void> => {
    patroni = await startDaemon({ name, command: ['patroni', config], folder });
  };
  const processes = async (): Promise<readonly number[]> => {
    const server = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
    return [server, ...(await childrenOf(server))];
  };
  let frozen: readonly number[] = [];
  return {
    name,
    port,
    config,
    start,
    async kill() {
      const own = await processes();
      const gone = patroni?.kill();
      for (const pid of own) send(pid, 'SIGKILL');
      await gone;
    },
    async freeze() {
      frozen = [...(patroni === undefined ? [] : [patroni.pid]), ...(await processes())];
      for (const pid of frozen) send(pid, 'SIGSTOP');
    },
    async hasSuccessor() {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`);
      return /"role": ?"(?:sync|quorum)_standby"/.test(await answer.text());
    },
    async heal() {
      for (const pid of frozen) send(pid, 'SIGCONT');
      frozen = [];
      if (patroni?.isRunning() !== true) await start();
    },
    timeline: () =>
      rowsOf({ port }, TIMELINE, 'postgres', LOOK_MS_MAX).then(
        (rows) => parseInt(String(rows[0]?.['file']).slice(0, 8), 16),
        () => 0,
      ),
    async end() {
      for (const pid of frozen) send(pid, 'SIGCONT');
      await patroni?.end();
    },
  };
}

interface NodeParts {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly etcdPort: number;
  readonly data: string;
  readonly folder: string;
}

/** The settings that docs/operate/postgresql.md shows. */
function documented(): { readonly postgresql: object } {
  const page = readFileSync(
    new URL('../../../docs/operate/postgresql.md', import.meta.url),
    'utf8',
  );
  const block = /```yaml\n(synchronous_mode: [\s\S]*?)```/.exec(page)?.[1];
  if (block === undefined) throw new Error('docs/operate/postgresql.md shows no settings');
  return parse(block) as { readonly postgresql: object };
}

function settingsOf({ name, port, restPort, etcdPort, data, folder }: NodeParts): object {
  const access = ['local all all trust', 'host all all 127.0.0.1/32 md5'];
  const user = { username: 'hub', password: 'hub' };
  const shared = documented();
  return {
    scope: 'hub',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: LEASE_SECONDS,
        loop_wait: 1,
        retry_timeout: 3,
        ...shared,
        postgresql: {
          ...shared.postgresql,
          parameters: { max_connections: 200, shared_buffers: '64MB', wal_keep_size: '256MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: [...access, 'host replication all 127.0.0.1/32 md5'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: programsOfPostgres(),
      pgpass: join(folder, `${name}.pgpass`),
      authentication: { superuser: user, replication: user, rewind: user },
      parameters: { unix_socket_directories: folder },
    },
  };
}

/** The newest that Debian installed. */
function programsOfPostgres(): string {
  const versions = readdirSync('/usr/lib/postgresql').map(Number);
  return join('/usr/lib/postgresql', String(Math.max(...versions)), 'bin');
}
