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
  /** Inserts the rows `k` whose version says that they are new (`NEW_ROW`), before the locks. */
  readonly make?: string;
}

/** The begin of the version of a row that the commit makes; its number follows. */
export const NEW_ROW = 'new ';

/**
 * Refuses a batch unless each row has the version that it was decided on, and the missing ones are
 * still missing. It locks the rows, so that they stay so until the commit.
 */
export function rowGuard(label: string, { joined, order, versionAt, make }: Guarded): SqlObject {
  const seen = `k.value ->> ${versionAt}`;
  const locked = order === undefined ? '' : ` ORDER BY ${order} FOR NO KEY UPDATE OF t`;
  const isMade = make === undefined ? 'false' : `t.seen LIKE '${NEW_ROW}%'`;
  const making = make === undefined ? '' : `${make}; GET DIAGNOSTICS made = ROW_COUNT;`;
  const asked = (which: string): string =>
    `(SELECT count(*) FROM unnest(cells) AS k (value) WHERE ${seen} ${which})`;
  return postgresFunction(
    `${label}_guard`,
    `(cells jsonb[]) RETURNS void LANGUAGE plpgsql AS $guard$
      DECLARE
        made bigint := 0;
        found bigint;
        same bigint;
      BEGIN
        ${making}
        SELECT count(*), count(*) FILTER (WHERE t.version = t.seen OR ${isMade})
        INTO found, same
        FROM (SELECT ${VERSION} AS version, ${seen} AS seen
          FROM unnest(cells) AS k (value) ${joined}${locked}) AS t;
        IF same <> found OR same <> ${asked('IS NOT NULL')}
          ${make === undefined ? '' : `OR made <> ${asked(`LIKE '${NEW_ROW}%'`)}`}
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
