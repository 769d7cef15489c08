import { setTimeout as sleep } from 'node:timers/promises';
import { CHANNEL, RowsChanged } from './batch/write.ts';
import { statement, type Writer } from './connection.ts';
import { runUnits, type BatchLink } from './batch/batch.ts';
import { openBatchLine } from './batch/line.ts';
import { openNotifications } from './notifications.ts';
import { migrate } from './migrate.ts';
import { batchLink, isRefused } from './postgresBatch.ts';
import {
  BY_INDEX,
  clientConfig,
  connect,
  postgresPool,
  type PostgresConnection,
} from './postgresConnection.ts';
import type { FilledOptions, Engine } from './engine.ts';
import { connectedTo, isReadOnly, mustTakeWrites, openNodes, type Nodes } from './postgresNodes.ts';
import { openSockets, SILENT_MS_MAX, watchSilence, type Sockets } from './postgresSilence.ts';
import { confirmed, UncertainCommit } from './uncertainCommit.ts';
import { UnitOfWork } from './unitOfWork.ts';
import pg from 'pg';

const RETRIES_MAX = 5;
const RETRY_STEP_MS = 20;
const RECONNECT_MS = 1_000;
/** Batches at once: one that waits for a lock leaves the next its way. */
const BATCH_LANES = 2;

/** Serialization failure and deadlock (choices store.postgres). */
const LOST_RACES: readonly unknown[] = ['40001', '40P01'];
const NOTIFY = statement(
  '',
  `SELECT pg_notify('${CHANNEL}', topic) FROM unnest(?::text[]) AS topic`,
);

/** Several processes may share one database: rows lock each other, NOTIFY carries the rings. */
export async function openPostgres(url: string, given: FilledOptions): Promise<Engine> {
  let closed = false;
  // Connections end a moment after `close`; errors that the server sends to them then are
  // discarded.
  const report = (error: unknown): void => (closed ? undefined : given.report(error));
  const options = { ...given, report };
  const sockets = openSockets();
  const { open } = sockets;
  const atWrite = { max: options.writers, settings: BY_INDEX, open };
  const writers = postgresPool(url, atWrite, options.report);
  // A unit may read beside itself; with a pool of its own no read ever waits for a unit.
  const backends = backendsOf(writers);
  const readers = postgresPool(url, { max: options.readers, open }, options.report);
  const nodes = openNodes(url);
  const made = new WeakMap<pg.PoolClient, string>();
  const connections = new WeakMap<pg.PoolClient, PostgresConnection>();
  const lease = async <T>(
    pool: pg.Pool,
    work: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> => {
    const client = await connectedTo(pool, nodes, made);
    let connection = connections.get(client);
    if (connection === undefined) {
      connection = connect(client);
      connections.set(client, connection);
      // The statement under way rejects by itself; without a listener the event would end us.
      client.on('error', options.report);
    }
    const held = connection;
    try {
      const result = await work(held);
      client.release();
      return result;
    } catch (error) {
      // A connection whose COMMIT is under way keeps its place in the pool until that is over.
      if (error instanceof UncertainCommit) void error.over.then(() => client.release(true));
      else if (isReadOnly(error)) {
        nodes.leave(made.get(client) ?? '');
        client.release(true);
      } else {
        const isBroken = await held.end('ROLLBACK').then(
          () => false,
          () => true,
        );
        client.release(isBroken);
      }
      throw error;
    }
  };
  const topics = openNotifications(options.report);
  const start = async (): Promise<Listeners> => {
    await lease(writers, migrate);
    return listen(
      { nodes, sockets },
      ({ payload, processId }) => topics.publish(payload ?? '', backends.has(processId)),
      options.report,
    );
  };
  const listeners = await start().catch(async (error: unknown) => {
    await Promise.all([writers.end(), readers.end()]);
    throw error;
  });
  const parts = {
    ledger: options.ledger,
    passCounts: options.passCounts,
    report,
    isRefused,
    // The rings come back by NOTIFY, to this process like to all others.
    publish: () => undefined,
    within: <T>(work: (link: BatchLink) => Promise<T>) =>
      lease(writers, (connection) => work(batchLink(connection))),
  };
  const batches = openBatchLine(BATCH_LANES, (take) => runUnits(take(), parts));
  return {
    dialect: 'postgres',
    read: (work) =>
      lease(readers, async (connection) => {
        connection.begin('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        const result = await work(connection);
        await connection.end('COMMIT');
        return result;
      }),
    write: (work) =>
      retried(options, () => lease(writers, (connection) => runUnit(connection, work, options))),
    decide: (unit) => batches.add(unit),
    onPublish: (listener) => topics.listen(listener),
    async close() {
      await batches.close();
      closed = true;
      await listeners.close();
      await Promise.all([writers.end(), readers.end()]);
    },
  };
}

/** The servers of a pool's connections, by which a ring says who rang. */
function backendsOf(pool: pg.Pool): ReadonlySet<number> {
  const backends = new Set<number>();
  const backendOf = (client: pg.PoolClient): number =>
    (client as unknown as { readonly processID: number }).processID;
  pool.on('connect', (client) => void backends.add(backendOf(client)));
  pool.on('remove', (client) => void backends.delete(backendOf(client)));
  return backends;
}

async function runUnit<T>(
  connection: PostgresConnection,
  work: (tx: Writer) => Promise<T>,
  { report, ledger }: FilledOptions,
): Promise<T> {
  const unit = new UnitOfWork(connection, ledger);
  connection.begin('BEGIN');
  let result: T;
  try {
    result = await work(unit);
  } finally {
    unit.close();
  }
  if (unit.topics.size > 0) await connection.rows(NOTIFY, [[...unit.topics]]);
  // A transaction whose statement failed, and whose unit hid that, ends as ROLLBACK without error.
  const command = await confirmed(connection.end('COMMIT'));
  if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
  unit.committed(report);
  return result;
}

async function retried<T>({ jitter }: FilledOptions, run: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === RETRIES_MAX || !isLostRace(error)) throw error;
      await sleep(jitter() * RETRY_STEP_MS * 2 ** attempt);
    }
  }
}

/** Returns whether nothing was committed because of another transaction, so that it can run again. */
function isLostRace(error: unknown): boolean {
  if (error instanceof RowsChanged) return true;
  return error instanceof Error && 'code' in error && LOST_RACES.includes(error.code);
}

interface Listeners {
  close(): Promise<void>;
}

/** A connection that only listens. While it reconnects rings are lost, so no wait relies on one. */
async function listen(
  { nodes, sockets }: { readonly nodes: Nodes; readonly sockets: Sockets },
  onNotification: (ring: pg.Notification) => void,
  report: (error: unknown) => void,
): Promise<Listeners> {
  let closed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  const open = async (): Promise<void> => {
    const url = nodes.current();
    const next = new pg.Client(clientConfig(url, sockets.open));
    next.on('notification', onNotification);
    next.on('error', report);
    try {
      await next.connect();
      await mustTakeWrites(next);
      await next.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      nodes.leave(url);
      await next.end().catch(() => undefined);
      throw error;
    }
    next.on('end', reopenLater);
    watchSilence(next, () => {
      report(new Error(`PostgreSQL did not answer for ${SILENT_MS_MAX / 1_000} s`));
      nodes.rest(url);
      sockets.destroy();
    });
    client = next;
    if (closed) await next.end();
  };
  const reopenLater = (): void => {
    if (closed) return;
    retry = setTimeout(() => {
      open().catch((error: unknown) => {
        report(error);
        reopenLater();
      });
    }, RECONNECT_MS);
    retry.unref();
  };
  await open();
  return {
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
