import type { Knex } from 'knex';
import { describedTables } from './batch/tables.ts';
import type { Dialect } from './connection.ts';

/** A column as the database has it. */
interface Found {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  /** The database fills it when an insert leaves it out. */
  readonly isFilled: boolean;
}

const ON_SQLITE = `
  SELECT m.name AS "table", c.name, lower(c.type) AS type,
    c."notnull" = 0 AND c.pk = 0 AS "isOptional",
    c.dflt_value IS NOT NULL OR c.hidden > 0 OR (c.pk = 1 AND lower(c.type) = 'integer')
      AS "isFilled"
  FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name) AS c WHERE m.type = 'table'`;
const ON_POSTGRES = `
  SELECT table_name AS "table", column_name AS name, data_type AS type,
    is_nullable = 'YES' AS "isOptional",
    column_default IS NOT NULL OR is_identity = 'YES' OR is_generated = 'ALWAYS' AS "isFilled"
  FROM information_schema.columns WHERE table_schema = current_schema()`;
const TYPES: Readonly<Record<Dialect, Readonly<Record<'text' | 'int', string>>>> = {
  sqlite: { text: 'text', int: 'integer' },
  postgres: { text: 'text', int: 'bigint' },
};

/** Columns that the database lets be empty, though nothing ever left them so. */
const LOOSE = new Set(['idempotency.result']);

/**
 * Compares the descriptions of tables with the database: names, types, which columns may be empty,
 * and whether an insert fills all that it has to.
 * @throws Error naming the first difference: a process that cannot read its rows does not start.
 */
export async function checkSchema(knex: Knex, dialect: Dialect): Promise<void> {
  const answer: unknown = await knex.raw(dialect === 'sqlite' ? ON_SQLITE : ON_POSTGRES);
  const rows = dialect === 'sqlite' ? answer : (answer as { readonly rows: unknown }).rows;
  const tables = new Map<string, Map<string, Found>>();
  for (const row of rows as readonly Found[]) {
    const columns = tables.get(row.table) ?? new Map<string, Found>();
    tables.set(row.table, columns.set(row.name, row));
  }
  for (const table of describedTables) {
    const difference = differenceOf(table, tables.get(table.table), dialect);
    if (difference !== undefined) {
      throw new Error(`the tables are not as this version describes them: ${difference}`);
    }
  }
}

function differenceOf(
  { table, described, isInserted }: (typeof describedTables)[number],
  found: ReadonlyMap<string, Found> | undefined,
  dialect: Dialect,
): string | undefined {
  if (found === undefined) return `it has no table ${table}`;
  for (const { name, type, isOptional } of described) {
    const column = found.get(name);
    if (column === undefined) return `${table} has no column ${name}`;
    const is = TYPES[dialect][type];
    if (column.type !== is) return `${table}.${name} is ${column.type}, not ${is}`;
    if (Boolean(column.isOptional) !== isOptional && !LOOSE.has(`${table}.${name}`)) {
      return `${table}.${name} ${isOptional ? 'is never empty' : 'may be empty'}`;
    }
  }
  const names = new Set(described.map(({ name }) => name));
  const missed = [...found.values()].find(
    ({ name, isOptional, isFilled }) => !names.has(name) && !isOptional && !isFilled,
  );
  return isInserted && missed !== undefined
    ? `${table}.${missed.name} must be filled, and no insert does`
    : undefined;
}
