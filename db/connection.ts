import { createHash } from 'node:crypto';
import createKnex, { type Knex } from 'knex';
import type { NotedEvent } from './noted.ts';
import type { Spending } from './spender.ts';
import type { LedgerMemory } from './ledger/memory.ts';

/**
 * Types of query functions, and `linkOf`, the path beside Knex for hot statements: Knex costs 30 to
 * 40 microseconds a statement. Only db/ imports this.
 */
export type Dialect = 'sqlite' | 'postgres';
/** A list is a JSON array for `json_each` on SQLite and an array on PostgreSQL. */
export type Cell = string | number | null;
export type Value = Cell | readonly Cell[];
export type Row = Readonly<Record<string, unknown>>;

export const access: unique symbol = Symbol.for('hub.access');
export const link: unique symbol = Symbol.for('hub.link');

export interface Reader {
  readonly knex: Knex;
  readonly [link]: Link;
  readonly [access]: 'read' | 'write';
}
/** May write: the one running unit of work. */
export interface Writer extends Reader {
  readonly [access]: 'write';
  /** Runs `run` after the commit; never runs when the unit fails. */
  afterCommit(run: () => void): void;
  /** Publishes `topic` after the commit, on PostgreSQL to all processes that share the database. */
  publish(topic: string): void;
  /** Ids of transfers that this unit posted, stored by `once` (choices ledger.idempotency). */
  readonly posted: string[];
  spending: Spending | undefined;
  /** The events of accounts that are stored when this unit commits (db/wallet/accountEvents.ts). */
  readonly noted: NotedEvent[];
  /** The ledger state that this process caches; only db/ledger reads it. */
  readonly ledger: LedgerMemory;
}

export interface Link {
  readonly dialect: Dialect;
  readonly knex: Knex;
  rows(statement: Statement, values: readonly Value[]): Promise<readonly Row[]>;
}

/** The name of a statement that PostgreSQL does not keep prepared. */
export const UNNAMED = '';

export interface Statement {
  readonly name: string;
  readonly sqlite: string;
  readonly postgres: string;
  /** Changes nothing, so it may be sent in the same round trip as BEGIN. */
  readonly reads: boolean;
}

/** A statement with `?` placeholders; `postgres` is given where the two databases differ. */
export function statement(sqlite: string, postgres: string = sqlite): Statement {
  let count = 0;
  const numbered = postgres.replace(/\?/g, () => `$${++count}`);
  const name = createHash('sha256').update(numbered).digest('hex').slice(0, 24);
  return { name, sqlite, postgres: numbered, reads: /^\s*SELECT/i.test(postgres) };
}

export function linkOf(db: Reader): Link {
  return db[link];
}

export function readerOf(connection: Link): Reader {
  return { knex: connection.knex, [link]: connection, [access]: 'read' };
}

/** Failures are thrown as well, so they need no line of the log. */
const SILENT = { warn: () => undefined, error: () => undefined };

/** A Knex whose every query runs on the connection that `acquire` gives. */
export function pinnedKnex(client: 'sqlite3' | 'pg', acquire: () => Promise<unknown>): Knex {
  const knex = createKnex({ client, useNullAsDefault: true, log: SILENT });
  const inner: unknown = knex.client;
  if (typeof inner !== 'object' || inner === null) throw new Error('knex has no client');
  Object.assign(inner, { acquireConnection: acquire, releaseConnection: () => Promise.resolve() });
  return knex;
}
