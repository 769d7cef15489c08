import { setTimeout as sleep } from 'node:timers/promises';
import { RowsChanged } from './batch/write.ts';
import type { Writer } from './connection.ts';
import type { BatchLink, BatchParts } from './batch/batch.ts';
import { runUnits } from './batch/ways.ts';
import { openBatchLine } from './batch/line.ts';
import { openNotifications } from './notifications.ts';
import { migrations } from './migrations/index.ts';
import { batchLink, freeWay, isRefused } from './postgresBatch.ts';
import {
  BY_INDEX,
  BY_KEY,
  postgresPool,
  processId,
  type PostgresConnection,
} from './postgresConnection.ts';
import type { FilledOptions, Engine } from './engine.ts';
import { leasesOf, type Lease } from './postgresLeases.ts';
import { openListener, type PostgresListener } from './postgresListener.ts';
import { migratePostgres } from './postgresMigrate.ts';
import { openNodes } from './postgresNodes.ts';
import { BATCH_WAITS, PAUSED, UNIT_WAITS } from './postgresPause.ts';
import { openReplica } from './postgresReplica.ts';
import { openSender, sendTopics } from './postgresSender.ts';
import { openSockets } from './postgresSilence.ts';
import { confirmed } from './uncertainCommit.ts';
import { isUnavailable } from './unavailable.ts';
import { UnitOfWork } from './unitOfWork.ts';
import type pg from 'pg';

const RETRIES_MAX = 5;
const RETRY_STEP_MS = 20;
/** Batches at once: one that waits for a lock leaves the next its way. */
const BATCHES_MAX = 2;

/** Serialization failure, deadlock, and a process that was suspended (choices store.postgres). */
const LOST_RACES: readonly unknown[] = ['40001', '40P01', PAUSED];

/** Several processes may share one database: rows lock each other, NOTIFY carries the topics. */
export async function openPostgres(url: string, given: FilledOptions): Promise<Engine> {
  let closed = false;
  // Errors that the server sends to connections that end after `close` are discarded.
  const report = (error: unknown): void => (closed ? undefined : given.report(error));
  const options = { ...given, report };
  const nodes = openNodes(url);
  const sockets = openSockets();
  const size = poolSizes(options.connections);
  // A pool for each kind of work: no batch waits behind a unit's lock, and units may read beside.
  const pools = {
    batches: postgresPool(url, size.batches, report, sockets.open),
    units: postgresPool(url, size.units, report, sockets.open),
    reads: postgresPool(url, size.reads, report, sockets.open),
    ...(size.views > 0 && { views: postgresPool(url, size.views, report, sockets.open) }),
  };
  const batching = leasesOf(pools.batches, nodes, [...BY_KEY, BATCH_WAITS]);
  const writing = leasesOf(pools.units, nodes, [BY_INDEX, UNIT_WAITS]);
  const reading = leasesOf(pools.reads, nodes, []);
  const viewing = pools.views ? leasesOf(pools.views, nodes, BY_KEY) : reading;
  const replica =
    options.replica &&
    openReplica({ ...options.replica, connections: size.reads, leader: reading, report });
  const endPools = async (): Promise<void> => {
    await replica?.close();
    await Promise.all(Object.values(pools).map((pool) => pool.end()));
  };
  const backends = backendsOf([pools.reads]);
  const topics = openNotifications(report);
  const send = (sent: readonly string[]): Promise<unknown> =>
    reading((connection) => sendTopics(connection, sent));
  const sender = openSender(send, report);
  const publish = (topic: string): void => {
    topics.publish(topic, true);
    sender.add(topic);
  };
  const start = async (): Promise<PostgresListener> => {
    await migratePostgres({ hold: batching, work: writing, notice: options.notice }, migrations);
    return openListener(
      options.directUrl ?? url,
      { sockets, onSilence: (node) => nodes.rest(node) },
      ({ payload = '', processId: backend }) => {
        // Changes that this process committed were published at once.
        if (!backends.has(backend)) topics.publish(payload, false);
      },
      (payload) => send([payload]),
      report,
    );
  };
  const listener = await start().catch(async (error: unknown) => {
    await endPools();
    throw error;
  });
  const parts = {
    ledger: options.ledger,
    passCounts: options.passCounts,
    trace: options.trace,
    report,
    isRefused,
    publish,
    within: <T>(work: (link: BatchLink) => Promise<T>) =>
      batching((connection) => work(batchLink(connection))),
    free: freeWay(batching),
  };
  const batches = openBatchLine(size.batches, (take) => runUnits(take(), parts));
  return {
    dialect: 'postgres',
    read: (work) => inSnapshot(reading, work),
    async readLagging(work) {
      const lagging = replica?.lease();
      if (lagging === undefined) return inSnapshot(reading, work);
      try {
        return await inSnapshot(lagging, work);
      } catch (error) {
        // The replica is away, or dropped a row version that the read was looking at.
        if (!isUnavailable(error) && !isLostRace(error)) throw error;
        replica?.leave();
        return inSnapshot(reading, work);
      }
    },
    readOne: (work) => reading(work),
    view: (work) => viewing(work),
    write: (work) =>
      retried(options, () =>
        writing((connection) => runUnit(connection, work, { ...options, publish })),
      ),
    decide: (unit) => batches.add(unit),
    notify: publish,
    onPublish: (each) => topics.listen(each),
    async close() {
      await batches.close();
      await sender.close();
      closed = true;
      await listener.close();
      await endPools();
    },
  };
}

async function inSnapshot<T>(
  lease: Lease,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  return lease(async (connection) => {
    connection.begin('read');
    const result = await work(connection);
    await connection.end('COMMIT');
    return result;
  });
}

interface PoolSizes {
  readonly batches: number;
  readonly units: number;
  readonly views: number;
  readonly reads: number;
}

/** The connections of a process without the one that listens: 2, 2, 1 and 2 of the usual 8. */
export function poolSizes(connections: number): PoolSizes {
  const all = Math.max(1, Math.floor((connections - 1) * 0.45));
  const views = Math.floor(all / 3);
  const writes = connections - 1 - all;
  const batches = Math.min(BATCHES_MAX, writes - 1);
  return { batches, units: writes - batches, views, reads: all - views };
}

/**
 * Returns the server process ids by which a notification names its sender. Behind a pooler they
 * match none, so this process is notified of its own commits twice.
 */
function backendsOf(pools: readonly pg.Pool[]): ReadonlySet<number> {
  const backends = new Set<number>();
  for (const pool of pools) {
    pool.on('connect', (client) => void backends.add(processId(client) ?? 0));
    pool.on('remove', (client) => void backends.delete(processId(client) ?? 0));
  }
  return backends;
}

async function runUnit<T>(
  connection: PostgresConnection,
  work: (tx: Writer) => Promise<T>,
  { report, ledger, publish }: FilledOptions & Pick<BatchParts, 'publish'>,
): Promise<T> {
  const unit = new UnitOfWork(connection, ledger);
  connection.begin('write');
  let result: T;
  try {
    result = await work(unit);
  } finally {
    unit.close();
  }
  // A transaction whose statement failed, and whose unit hid that, ends as ROLLBACK without error.
  const command = await confirmed(connection.end('COMMIT'));
  if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
  unit.committed(report);
  for (const topic of unit.topics) publish(topic);
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
