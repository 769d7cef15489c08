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

export interface Migration {
  /** `0001_ledger`: order and identity. A released migration is never edited. */
  readonly name: string;
  up(knex: Knex, words: DialectTypes): Promise<void>;
}
