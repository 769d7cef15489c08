import { postgresFunction, sqliteTrigger, STALE, type SqlObject } from './writeObject.ts';

/** Each update of a row changes it: the number of the transaction that wrote the row. */
export const VERSION = 't.xmin::text';

/** Ends a function of PostgreSQL, and undoes its statement. */
export function stale(table: string): string {
  return `RAISE EXCEPTION 'a row changed under the batch'
            USING ERRCODE = '${STALE}', TABLE = '${table}';`;
}

interface Guarded {
  /** Joins the table as `t` to the keys `k`. */
  readonly joined: string;
  /** The order in which rows are locked; undefined where none is. */
  readonly order: string | undefined;
  /** The cell behind the key cells: the version, or null where no row was found. */
  readonly versionAt: number;
}

/**
 * Refuses a batch unless each row has the version that it was decided on, and the missing ones are
 * still missing. It locks the rows, so that they stay so until the commit.
 */
export function rowGuard(label: string, { joined, order, versionAt }: Guarded): SqlObject {
  const seen = `k.value ->> ${versionAt}`;
  const locked = order === undefined ? '' : ` ORDER BY ${order} FOR NO KEY UPDATE OF t`;
  return postgresFunction(
    `${label}_guard`,
    `(cells jsonb[]) RETURNS void LANGUAGE plpgsql AS $guard$
      DECLARE
        found bigint;
        same bigint;
      BEGIN
        SELECT count(*), count(*) FILTER (WHERE t.version = t.seen) INTO found, same
        FROM (SELECT ${VERSION} AS version, ${seen} AS seen
          FROM unnest(cells) AS k (value) ${joined}${locked}) AS t;
        IF same <> found
          OR same <> (SELECT count(*) FROM unnest(cells) AS k (value) WHERE ${seen} IS NOT NULL)
        THEN ${stale(label)} END IF;
      END $guard$`,
  );
}

/**
 * On SQLite another process may commit between the read of a batch and its write. The number of its
 * connection rises with each commit of another one, and not with its own.
 */
export const DATA_VERSION = '(SELECT data_version FROM pragma_data_version)';

export const OTHER_WROTE = 'another process wrote';

/** Refuses a batch on SQLite if another process has committed since it was read. */
export const UNCHANGED = sqliteTrigger(
  'unchanged',
  `SELECT RAISE(ABORT, '${OTHER_WROTE}') WHERE ${DATA_VERSION} <> NEW.cells ->> '$[0][0]'`,
);
