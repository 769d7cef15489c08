import type { Instant } from '../../domain/instant.ts';
import type { Dialect } from '../connection.ts';
import type { LedgerMemory } from '../ledger/memory.ts';
import type { NotedEvent } from '../noted.ts';
import type { Spender, Spending } from '../spender.ts';
import type { Need, Table } from './need.ts';

/**
 * A unit of work as data: what it needs, and a decision without I/O. Concurrent units form one
 * batch: one read for the needs of all, decisions in their order on one working set, and one write.
 * A unit may decide again, so it changes nothing outside of `db` except in `afterCommit`.
 */
export interface Transaction<T> {
  /** The name of its work, such as the operation; those without a name are counted as `other`. */
  readonly name?: string;
  readonly needs: readonly Need[];
  readonly spender?: Spender | Spending;
  /** The moment that `needs` were made for, where they depend on it. */
  readonly startedAt?: Instant;
  /** Makes the writes that remain after a refusal, such as a nonce; none remain if it throws. */
  admit?(db: Decider): void;
  /** Answers, or throws a refusal, which leaves nothing behind and hurts no neighbour. */
  decide(db: Decider): T;
}

/** A transaction that only reads (db/batch/look.ts). It uses the functions that decisions use. */
export type View<T> = Pick<Transaction<T>, 'needs' | 'decide'>;

/** The view of one decision on the batch; later units read what earlier ones wrote. */
export interface Decider {
  readonly dialect: Dialect;
  readonly ledger: LedgerMemory;
  /** The key that this unit spends for; `post` alone changes it. */
  spending: Spending | undefined;
  /** Ids of the transfers that this unit posted, for its idempotency row. */
  readonly posted: string[];
  /** Events of accounts, stored with the write of the batch (db/wallet/accountEvents.ts). */
  readonly noted: NotedEvent[];
  /** Returns the row of a key. If it is not loaded, the attempt ends and runs again with it. */
  find<Key, Row>(table: Table<Key, Row>, key: Key): Row | undefined;
  /** The rows of a list as they stand now, without those that this transaction inserted. */
  list<Key, Row>(list: Table<Key, readonly Row[]>, key: Key): readonly Row[];
  /** The rows that this transaction inserted into a table, as they stand now. */
  added<Key, Row>(table: Table<Key, Row>): readonly Row[];
  /** Loads rows that are looked up next, all of them at once. */
  ask(needs: readonly Need[]): void;
  /** Inserts a row under a key that is new, such as an id just made; it is not looked up before. */
  insert<Key, Row>(table: Table<Key, Row>, key: Key, row: Row): void;
  /** Inserts a row, or updates the one that was found. */
  put<Key, Row>(table: Table<Key, Row>, key: Key, row: Row): void;
  /** Deletes a row that was found. */
  remove<Key, Row>(table: Table<Key, Row>, key: Key): void;
  /** A new id; a transaction that runs again gets the same ids, so it can look up what it makes. */
  newId(ids: { uuid(): string }): string;
  /** When the transaction ran first: windows of time that it reads are the same in each run. */
  startedAt(clock: { now(): Instant }): Instant;
  /** Ends the attempt: it depends on what the batch has yet to write, and runs after it. */
  runLater(): never;
  /** Ends the transaction with an answer and no effect but for what `admit` put. */
  leave(answer: unknown): never;
  publish(topic: string): void;
  /** Runs after the commit; never when the batch fails. */
  afterCommit(run: () => void): void;
}

export type Ended =
  { readonly ok: true; readonly answer: unknown } | { readonly ok: false; readonly error: unknown };

/** How one attempt ended: perhaps by rows that must be loaded first. */
export type Attempt = Ended | { readonly ok: undefined; readonly missing: readonly Need[] };
