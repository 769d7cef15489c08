import type { Socket } from 'node:net';
import pg from 'pg';
import { pinnedKnex, type Link, type Row } from './connection.ts';
import { nodeUrls } from './postgresNodes.ts';

const INT8 = 20;

/**
 * A unit that waits for a lock, or that stopped answering, is ended by the server: nothing may hold
 * an account for ever.
 */
const SETTINGS =
  '-c timezone=UTC -c lock_timeout=10000 -c idle_in_transaction_session_timeout=30000 ' +
  '-c default_transaction_isolation=read\\ committed';

/**
 * A batch passes its keys as JSON, which the planner takes for 100 rows: it would scan every table
 * of fewer rows than some thousands whole, for each batch.
 */
export const BY_INDEX = '-c enable_seqscan=off';

export interface PoolOptions {
  readonly max: number;
  readonly settings?: string;
  /** Makes the sockets of its connections. */
  readonly open?: () => Socket;
}

export function postgresPool(
  url: string,
  { max, settings = '', open }: PoolOptions,
  report: (error: unknown) => void,
): pg.Pool {
  const options = `${SETTINGS} ${settings}`;
  const pool = new pg.Pool({ ...clientConfig(url, open), options, max, pipeline: true });
  pool.on('error', report);
  return pool;
}

export function clientConfig(url: string, open?: () => Socket): pg.PoolConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, exact);
  return {
    connectionString: nodeUrls(url)[0] ?? url,
    options: SETTINGS,
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
  /** Sends BEGIN without waiting: the first statement goes out in the same breath. */
  begin(sql: string): void;
  /** Answers the command that the server did. */
  end(sql: 'COMMIT' | 'ROLLBACK'): Promise<string>;
}

export function connect(client: pg.PoolClient): PostgresConnection {
  let begun: Promise<unknown> = Promise.resolve();
  const knex = pinnedKnex('pg', async () => {
    await begun;
    return client;
  });
  return {
    dialect: 'postgres',
    knex,
    async rows({ name, postgres, reads }, values) {
      // Only what changes nothing may be on its way before BEGIN is known to have worked.
      if (!reads) await begun;
      const answer = client.query<Row>({ name, text: postgres, values: [...values] });
      if (reads) await Promise.all([begun, answer]);
      return (await answer).rows;
    },
    begin(sql) {
      begun = client.query(sql);
      begun.catch(() => undefined);
    },
    async end(sql) {
      await begun;
      return (await client.query(sql)).command;
    },
  };
}
