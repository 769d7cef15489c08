import { statement } from '../connection.ts';
import type { Reader } from '../connection.ts';
import type { Partition } from '../ledger/partitions.ts';

export interface Snapshot {
  /** Names of the migrations that the database has had, in order. */
  readonly migrations: readonly string[];
  /** The partitions of the journal on PostgreSQL. */
  readonly partitions?: readonly Partition[];
}

/** The reason why a restore is impossible, in words for the operator. */
export class RestoreRefused extends Error {}

/** Whether what was restored may stay. */
export type Accept = (db: Reader) => Promise<boolean>;

export const MIGRATIONS = statement('SELECT name FROM knex_migrations ORDER BY id');
