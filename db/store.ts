import { strict as assert } from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instant } from '../domain/instant.ts';
import { readerOf, type Dialect, type Reader, type Writer } from './connection.ts';
import { openLedgerMemory, type LedgerMemory } from './ledger/memory.ts';
import { openPostgres } from './postgres.ts';
import { openSearchMemory } from './search/memory.ts';
import { openSqlite } from './sqlite.ts';
import type { Engine, StoreOptions } from './engine.ts';

/**
 * The database, and the only way to a transaction. A unit of work passed to `write` holds the
 * decision and its effects and nothing slow: on SQLite every other writer waits for it. `read` sees
 * one committed snapshot and never waits for a writer.
 */
export type { Reader, Writer } from './connection.ts';

export interface Store {
  readonly dialect: Dialect;
  read<T>(work: (db: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction and answers after the commit; a throw rolls back that unit alone.
   * On PostgreSQL a unit that lost a deadlock runs again, so `work` does nothing outside `tx`.
   */
  write<T>(work: (tx: Writer) => Promise<T>): Promise<T>;
  /** Units of this process that were committed so far; each is counted before it is answered. */
  commits(): number;
  /** Hears every committed `tx.ring`; answers the function that stops listening. */
  onPublish(listener: (topic: string) => void): () => void;
  /**
   * Refuses every transfer of this process until it is started again (choices ledger.freeze):
   * `post` throws `LedgerFrozen`. It is asked there because no money moves past that door, whoever
   * opens it: an operation, a due decision, a job. What moves no money goes on.
   */
  freeze(since: Instant): void;
  /** When this process froze the ledger; undefined while money moves. */
  frozenSince(): Instant | undefined;
  close(): Promise<void>;
}

/** As long as PostgreSQL lets a transaction lie idle: far above any unit, far below for ever. */
const UNIT_MS_MAX = 30_000;

/**
 * Opens and migrates. `url` is `sqlite:PATH`, `sqlite::memory:` (a throw-away file, so that tests
 * take the same path as production) or `postgres://...`.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const filled = {
    jitter: options.jitter ?? (() => 0.5),
    report: options.report ?? ((error) => process.emitWarning(String(error))),
    writers: options.writers ?? 16,
    readers: options.readers ?? 4,
    unitMsMax: options.unitMsMax ?? UNIT_MS_MAX,
    ledger: openLedgerMemory(),
  };
  if (/^postgres(?:ql)?:\/\//.test(url))
    return guarded(await openPostgres(url, filled), filled.ledger);
  const path = /^sqlite:(.+)$/.exec(url)?.[1];
  if (path === undefined) throw new Error(`not a database address: ${url.slice(0, 12)}`);
  if (path !== ':memory:') return guarded(await openSqlite(path, filled), filled.ledger);
  const folder = await mkdtemp(join(tmpdir(), 'hub-'));
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const engine = await openSqlite(join(folder, 'hub.sqlite'), filled);
    const store = guarded(engine, filled.ledger);
    return { ...store, close: () => store.close().finally(discard) };
  } catch (error) {
    await discard();
    throw error;
  }
}

interface Frame {
  readonly kind: 'read' | 'write';
  readonly reader?: Reader;
  open: boolean;
}

/**
 * A unit inside a unit would wait for itself for ever, and a unit inside a read would decide by an
 * old snapshot: both are refused at once. A read inside a read shares its snapshot.
 */
function guarded(engine: Engine, ledger: LedgerMemory): Store {
  const frames = new AsyncLocalStorage<Frame>();
  const search = openSearchMemory();
  let commits = 0;
  const within = async <T>(frame: Frame, work: () => Promise<T>): Promise<T> => {
    try {
      return await frames.run(frame, work);
    } finally {
      frame.open = false;
    }
  };
  return {
    dialect: engine.dialect,
    async read(work) {
      const outer = frames.getStore();
      if (outer?.open === true && outer.reader !== undefined) return work(outer.reader);
      return engine.read((connection) => {
        const reader = readerOf(connection, search);
        return within({ kind: 'read', reader, open: true }, () => work(reader));
      });
    },
    async write(work) {
      const outer = frames.getStore();
      assert(outer?.open !== true, `store.write was called inside store.${outer?.kind}`);
      const result = await engine.write((tx) =>
        within({ kind: 'write', open: true }, () => work(tx)),
      );
      commits += 1;
      return result;
    },
    commits: () => commits,
    onPublish: (listener) => engine.onPublish(listener),
    freeze: (since) => ledger.freeze(since),
    frozenSince: () => ledger.frozenSince(),
    async close() {
      await engine.close();
      // Every promise of the process carries each storage that was not disabled (Node 20).
      frames.disable();
    },
  };
}
