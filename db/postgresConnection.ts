import type { Socket } from 'node:net';
import pg from 'pg';
import { pinnedKnex, UNNAMED, type Link, type Row } from './connection.ts';
import { nodeUrls } from './postgresNodes.ts';
import { watchPauses } from './postgresPause.ts';

const INT8 = 20;

/** The server ends transactions that wait long for a lock or whose client stopped sending. */
const LIMITS = [
  "timezone = 'UTC'",
  'lock_timeout = 10000',
  'idle_in_transaction_session_timeout = 30000',
];

/** The planner takes JSON keys for 100 rows and would scan tables of some thousand rows whole. */
export const BY_INDEX = 'enable_seqscan = off';

/**
 * Batches and views look up all rows by key, mostly in memory. A hash or merge join would read a
 * whole index for it, and a lone payment took twice the time (choices store.postgres). PostgreSQL
 * would plan each call again, since two keys seem cheaper than a list of unknown length: for a wallet
 * that took 2.4 of 2.9 ms.
 */
export const BY_KEY: readonly string[] = [
  BY_INDEX,
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  'random_page_cost = 1.1',
  'plan_cache_mode = force_generic_plan',
];

/** @param open Makes the sockets of its connections. */
export function postgresPool(
  url: string,
  max: number,
  report: (error: unknown) => void,
  open?: () => Socket,
): pg.Pool {
  const pool = new pg.Pool({ ...clientConfig(url, open), max, pipeline: true });
  pool.on('error', report);
  // Its statement under way rejects by itself; without a listener the event would end the process.
  pool.on('connect', (client) => client.on('error', report));
  return pool;
}

export function clientConfig(url: string, open?: () => Socket): pg.PoolConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, exact);
  return {
    connectionString: nodeUrls(url)[0] ?? url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types,
    ...(open && { stream: open }),
  };
}

/** An int8 that JavaScript cannot hold exactly throws instead of being rounded. */
function exact(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer out of range: ${text}`);
  return value;
}

export interface PostgresConnection extends Link {
  /** The limits of the session hold in transactions alone. */
  readonly isPooled: boolean;
  /** Sends BEGIN without waiting: the first statement is sent with it. */
  begin(access: Access): void;
  /** Answers the command that the server did. */
  end(sql: 'COMMIT' | 'ROLLBACK'): Promise<string>;
  /** Runs `work`, which begins no transaction, without a limit of the wait for a lock. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
}

type Access = 'read' | 'write';
const BEGIN: Readonly<Record<Access, string>> = {
  read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  write: 'BEGIN ISOLATION LEVEL READ COMMITTED',
};

/** Returns whether a pooler such as PgBouncer is in between, which numbers clients itself. */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ readonly pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== processId(client);
}

/** The number that the server, or a pooler, gave to the client at its start. */
export function processId(client: pg.ClientBase): number | undefined {
  return 'processID' in client && typeof client.processID === 'number'
    ? client.processID
    : undefined;
}

/**
 * Sets the limits of a connection. Behind a pooler nothing of a session lasts: each transaction
 * sets them again, and statements are prepared without a name.
 */
export async function connect(
  client: pg.PoolClient,
  settings: readonly string[] = [],
): Promise<PostgresConnection> {
  const limits = [...LIMITS, ...settings];
  if (await isPooled(client)) {
    return connectionOf(client, limits.map((each) => `; SET LOCAL ${each}`).join(''), undefined);
  }
  const set = limits.map((each) => `SET ${each}`).join('; ');
  await client.query(set);
  return connectionOf(client, '', set);
}

/** @param set Sets the limits of the session; undefined behind a pooler. */
function connectionOf(
  client: pg.PoolClient,
  afterBegin: string,
  set: string | undefined,
): PostgresConnection {
  let begun: Promise<unknown> = Promise.resolve();
  let isHeld = false;
  const pauses = watchPauses(client);
  /** Sends all writes of an event-loop turn in one system call: each wakes the server's process. */
  const holdForTurn = (): void => {
    if (isHeld) return;
    isHeld = true;
    const { stream } = client.connection;
    stream.cork();
    process.nextTick(() => {
      isHeld = false;
      stream.uncork();
    });
  };
  const knex = pinnedKnex('pg', async () => {
    await begun;
    await pauses.beforeSend();
    return client;
  });
  return {
    isPooled: set === undefined,
    dialect: 'postgres',
    knex,
    async rows({ name, postgres, reads }, values) {
      // Only what changes nothing may be on its way before BEGIN is known to have worked.
      if (!reads) await begun;
      const wait = pauses.beforeSend();
      if (wait !== undefined) await wait;
      const query = { text: postgres, values: [...values] };
      holdForTurn();
      const isNamed = set !== undefined && name !== UNNAMED;
      const answer = client.query<Row>(isNamed ? { name, ...query } : query);
      if (reads) await Promise.all([begun, answer]);
      const { rows } = await answer;
      pauses.touch();
      return rows;
    },
    begin(access) {
      holdForTurn();
      pauses.touch();
      begun = client.query(`${BEGIN[access]}${afterBegin}`);
      begun.catch(() => undefined);
    },
    async end(sql) {
      await begun;
      await pauses.beforeSend();
      holdForTurn();
      return (await client.query(sql)).command;
    },
    async patiently(work) {
      if (set === undefined) return work();
      await client.query('SET lock_timeout = 0');
      try {
        return await work();
      } finally {
        await client.query(set);
      }
    },
  };
}
