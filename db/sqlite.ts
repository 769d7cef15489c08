import { ringer } from './listeners.ts';
import { migrate } from './migrate.ts';
import { openSqliteConnection, type SqliteConnection } from './sqliteConnection.ts';
import type { Engine, FilledOptions } from './store.ts';
import type { Writer } from './connection.ts';
import { Unit } from './unit.ts';

/** Units that share one commit; bounds how long the first of them waits for its answer. */
const GROUP_UNITS_MAX = 64;
/** Units that may wait; more are refused, so a stuck disk cannot fill the memory. */
const WAITING_UNITS_MAX = 10_000;

/** A unit that waits for the writer. `run` never rejects. */
interface Waiting {
  run(): Promise<Outcome>;
  lost(error: unknown): void;
}
interface Outcome {
  readonly failed: boolean;
  answer(): void;
}

/**
 * SQLite has one writer. It takes the waiting units in order, runs each under its own savepoint,
 * commits once and then answers them all: one disk sync serves the whole group, and a failed unit
 * rolls back alone (choices 1.7).
 */
export async function openSqlite(path: string, options: FilledOptions): Promise<Engine> {
  const writer = await openSqliteConnection(path, 'write');
  try {
    await migrate(writer);
  } catch (error) {
    await writer.close();
    throw error;
  }
  const readers = await Promise.all(
    Array.from({ length: options.readers }, () => openSqliteConnection(path, 'read')),
  );
  const rings = ringer(options.report);
  const groups = groupCommit(writer);
  const pool = readerPool(readers);
  return {
    dialect: 'sqlite',
    read: (work) =>
      pool.use(async (connection) => {
        await connection.exec('BEGIN');
        try {
          return await work(connection);
        } finally {
          await connection.exec('ROLLBACK');
        }
      }),
    write: <T>(work: (tx: Writer) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        groups.add({
          lost: reject,
          async run() {
            const unit = new Unit(writer);
            try {
              const result = await work(unit);
              return {
                failed: false,
                answer() {
                  resolve(result);
                  unit.committed(options.report);
                  for (const topic of unit.rings) rings.ring(topic);
                },
              };
            } catch (error) {
              return { failed: true, answer: () => reject(error) };
            } finally {
              unit.close();
            }
          },
        });
      }),
    onRing: (listener) => rings.listen(listener),
    async close() {
      await groups.idle();
      await pool.close();
      await writer.close();
    },
  };
}

function groupCommit(writer: SqliteConnection): {
  add(unit: Waiting): void;
  idle(): Promise<void>;
} {
  const waiting: Waiting[] = [];
  let pump: Promise<void> | undefined;
  let closed = false;
  const runAll = async (): Promise<void> => {
    while (waiting.length > 0) await runGroup(writer, waiting);
    pump = undefined;
  };
  return {
    add(unit) {
      if (closed) unit.lost(new Error('the store is closed'));
      else if (waiting.length >= WAITING_UNITS_MAX) unit.lost(new Error('the store is overloaded'));
      else {
        waiting.push(unit);
        pump ??= runAll();
      }
    },
    async idle() {
      closed = true;
      await pump;
    },
  };
}

/** Each control text is one trip: it ends the last unit and begins the next. */
async function runGroup(writer: SqliteConnection, waiting: Waiting[]): Promise<void> {
  const group: Waiting[] = [];
  const outcomes: Outcome[] = [];
  let control = 'BEGIN IMMEDIATE;';
  try {
    for (
      let next = waiting.shift();
      next !== undefined;
      next = group.length < GROUP_UNITS_MAX ? waiting.shift() : undefined
    ) {
      group.push(next);
      await writer.exec(`${control}SAVEPOINT unit`);
      const outcome = await next.run();
      outcomes.push(outcome);
      control = outcome.failed ? 'ROLLBACK TO unit;RELEASE unit;' : 'RELEASE unit;';
    }
    await writer.exec(`${control}COMMIT`);
  } catch (error) {
    // Nothing of the group was committed: every unit of it failed, and each caller hears why.
    await writer.exec('ROLLBACK').catch(() => undefined);
    for (const each of group) each.lost(error);
    return;
  }
  for (const outcome of outcomes) outcome.answer();
}

interface ReaderPool {
  use<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

function readerPool(readers: readonly SqliteConnection[]): ReaderPool {
  const free = [...readers];
  const queue: ((connection: SqliteConnection) => void)[] = [];
  return {
    async use(work) {
      const connection =
        free.pop() ?? (await new Promise<SqliteConnection>((resolve) => queue.push(resolve)));
      try {
        return await work(connection);
      } finally {
        const next = queue.shift();
        if (next === undefined) free.push(connection);
        else next(connection);
      }
    },
    async close() {
      await Promise.all(readers.map((each) => each.close()));
    },
  };
}
