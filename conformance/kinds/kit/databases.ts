import { NotAsked } from './notAsked.ts';

/** Stands in for `harness/databases.ts` in the packed suite, which has no database to offer. */
export function sharedPostgres(): Promise<never> {
  return Promise.reject(new NotAsked('inside'));
}

/** A suite that is defined for each database has none to run on. */
export const DATABASES: readonly never[] = [];
