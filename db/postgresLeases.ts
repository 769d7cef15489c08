import type pg from 'pg';
import { connect, postgresPool, type PostgresConnection } from './postgresConnection.ts';
import { isReadOnly, mustTakeWrites, openNodes, type Nodes } from './postgresNodes.ts';
import { UncertainCommit } from './uncertainCommit.ts';

/** Runs `work` on a connection that nothing else uses meanwhile. */
export type Lease = <T>(work: (connection: PostgresConnection) => Promise<T>) => Promise<T>;

interface Leased {
  readonly client: pg.PoolClient;
  readonly connection: PostgresConnection;
  readonly url: string;
}

/**
 * Leases connections of a pool to the node that serves: that takes writes, or by `mustServe`. Each
 * is asked once for its node's role; those to a node that was left are closed when next taken.
 */
export function leasesOf(
  pool: pg.Pool,
  nodes: Nodes,
  settings: readonly string[],
  mustServe: (client: pg.PoolClient) => Promise<void> = mustTakeWrites,
): Lease {
  const known = new WeakMap<pg.PoolClient, Leased>();
  const opened = async (client: pg.PoolClient, url: string): Promise<Leased> => {
    try {
      await mustServe(client);
      const leased = { client, connection: await connect(client, settings), url };
      known.set(client, leased);
      return leased;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  const take = async (): Promise<Leased> => {
    for (let failed = 0; ;) {
      const url = nodes.current();
      pool.options.connectionString = url;
      try {
        const client = await pool.connect();
        const leased = known.get(client) ?? (await opened(client, url));
        if (leased.url === url) return leased;
        client.release(true);
      } catch (error) {
        nodes.leave(url);
        failed += 1;
        if (failed >= nodes.count) throw error;
      }
    }
  };
  return async (work) => {
    const { client, connection, url } = await take();
    try {
      const result = await work(connection);
      client.release();
      return result;
    } catch (error) {
      // A connection whose COMMIT is under way keeps its place in the pool until that is over.
      if (error instanceof UncertainCommit) void error.over.then(() => client.release(true));
      else if (isReadOnly(error)) {
        nodes.leave(url);
        client.release(true);
      } else {
        const isBroken = await connection.end('ROLLBACK').then(
          () => false,
          () => true,
        );
        client.release(isBroken);
      }
      throw error;
    }
  };
}

const mayOnlyRead = (): Promise<void> => Promise.resolve();

/** Runs `work` on one connection: to the node that takes writes, where several are named. */
export async function withPostgres<T>(
  url: string,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const pool = postgresPool(url, 1, () => undefined);
  const nodes = openNodes(url);
  try {
    return await leasesOf(pool, nodes, [], nodes.count > 1 ? mustTakeWrites : mayOnlyRead)(work);
  } finally {
    await pool.end();
  }
}
