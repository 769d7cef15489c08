import type { Knex } from 'knex';
import type { Reader } from './connection.ts';

/** Rows that a list chooses from where no index finds what it is asked for (choices tasks.listing). */
const CHOSEN_FROM_MAX = 5_000;

/**
 * Ids of the newest rows with these values, for `whereIn`: they bound the work of a list.
 * @param ids The column of the ids, and the one that sorts by time where that is another.
 */
export function newestOf(
  db: Reader,
  table: string,
  equal: object | ((rows: Knex.QueryBuilder) => void),
  { id, by = id }: { readonly id: string; readonly by?: string } = { id: 'id' },
) {
  const rows = db.knex(table).where(equal).select(id).orderBy(by, 'desc').limit(CHOSEN_FROM_MAX);
  return db.knex.select(id).from(rows.as('newest'));
}
