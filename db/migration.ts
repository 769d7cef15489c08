import type { Knex } from 'knex';
import type { Dialect } from './connection.ts';

/** Words in which one CREATE TABLE text serves both databases. */
export interface DialectTypes {
  readonly dialect: Dialect;
  /** 64-bit integer. */
  readonly int: string;
  /** Text that sorts by its bytes, alike in both. */
  readonly text: string;
  readonly bytes: string;
  /** A primary key that the database counts up. */
  readonly serial: string;
  /** Ends every table. */
  readonly strict: string;
  /** Ends a table that is stored in the order of its own primary key. */
  readonly strictKeyed: string;
}

/**
 * One change of the tables. Databases store its name, such as `0001_ledger`, which gives its order.
 * A released migration is never edited. The release before runs beside this one during a restart,
 * so a migration only adds tables, indexes and columns that may be empty or have a default.
 * Removals and changes come a release later, under a name that ends with `_contract`; a process
 * that does not know one refuses the database.
 */
export type Migration = TableMigration | IndexMigration | RowMigration;

interface TableMigration {
  readonly name: string;
  up(knex: Knex, words: DialectTypes): Promise<void>;
}

/** Indexes of tables that are in use: PostgreSQL builds them beside all writes. */
export interface IndexMigration {
  readonly name: string;
  readonly indexes: readonly NewIndex[];
}

interface NewIndex {
  readonly name: string;
  /** The statement behind CREATE: `INDEX name ON table (columns)`. */
  readonly sql: string;
}

/**
 * A change of many rows. On PostgreSQL it is made in pages beside all writes, each in a transaction
 * of its own; one that is stopped goes on with the rows that are left. Rows that are written meanwhile
 * must not wait for it, by the default that a migration before it gives the column.
 */
export interface RowMigration {
  readonly name: string;
  readonly rows: {
    readonly table: string;
    /** Which rows wait for the change; after it they do not. */
    readonly where: string;
    /** The columns that it sets, as behind SET; in the words of each database where they differ. */
    readonly set: string | Readonly<Record<Dialect, string>>;
  };
}

export function setOf({ rows: { set } }: RowMigration, dialect: Dialect): string {
  return typeof set === 'string' ? set : set[dialect];
}

export function isContract(name: string): boolean {
  return name.endsWith('_contract');
}
