import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import { sharedPostgres } from '../../conformance/harness/databases.ts';
import { BY_KEY } from '../postgresConnection.ts';
import { withPostgres } from '../postgresLeases.ts';
import { readOrder, sqlObjects } from './tables.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

interface Answer {
  readonly rows: readonly { readonly 'QUERY PLAN': readonly { readonly Plan: Plan }[] }[];
}
const EXPLAIN = 'EXPLAIN (GENERIC_PLAN, FORMAT JSON)';

/** PostgreSQL numbers accounts itself, in the function that reads them. */
const OF_SQLITE = /^INSERT INTO accounts /;

/** Tables of which a batch reads one row, or the newest one. */
const OF_ONE_ROW = ['time_chain', 'time_pulses'];
/** Few rows are in them, such as the calls under way. */
const PARTIAL = 'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indpred IS NOT NULL';

const ROWS = [1_000, 5_000];

describe('the plans of the statements of a batch on PostgreSQL', () => {
  for (const [nth, rows] of ROWS.entries()) {
    it(`look up every row by an index in tables of ${rows} rows`, async () => {
      const { freshDatabase } = await sharedPostgres();
      await withPostgres(await freshDatabase(), async ({ knex }) => {
        await fillTables(knex, rows + nth);
        for (const each of BY_KEY) await knex.raw(`SET ${each}`);
        const { rows: indexes } = await knex.raw<Named>(PARTIAL);
        const faults: string[] = [];
        const partial = indexes.map(({ name: index }) => index);
        for (const [name, text] of statementsOfBatches()) {
          const { rows: found } = await knex.raw<Answer>(`${EXPLAIN} ${text}`);
          const root = found[0]?.['QUERY PLAN'][0]?.Plan;
          assert.ok(root !== undefined, name);
          faults.push(...wideNodes(root, partial).map((node) => `${name}: ${node}`));
        }
        assert.deepEqual(faults, []);
      });
    });
  }
});

const COLUMNS = `SELECT table_name AS of, column_name AS name, data_type AS type
  FROM information_schema.columns JOIN pg_class ON oid = quote_ident(table_name)::regclass
  WHERE table_schema = 'public' AND relkind = 'r' AND NOT relispartition AND is_generated = 'NEVER'`;
const CONSTRAINTS = `SELECT conrelid::regclass::text AS of, conname AS name FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f') AND coninhcount = 0`;

/** Fills every table with rows whose cells are all different; no constraint is left. */
async function fillTables(knex: Knex, rows: number): Promise<void> {
  await knex.raw("SET session_replication_role = 'replica'");
  const constraints = await knex.raw<Named>(CONSTRAINTS);
  for (const { of, name } of constraints.rows)
    await knex.raw(`ALTER TABLE ${of} DROP CONSTRAINT IF EXISTS ${name} CASCADE`);
  const { rows: columns } = await knex.raw<Named>(COLUMNS);
  for (const table of new Set(columns.map(({ of }) => of))) {
    const all = columns.filter(({ of }) => of === table);
    const cells = all.map(({ type }) => VALUES[type ?? ''] ?? 'NULL').join(', ');
    const names = all.map(({ name }) => name).join(', ');
    await knex.raw(`INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
      SELECT ${cells} FROM generate_series(1, ${rows}) AS n ON CONFLICT DO NOTHING`);
  }
  await knex.raw('ANALYZE');
}

interface Named {
  readonly rows: readonly { readonly of: string; readonly name: string; readonly type?: string }[];
}
const VALUES: Readonly<Record<string, string>> = {
  text: "'t' || n",
  bigint: 'n',
  integer: 'n',
  bytea: "decode(md5(n::text), 'hex')",
};

/** Returns the nodes of a plan that read a whole table or index, or join by hash or merge. */
function wideNodes(plan: Plan, partial: readonly string[]): readonly string[] {
  const { 'Node Type': node, 'Relation Name': table = '', 'Index Name': index = '' } = plan;
  const isSmall = OF_ONE_ROW.includes(table) || partial.includes(index);
  const isWhole = /(Seq|Index|Only) Scan$/.test(node) && plan['Index Cond'] === undefined;
  const isWide = (isWhole && !isSmall) || /Hash Join|Merge Join/.test(node);
  const own = isWide ? [`${node} ${table} ${index}`] : [];
  return [...own, ...(plan.Plans ?? []).flatMap((each) => wideNodes(each, partial))];
}

/** The reads, and the statements inside of the functions that write and compare. */
function statementsOfBatches(): readonly (readonly [name: string, text: string])[] {
  const numbered = (text: string): string => text.replace('?', '$1');
  const reads = readOrder.flatMap(({ name, read, lock }) => [
    [`${name}, read`, numbered(read?.postgres ?? '')] as const,
    ...(lock === undefined ? [] : [[`${name}, lock`, numbered(lock)] as const]),
  ]);
  const writes = sqlObjects.flatMap(({ name, create: { postgres = '' } }) => {
    const [, body = ''] = /BEGIN\s+([\s\S]*?);\s+GET DIAGNOSTICS/.exec(postgres) ?? [];
    const texts = body.split(/;\s/).filter((text) => text !== '' && !OF_SQLITE.test(text));
    return texts.map((text) => [name, text.replace(/\bcells\b/g, '$1::jsonb[]')] as const);
  });
  const guards = sqlObjects.flatMap(({ name, create: { postgres = '' } }) => {
    const [text] = /SELECT count\(\*\), count[\s\S]*?AS t;/.exec(postgres) ?? [];
    const asked = text?.replace('INTO found, same', '').replace(/\bcells\b/g, '$1::jsonb[]');
    return asked === undefined ? [] : [[name, asked.replace(';', '')] as const];
  });
  for (const { length } of [reads, writes, guards]) assert.ok(length > 25, `${length} statements`);
  return [...reads, ...writes, ...guards];
}
