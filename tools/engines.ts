import { readFileSync } from 'node:fs';
import pg from 'pg';
import { sources } from './tree.ts';

/**
 * Prints the table of docs/scaling.md: the PostgreSQL features of a live database and of `db/`,
 * beside three distributed engines. `tsx tools/engines.ts <address of a database of a hub>`.
 */
interface Feature {
  readonly name: string;
  /** A query that counts, or a pattern of the functions and statements that use it. */
  readonly counted: string | RegExp;
  readonly citus: string;
  readonly yugabyte: string;
  readonly cockroach: string;
}

const OWN = "n.nspname = 'public'";
const TRIGGERS = `SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${OWN} AND NOT t.tgisinternal AND t.tgparentid = 0`;
const CONSTRAINTS = `SELECT count(*) FROM pg_constraint c
  JOIN pg_namespace n ON n.oid = c.connamespace WHERE ${OWN}`;
const INDEXES = `SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${OWN}`;
const FUNCTIONS = `FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  JOIN pg_language l ON l.oid = p.prolang WHERE ${OWN}`;
const SEQUENCES = `SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE ${OWN} AND c.relkind = 'S'`;

const FEATURES: readonly Feature[] = [
  {
    name: 'triggers of a statement with transition tables',
    counted: `${TRIGGERS} AND coalesce(t.tgnewtable, t.tgoldtable) IS NOT NULL`,
    citus: 'no (c1)',
    yugabyte: 'no (y1)',
    cockroach: 'no (k1)',
  },
  {
    name: 'triggers of a row on named columns',
    counted: `${TRIGGERS} AND t.tgtype & 1 = 1 AND array_length(t.tgattr, 1) > 0`,
    citus: 'no (c1)',
    yugabyte: 'yes (y1)',
    cockroach: 'no (k1)',
  },
  {
    name: 'triggers in place of a write to a view',
    counted: `${TRIGGERS} AND t.tgtype & 64 = 64`,
    citus: 'no (c2)',
    yugabyte: 'yes (y1)',
    cockroach: 'no (k1)',
  },
  {
    name: 'functions in PL/pgSQL',
    counted: `SELECT count(*) ${FUNCTIONS} AND l.lanname = 'plpgsql'`,
    citus: 'yes',
    yugabyte: 'yes (y2)',
    cockroach: 'without the next row (k2)',
  },
  {
    name: '`GET DIAGNOSTICS`, `PERFORM` or `FOUND` in them',
    counted: /\b(?:GET DIAGNOSTICS|PERFORM|IF FOUND)\b/,
    citus: 'yes',
    yugabyte: 'yes (y2)',
    cockroach: 'no (k2)',
  },
  {
    name: 'foreign keys',
    counted: `${CONSTRAINTS} AND c.contype = 'f'`,
    citus: 'only with the distribution column (c3)',
    yugabyte: 'yes (y2)',
    cockroach: 'yes',
  },
  {
    name: 'unique indexes beside the primary key',
    counted: `${INDEXES} AND i.indisunique AND NOT i.indisprimary`,
    citus: 'only with the distribution column (c3)',
    yugabyte: 'yes (y2)',
    cockroach: 'yes',
  },
  {
    name: 'partial indexes',
    counted: `${INDEXES} AND i.indpred IS NOT NULL`,
    citus: 'yes',
    yugabyte: 'yes (y2)',
    cockroach: 'yes',
  },
  {
    name: 'tables in partitions by range',
    counted: 'SELECT count(*) FROM pg_partitioned_table',
    citus: 'yes',
    yugabyte: 'yes (y2)',
    cockroach: 'in a syntax of its own (k5)',
  },
  {
    name: 'sequences',
    counted: SEQUENCES,
    citus: 'no order between nodes (c2)',
    yugabyte: 'not documented',
    cockroach: 'no order by default (k3)',
  },
  {
    name: 'advisory locks',
    counted: /\bpg_advisory_xact_lock\b/,
    citus: 'not documented',
    yugabyte: 'yes (y3)',
    cockroach: 'does nothing (k4)',
  },
  {
    name: 'functions of the snapshot (`pg_current_snapshot`)',
    counted: /\bpg_current_snapshot\b/,
    citus: 'not documented',
    yugabyte: 'not documented',
    cockroach: 'not documented',
  },
  {
    name: '`LISTEN` and `NOTIFY`',
    counted: /\bpg_notify\b|\bLISTEN \$/,
    citus: 'not documented',
    yugabyte: 'early access (y4)',
    cockroach: 'no (k4)',
  },
  {
    name: '`FOR UPDATE SKIP LOCKED`',
    counted: /\bSKIP LOCKED\b/,
    citus: 'in one shard (c2)',
    yugabyte: 'yes (y3)',
    cockroach: 'yes',
  },
];

/** The table, from a database that a hub of this version has started on. */
export async function engineTable(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const bodies = await client.query<{ readonly prosrc: string }>(`SELECT p.prosrc ${FUNCTIONS}`);
    const texts = [...bodies.rows.map(({ prosrc }) => prosrc), ...statements()];
    const rows: string[] = [];
    for (const feature of FEATURES) {
      const { name, counted, citus, yugabyte, cockroach } = feature;
      const count =
        typeof counted === 'string'
          ? Number((await client.query<{ readonly count: string }>(counted)).rows[0]?.count)
          : texts.filter((text) => counted.test(text)).length;
      if (count > 0)
        rows.push(`| ${name} | ${rounded(count)} | ${citus} | ${yugabyte} | ${cockroach} |`);
    }
    const head = ['| what the hub uses | places | Citus | YugabyteDB | CockroachDB |'];
    return [...head, '| --- | --- | --- | --- | --- |', ...rows].join('\n');
  } finally {
    await client.end();
  }
}

/** Large counts change with each new table, which is no news to a reader. */
function rounded(count: number): string {
  const below = [500, 50, 10].find((step) => count > step);
  return below === undefined ? String(count) : `over ${below}`;
}

/** The statements that the hub sends; those of functions are read from the database. */
function statements(): readonly string[] {
  return sources
    .filter((path) => /^db\/(?!migrations\/).*(?<!\.test)\.ts$/.test(path))
    .map((path) => readFileSync(path, 'utf8'));
}

if (process.argv[1] === import.meta.filename) {
  process.stdout.write(`${await engineTable(process.argv[2] ?? '')}\n`);
}
