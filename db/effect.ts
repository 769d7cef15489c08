import type { Knex } from 'knex';
import type { Dialect } from './connection.ts';
import type { DialectTypes } from './migration.ts';

/**
 * What a batch of declared units does to one table, for migrations (`db/declared/`): on SQLite a
 * trigger of the view `effects`, on PostgreSQL a function. Either takes rows as one JSON list of
 * lists of cells, and refuses them all when one of them did not hit its row. A text that was
 * released is never edited: an area that needs more makes another effect.
 */
export interface Effect {
  readonly name: string;
  /** One statement each, over the rows `v`: SQL names a cell as `$0`, `$1` …, with `:int`. */
  readonly statement: (rows: string, dialect: Dialect) => string;
  /** How many rows it hits where that is not one for each row of `v`, as an SQL value. */
  readonly hits?: (rows: string, dialect: Dialect) => string;
}
type Column = readonly [name: string, type: 'text' | 'int'];

const cells = (columns: readonly Column[]): string =>
  columns.map(([, type], at) => `$${at}${type === 'int' ? ':int' : ''}`).join(', ');
const names = (columns: readonly Column[]): string => columns.map(([name]) => name).join(', ');

/** Inserts rows whose cells are the columns in their order. */
export function inserting(name: string, columns: readonly Column[], table = name): Effect {
  return {
    name,
    statement: (rows) =>
      `INSERT INTO ${table} (${names(columns)}) SELECT ${cells(columns)} FROM ${rows}`,
  };
}

/** Makes the view that takes effects on SQLite. */
export async function addEffects(knex: Knex, { dialect }: DialectTypes): Promise<void> {
  if (dialect === 'sqlite') {
    await knex.raw("CREATE VIEW effects AS SELECT '' AS name, '[]' AS cells WHERE 0");
  }
}

export async function addEffect(
  knex: Knex,
  { dialect }: DialectTypes,
  { name, statement, hits }: Effect,
): Promise<void> {
  if (dialect === 'sqlite') {
    // The rows of `jsonb_each` are parsed already, those of `json_each` once for each cell.
    const rows = 'jsonb_each(NEW.cells) AS v';
    const hit = hits?.(rows, dialect) ?? 'json_array_length(NEW.cells)';
    await knex.raw(`
      CREATE TRIGGER effects_${name} INSTEAD OF INSERT ON effects WHEN NEW.name = '${name}' BEGIN
        ${inSqlite(statement(rows, dialect))};
        SELECT RAISE(ABORT, 'a row changed under the writer')
          WHERE changes() <> ${inSqlite(hit)};
      END`);
    return;
  }
  const rows = 'jsonb_array_elements(cells) AS v (value)';
  const hit = hits?.(rows, dialect) ?? 'jsonb_array_length(cells)';
  await knex.raw(`
    CREATE FUNCTION effect_${name} (cells jsonb) RETURNS void LANGUAGE plpgsql AS $effect$
    DECLARE hit bigint;
    BEGIN
      ${inPostgres(statement(rows, dialect))};
      GET DIAGNOSTICS hit = ROW_COUNT;
      IF hit <> ${inPostgres(hit)} THEN
        RAISE EXCEPTION 'a row changed under the writer' USING ERRCODE = '${STALE}';
      END IF;
    END $effect$`);
}

/** SQLSTATE of effects that did not hit their rows. */
export const STALE = 'HB001';

function inSqlite(text: string): string {
  return text.replace(/\$(\d+)(?::int)?/g, '(v.value ->> $1)');
}

function inPostgres(text: string): string {
  return text
    .replace(/\$(\d+):int/g, '((v.value ->> $1)::bigint)')
    .replace(/\$(\d+)/g, '(v.value ->> $1)');
}
