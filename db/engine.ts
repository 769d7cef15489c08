import type { Dialect, Link, Writer } from './connection.ts';
import type { PassCounts } from './batch/passCounts.ts';
import type { Trace } from './batch/trace.ts';
import type { Transaction } from './batch/transaction.ts';
import type { Listener } from './notifications.ts';
import type { LedgerMemory } from './ledger/memory.ts';

export interface StoreOptions {
  /** A number in 0..1 that spreads retries on PostgreSQL; always 0.5 when absent. */
  readonly jitter?: () => number;
  /** Called with each pass of a batch (HUB_TRACE_BATCH). */
  readonly trace?: Trace | undefined;
  /** Called with errors that have no caller: a failed hook, a lost connection. */
  readonly report?: (error: unknown) => void;
  /** An address of PostgreSQL without a pooler, for what listens; the main one when absent. */
  readonly directUrl?: string | undefined;
  /** A replica of the database on PostgreSQL; reads that may lag go to it. */
  readonly replica?: ReplicaOptions | undefined;
  /** Called with a sentence when a start takes long: tables change, or another process changes them. */
  readonly notice?: (text: string) => void;
  /** Connections of this process to PostgreSQL, at least 4. */
  readonly connections?: number;
  /** Connections that serve reads on SQLite. */
  readonly readers?: number;
  /** Milliseconds that one unit may last on SQLite, where all others wait for it. */
  readonly unitMsMax?: number;
  /** Refuses a unit inside a unit at once; tests alone pay for it. */
  readonly guardNesting?: boolean;
}

interface ReplicaOptions {
  readonly url: string;
  /** Milliseconds that its answers may be behind the leader; further behind it is left out. */
  readonly lagMsMax: number;
}

/** The methods that a database implements; the store itself guards against nesting. */
export interface Engine {
  readonly dialect: Dialect;
  read<T>(work: (connection: Link) => Promise<T>): Promise<T>;
  /** The same for what may be a moment old, by a replica where one is near enough to the leader. */
  readLagging<T>(work: (connection: Link) => Promise<T>): Promise<T>;
  /** The same for a single statement, outside of a transaction. */
  readOne<T>(work: (connection: Link) => Promise<T>): Promise<T>;
  /** The same for a view, whose statement is planned once. */
  view<T>(work: (connection: Link) => Promise<T>): Promise<T>;
  write<T>(work: (tx: Writer) => Promise<T>): Promise<T>;
  /** Runs a unit in a batch with all that wait. */
  decide<T>(unit: Transaction<T>): Promise<T>;
  /** Notifies the listeners of all processes, outside of a transaction. */
  notify(topic: string): void;
  onPublish(listener: Listener): () => void;
  close(): Promise<void>;
}

export interface FilledOptions
  extends
    Required<Omit<StoreOptions, 'directUrl' | 'replica' | 'trace'>>,
    Pick<StoreOptions, 'directUrl' | 'replica' | 'trace'> {
  readonly ledger: LedgerMemory;
  readonly passCounts: PassCounts;
}
