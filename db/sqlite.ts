import { openNotifications } from './notifications.ts';
import { migrate } from './migrate.ts';
import { openSqliteConnection, type SqliteConnection } from './sqliteConnection.ts';
import type { FilledOptions, Engine } from './engine.ts';
import type { Writer } from './connection.ts';
import { UnitOfWork } from './unitOfWork.ts';

/** Units that share one commit; bounds how long the first of them waits for its answer. */
const GROUP_UNITS_MAX = 64;
/** Units that may wait; more are refused, so a stuck disk cannot fill the memory. */
const WAITING_UNITS_MAX = 10_000;

/** A unit that waits for the writer. `run` never rejects. */
interface Waiting {
  run(writer: SqliteConnection): Promise<Outcome>;
  lost(error: unknown): void;
}

interface Outcome {
  readonly failed: boolean;
  answer(): void;
}

/**
 * SQLite has one writer. It takes the waiting units in order, runs each under its own savepoint,
 * commits once and then answers them all: one disk sync serves the whole group, and a failed unit
 * rolls back alone (choices store.sqlite).
 *
 * A unit that outlasts `unitMsMax` would keep every other waiting. It is rolled back alone like a
 * failed one, and the connection is taken from it: what it still sends when it wakes up is refused,
 * so nothing of it can land in the unit of somebody else. The next group gets a new connection. A
 * statement that is under way is waited for.
 */
export async function openSqlite(path: string, options: FilledOptions): Promise<Engine> {
  const line = await openWriterLine(path, options);
  const readers = await Promise.all(
    Array.from({ length: options.readers }, () => openSqliteConnection(path, 'read')),
  );
  const topics = openNotifications(options.report);
  const groups = groupCommit(line);
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
          async run(writer) {
            const unit = new UnitOfWork(writer, options.ledger);
            const tooLong = (): void => {
              unit.close();
              writer.retire();
            };
            try {
              const result = await within(options.unitMsMax, work(unit), tooLong);
              return {
                failed: false,
                answer() {
                  resolve(result);
                  unit.committed(options.report);
                  for (const topic of unit.topics) topics.publish(topic);
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
    onPublish: (listener) => topics.listen(listener),
    async close() {
      await groups.idle();
      await pool.close();
      await line.close();
    },
  };
}

/** Rejects after `ms`, having told `tooLong` first; what the work then answers concerns nobody. */
function within<T>(ms: number, work: Promise<T>, tooLong: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      tooLong();
      reject(new Error(`a unit of work did not end within ${ms} ms`));
    }, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The one connection that writes, opened again when it was taken from a unit. */
interface WriterLine {
  writer(): Promise<SqliteConnection>;
  close(): Promise<void>;
}

async function openWriterLine(path: string, { report }: FilledOptions): Promise<WriterLine> {
  let current = await openSqliteConnection(path, 'write');
  try {
    await migrate(current);
  } catch (error) {
    await current.close();
    throw error;
  }
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await current.close();
  };
  return {
    async writer() {
      if (!current.isRetired()) return current;
      await close().catch(report);
      current = await openSqliteConnection(path, 'write');
      isClosed = false;
      return current;
    },
    close,
  };
}

/**
 * Keeps the event loop turning while groups run. Each statement is a trip to another thread and
 * back, and a loop that sleeps between the two is woken so late that it halves the transfers per
 * second (measured: 1,700 to 3,700). Idle hubs do not spin: it ends with the last waiting unit.
 */
function keepAwake(): () => void {
  let awake = true;
  const turn = (): void => {
    if (awake) setImmediate(turn);
  };
  turn();
  return () => {
    awake = false;
  };
}

function groupCommit(line: WriterLine): {
  add(unit: Waiting): void;
  idle(): Promise<void>;
} {
  const waiting: Waiting[] = [];
  let pump: Promise<void> | undefined;
  let closed = false;
  const runAll = async (): Promise<void> => {
    const rest = keepAwake();
    try {
      while (waiting.length > 0) await runGroup(line, waiting);
    } finally {
      rest();
      pump = undefined;
    }
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

/**
 * Each control text is one trip: it ends the last unit and begins the next. It names the savepoint,
 * so it fails when an error ended the transaction meanwhile, and with it the group fails.
 */
async function runGroup(line: WriterLine, waiting: Waiting[]): Promise<void> {
  const group: Waiting[] = [];
  const outcomes: Outcome[] = [];
  let control = 'BEGIN IMMEDIATE;';
  let writer: SqliteConnection | undefined;
  try {
    for (
      let next = waiting.shift();
      next !== undefined;
      next = group.length < GROUP_UNITS_MAX && !writer.isRetired() ? waiting.shift() : undefined
    ) {
      group.push(next);
      writer ??= await line.writer();
      await writer.exec(`${control}SAVEPOINT unit`);
      const outcome = whole(await next.run(writer), writer.fault(), next);
      outcomes.push(outcome);
      control = outcome.failed ? 'ROLLBACK TO unit;RELEASE unit;' : 'RELEASE unit;';
    }
    await writer?.exec(`${control}COMMIT`);
  } catch (error) {
    // Nothing of the group was committed: every unit of it failed, and each caller hears why.
    await writer?.exec('ROLLBACK').catch(() => undefined);
    for (const each of group) each.lost(error);
    return;
  }
  for (const outcome of outcomes) outcome.answer();
}

/** A unit that hid what the disk or the memory refused to it did only half of its work. */
function whole(outcome: Outcome, fault: Error | undefined, unit: Waiting): Outcome {
  if (outcome.failed || fault === undefined) return outcome;
  return { failed: true, answer: () => unit.lost(fault) };
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
