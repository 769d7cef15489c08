import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Dialect } from '../connection.ts';

/** A SQL object that a batch calls. A hash in its name keeps two versions of the hub apart. */
export interface SqlObject {
  readonly name: string;
  /** Absent where the dialect needs none. */
  readonly create: Readonly<Partial<Record<Dialect, string>>>;
}

export interface WriteText {
  /** One statement over the rows `v`; SQL names a cell as `$0`, `$1` …, whole numbers as `$2:int`. */
  readonly statement: (rows: string, dialect: Dialect) => string;
  /** How many rows the statement must hit, as a SQL value; one for each row of `v` when absent. */
  readonly hits?: (rows: string, dialect: Dialect) => string;
}

/** SQLSTATE of write objects that did not hit their rows. */
export const STALE = 'HB001';
const HASH_LENGTH = 10;

/**
 * Returns the trigger of the view `effects` (SQLite) or the function (PostgreSQL) that writes rows
 * of one table, given as a JSON list of lists. All are refused if one does not hit its row.
 */
export function writeObject(label: string, { statement, hits }: WriteText): SqlObject {
  // The rows of `jsonb_each` are parsed already, those of `json_each` once for each cell.
  const rows = { sqlite: 'jsonb_each(NEW.cells) AS v', postgres: ROWS };
  const onSqlite = sqliteCells(statement(rows.sqlite, 'sqlite'));
  const onPostgres = postgresCells(statement(rows.postgres, 'postgres'));
  const hit = {
    sqlite: sqliteCells(hits?.(rows.sqlite, 'sqlite') ?? 'json_array_length(NEW.cells)'),
    postgres: postgresCells(hits?.(rows.postgres, 'postgres') ?? 'cardinality(cells)'),
  };
  const name = hashed(label, [onSqlite, onPostgres, hit.sqlite, hit.postgres]);
  return {
    name,
    create: {
      sqlite: triggerText(
        name,
        `${onSqlite};
          SELECT RAISE(ABORT, 'a row changed under the writer') WHERE changes() <> ${hit.sqlite}`,
      ),
      postgres: `
        CREATE FUNCTION ${name} (cells jsonb[]) RETURNS void LANGUAGE plpgsql AS $effect$
        DECLARE hit bigint;
        BEGIN
          ${onPostgres};
          GET DIAGNOSTICS hit = ROW_COUNT;
          IF hit <> ${hit.postgres} THEN
            RAISE EXCEPTION 'a row changed under the writer' USING ERRCODE = '${STALE}';
          END IF;
        END $effect$`,
    },
  };
}

function triggerText(name: string, text: string): string {
  return `
        CREATE TRIGGER ${name} INSTEAD OF INSERT ON effects WHEN NEW.name = '${name}' BEGIN
          ${text};
        END`;
}

/** A trigger of the view `effects` that SQLite alone has. */
export function sqliteTrigger(label: string, text: string): SqlObject {
  const name = hashed(label, [text]);
  return { name, create: { sqlite: triggerText(name, text) } };
}

/** A function that PostgreSQL alone has; `text` is what follows its name. */
export function postgresFunction(label: string, text: string): SqlObject {
  const name = hashed(label, [text]);
  return { name, create: { postgres: `CREATE FUNCTION ${name} ${text}` } };
}

/** Lower case, as PostgreSQL folds names, and marked as made by `makeSqlObjects`. */
function hashed(label: string, texts: readonly string[]): string {
  const hash = createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, HASH_LENGTH);
  return `effect_${label}_${hash}`;
}

const ROWS = 'unnest(cells) AS v (value)';

function sqliteCells(text: string): string {
  return text.replace(/\$(\d+)(?::int)?/g, '(v.value ->> $1)');
}

function postgresCells(text: string): string {
  return text
    .replace(/\$(\d+):int/g, '((v.value ->> $1)::bigint)')
    .replace(/\$(\d+)/g, '(v.value ->> $1)');
}

const MADE: Readonly<Record<Dialect, string>> = {
  sqlite:
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'effect\\_%' ESCAPE '\\'",
  postgres: `SELECT proname AS name FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND proname LIKE 'effect\\_%'`,
};

/** Creates the objects that are missing, in the caller's transaction, which has the database alone. */
export async function makeSqlObjects(
  knex: Knex,
  dialect: Dialect,
  objects: readonly SqlObject[],
): Promise<void> {
  if (dialect === 'sqlite') {
    await knex.raw("CREATE VIEW IF NOT EXISTS effects AS SELECT '' AS name, '[]' AS cells WHERE 0");
  }
  const answer: unknown = await knex.raw(MADE[dialect]);
  const rows = (Array.isArray(answer) ? answer : (answer as { rows: unknown[] }).rows) as {
    readonly name: string;
  }[];
  const made = new Set(rows.map(({ name }) => name));
  for (const { name, create } of objects) {
    const text = create[dialect];
    if (text === undefined || made.has(name)) continue;
    made.add(name);
    await knex.raw(text.replaceAll('?', '\\?'));
  }
}
