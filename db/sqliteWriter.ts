import { migrateSqlite } from './migrate.ts';
import type { FilledOptions } from './engine.ts';
import { isUnavailable } from './unavailable.ts';
import { BUSY_PRAGMA, openSqliteConnection, type SqliteConnection } from './sqliteConnection.ts';

/** Units that share one commit; bounds how long the first of them waits for its answer. */
const GROUP_UNITS_MAX = 64;
/** Units that may wait; more are refused, so a stuck disk cannot fill the memory. */
const WAITING_UNITS_MAX = 10_000;

/** A unit that waits for the writer. `run` never rejects. */
export interface Waiting {
  run(writer: SqliteConnection): Promise<Outcome>;
  lost(error: unknown): void;
}

interface Outcome {
  readonly failed: boolean;
  answer(): void;
}

/** The one connection that writes, opened again when it was taken from a unit. */
export interface WriterLine {
  writer(): Promise<SqliteConnection>;
  close(): Promise<void>;
}

export async function openWriterLine(path: string, { report }: FilledOptions): Promise<WriterLine> {
  let current = await openSqliteConnection(path, 'write');
  try {
    await migrateSqlite(current);
    await current.exec(BUSY_PRAGMA);
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
      await current.exec(BUSY_PRAGMA);
      isClosed = false;
      return current;
    },
    close,
  };
}

export function groupCommit(line: WriterLine): {
  add(unit: Waiting): void;
  /** Runs `work` between two groups, alone on the writer, in no transaction. */
  turn<T>(work: (writer: SqliteConnection) => Promise<T>): Promise<T>;
  /** How many groups and turns have ended. */
  ended(): number;
  /** Whether no group waits for its turn. */
  isFree(): boolean;
  idle(): Promise<void>;
} {
  const waiting: Waiting[] = [];
  let pump: Promise<void> | undefined;
  let closed = false;
  let ended = 0;
  const turns: (() => Promise<void>)[] = [];
  const runAll = async (): Promise<void> => {
    try {
      while (waiting.length > 0 || turns.length > 0) {
        const next = turns.shift();
        if (next !== undefined) {
          await next();
          ended += 1;
        }
        if (waiting.length > 0) {
          await runGroup(line, waiting);
          ended += 1;
        }
      }
    } finally {
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
    turn: <T>(work: (writer: SqliteConnection) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        turns.push(async () => {
          try {
            const writer = await line.writer();
            writer.forget();
            resolve(await work(writer));
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
        pump ??= runAll();
      }),
    ended: () => ended,
    isFree: () => waiting.length === 0,
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
    // Nothing of the group was committed: every unit of it failed, and each caller gets the error.
    await writer?.exec('ROLLBACK').catch(() => undefined);
    for (const each of group) each.lost(error);
    // Who waits behind it would wait for the same lock or disk, one group after the other.
    if (isUnavailable(error)) for (const each of waiting.splice(0)) each.lost(error);
    return;
  }
  for (const outcome of outcomes) outcome.answer();
}

/** A unit that hid what the disk or the memory refused to it did only half of its work. */
function whole(outcome: Outcome, fault: Error | undefined, unit: Waiting): Outcome {
  if (outcome.failed || fault === undefined) return outcome;
  return { failed: true, answer: () => unit.lost(fault) };
}
