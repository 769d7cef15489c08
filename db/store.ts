import { strict as assert } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instant } from '../domain/instant.ts';
import { readerOf, type Dialect, type Reader, type Writer } from './connection.ts';
import { sqlitePath } from './databaseUrl.ts';
import { openPassCounts, type Passes } from './batch/passCounts.ts';
import { openLedgerMemory } from './ledger/memory.ts';
import { guarded, openNestingGuard } from './nesting.ts';
import { openSqlite } from './sqlite.ts';
import { answerView } from './batch/look.ts';
import type { Transaction, View } from './batch/transaction.ts';
import type { Listener } from './notifications.ts';
import { writeNoted } from './wallet/accountEvents.ts';
import type { Engine, FilledOptions, StoreOptions } from './engine.ts';

/**
 * A unit of `write` does nothing slow: on SQLite every other writer waits for it. `read` sees one
 * committed snapshot and never waits for a writer. No unit opens another unit (nesting.ts).
 */
export type { Reader, Writer } from './connection.ts';

export interface Store {
  readonly dialect: Dialect;
  read<T>(work: (db: Reader) => Promise<T>): Promise<T>;
  /** Reads what may be about a second old, from a replica where there is one (choices store.replica). */
  readLagging<T>(work: (db: Reader) => Promise<T>): Promise<T>;
  /** Runs one statement that sees all that was committed, without the round trips of a snapshot. */
  readOne<T>(work: (db: Reader) => Promise<T>): Promise<T>;
  /** Answers a view from the rows that one statement reads (db/batch/look.ts). */
  look<T>(view: View<T>): Promise<T>;
  /**
   * Runs `work` in a transaction and answers after the commit; a throw rolls back that unit alone.
   * On PostgreSQL a unit that lost a deadlock runs again, so `work` does nothing outside `tx`.
   */
  write<T>(work: (tx: Writer) => Promise<T>): Promise<T>;
  /** Runs a transaction (db/batch/transaction.ts) in a batch. Rare or wide work uses `write`. */
  decide<T>(unit: Transaction<T>): Promise<T>;
  /** Units of this process that were committed so far; each is counted before it is answered. */
  commits(): number;
  /** How often the transactions of this process ran until they had read all that they looked up. */
  passes(): ReadonlyMap<string, Passes>;
  /** How often batches were decided on rows that another process changed meanwhile, by table. */
  stale(): ReadonlyMap<string, number>;
  /** Publishes a message that follows from no commit; like a topic, it may be lost. */
  notify(message: string): void;
  /** Listens to every committed `tx.publish`; returns the function that removes the listener. */
  onPublish(listener: Listener): () => void;
  /** Makes `post` throw `LedgerFrozen` until a restart (choices ledger.freeze). */
  freeze(since: Instant): void;
  /**
   * Does the same for the operator, until it is called without a moment (choices operator.freeze).
   * Returns whether that changed something.
   */
  pause(since: Instant | undefined): boolean;
  /** When this process froze the ledger; undefined while money moves. */
  frozenSince(): Instant | undefined;
  close(): Promise<void>;
}

/** A notification of PostgreSQL has less than 8,000 bytes. */
const MESSAGE_BYTES_MAX = 7_500;

/** As long as PostgreSQL lets a transaction lie idle: far above the time of any unit. */
const UNIT_MS_MAX = 30_000;

/** Opens and migrates `sqlite:PATH`, `sqlite::memory:` (a throw-away file) or `postgres://...`. */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const filled = {
    jitter: options.jitter ?? (() => 0.5),
    report: options.report ?? ((error) => process.emitWarning(String(error))),
    notice: options.notice ?? (() => undefined),
    connections: options.connections ?? 8,
    readers: options.readers ?? 4,
    unitMsMax: options.unitMsMax ?? UNIT_MS_MAX,
    guardNesting: options.guardNesting ?? false,
    directUrl: options.directUrl,
    replica: options.replica,
    trace: options.trace,
    ledger: openLedgerMemory(),
    passCounts: openPassCounts(),
  };
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    // A hub on SQLite never reads the driver, which takes a tenth of its start.
    const { openPostgres } = await import('./postgres.ts');
    return storeOf(await openPostgres(url, filled), filled);
  }
  const path = sqlitePath(url);
  if (path === undefined) throw new Error(`not a database address: ${url.slice(0, 12)}`);
  if (path !== ':memory:') return storeOf(await openSqlite(path, filled), filled);
  const folder = await mkdtemp(join(tmpdir(), 'hub-'));
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const engine = await openSqlite(join(folder, 'hub.sqlite'), filled);
    const store = storeOf(engine, filled);
    return { ...store, close: () => store.close().finally(discard) };
  } catch (error) {
    await discard();
    throw error;
  }
}

function storeOf(engine: Engine, options: FilledOptions): Store {
  const { ledger, guardNesting, passCounts } = options;
  const guard = guardNesting ? openNestingGuard() : undefined;
  let commits = 0;
  return {
    dialect: engine.dialect,
    read: (work) =>
      guarded(guard, 'read', (inside) =>
        engine.read((connection) => inside(() => work(readerOf(connection)))),
      ),
    readLagging: (work) =>
      guarded(guard, 'read', (inside) =>
        engine.readLagging((connection) => inside(() => work(readerOf(connection)))),
      ),
    readOne: (work) =>
      guarded(guard, 'read', (inside) =>
        engine.readOne((connection) => inside(() => work(readerOf(connection)))),
      ),
    look: (view) =>
      guarded(guard, 'read', () =>
        engine.view((connection) => answerView(connection, view, ledger)),
      ),
    async write<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
      const result = await guarded<T>(guard, 'write', (inside) =>
        engine.write((tx) =>
          inside(async () => {
            const answer = await work(tx);
            await writeNoted(tx);
            return answer;
          }),
        ),
      );
      commits += 1;
      return result;
    },
    async decide<T>(unit: Transaction<T>): Promise<T> {
      const answer = await guarded<T>(guard, 'write', () => engine.decide(unit));
      commits += 1;
      return answer;
    },
    commits: () => commits,
    passes: () => passCounts.read(),
    stale: () => passCounts.stale(),
    notify(message) {
      const bytes = Buffer.byteLength(message);
      assert(bytes > 0 && bytes <= MESSAGE_BYTES_MAX, 'a message has 1 to 7,500 bytes');
      engine.notify(message);
    },
    onPublish: (listener) => engine.onPublish(listener),
    freeze: (since) => ledger.freeze(since),
    pause: (since) => ledger.pause(since),
    frozenSince: () => ledger.frozenSince(),
    async close() {
      await engine.close();
      guard?.close();
    },
  };
}
