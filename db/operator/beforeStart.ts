import { text } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { mustServe } from '../postgresNodes.ts';
import { hubKeyRows, type HubKeyRow } from '../time/hubKeys.ts';

export interface BeforeStart {
  /** A table, view or sequence of another program, since the hub has made none here yet. */
  readonly foreign: string | undefined;
  /** The keys that the hub signs with; none in a new database. */
  readonly keys: readonly HubKeyRow[];
}

/** Those of an extension, such as PostGIS, are in the way of nothing. */
const MADE = statement(
  `SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name`,
  `SELECT relname::text AS name FROM pg_class
   WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
     AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
   ORDER BY 1`,
);

/** Reads what decides whether a hub may start on the database. @throws ReadOnlyNode */
export async function beforeStart(db: Reader): Promise<BeforeStart> {
  await mustServe(db);
  const names = (await linkOf(db).rows(MADE, [])).map((row) => text(row, 'name'));
  const isMade = names.includes('knex_migrations');
  return {
    foreign: isMade ? undefined : names[0],
    keys: isMade && names.includes('hub_keys') ? await hubKeyRows(db) : [],
  };
}
