import assert from 'node:assert/strict';
import { emptyDatabases, type Empty } from '../../conformance/harness/emptyDatabases.ts';
import type { Dialect } from '../connection.ts';
import { migrateThrough } from '../migrate.ts';
import { openStore } from '../store.ts';
import { migrations } from './index.ts';

const START_MS_MAX = 30_000;
const NAMES = migrations.map(({ name }) => name);

/** Columns with their nullability, and the indexes that no constraint made. */
const LAYOUT: Readonly<Record<Dialect, string>> = {
  sqlite: `
    SELECT m.name || '.' || c.name ||
      CASE WHEN c."notnull" = 0 AND c.pk = 0 THEN ' optional' ELSE '' END AS line
    FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name NOT LIKE 'knex_%' AND m.name NOT LIKE 'sqlite_%'
    UNION ALL
    SELECT 'index ' || name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL
      AND tbl_name NOT LIKE 'knex_%'`,
  postgres: `
    SELECT c.relname || '.' || a.attname ||
      CASE WHEN a.attnotnull THEN '' ELSE ' optional' END AS line
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT c.relispartition AND c.relname NOT LIKE 'knex_%'
    UNION ALL
    SELECT 'index ' || c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND NOT c.relispartition
      AND c.relname NOT LIKE 'knex_%' AND NOT EXISTS (SELECT 1 FROM pg_constraint
        WHERE conindid = c.oid AND contype IN ('p', 'u'))`,
};

/** Opens the database as the hub does at its start. */
async function start({ url }: Empty): Promise<void> {
  await (await openStore(url)).close();
}

async function layoutOf({ db, dialect }: Empty): Promise<readonly string[]> {
  const answer = await db.raw<Lines | { readonly rows: Lines }>(LAYOUT[dialect]);
  return ('rows' in answer ? answer.rows : answer).map(({ line }) => line).sort();
}

type Lines = readonly { readonly line: string }[];

describe('the tables of a fresh database', () => {
  const empty = emptyDatabases();

  it('have the same columns, nullability and indexes on SQLite and on PostgreSQL', async function both() {
    this.timeout(START_MS_MAX);
    const [sqlite, postgres] = [await empty('sqlite'), await empty('postgres')];
    await start(sqlite);
    await start(postgres);
    const layout = await layoutOf(sqlite);
    assert.ok(layout.includes('accounts.posted') && layout.includes('index entries_transfer'));
    assert.deepEqual(await layoutOf(postgres), layout);
  });

  for (const dialect of ['sqlite', 'postgres'] as const) {
    describe(`on ${dialect}`, function suite() {
      this.timeout(START_MS_MAX);

      it('stay as they are when the hub starts again', async () => {
        const place = await empty(dialect);
        await start(place);
        const layout = await layoutOf(place);
        const rows: unknown = await place.db('knex_migrations').orderBy('id');
        await start(place);
        assert.deepEqual(await layoutOf(place), layout);
        assert.deepEqual(await place.db('knex_migrations').orderBy('id'), rows);
      });

      it('are those of a database that an earlier version made and this one brought up to date', async () => {
        const [fresh, earlier] = [await empty(dialect), await empty(dialect)];
        await start(fresh);
        await earlier.db.transaction((trx) => migrateThrough(NAMES.slice(0, -1), trx, dialect));
        assert.notDeepEqual(await layoutOf(earlier), await layoutOf(fresh));
        await start(earlier);
        assert.deepEqual(await layoutOf(earlier), await layoutOf(fresh));
      });

      it('are completed from those of the first migration, with what batches call', async () => {
        const [fresh, earliest] = [await empty(dialect), await empty(dialect)];
        await start(fresh);
        await earliest.db.transaction((trx) => migrateThrough(NAMES.slice(0, 1), trx, dialect));
        await start(earliest);
        assert.deepEqual(await layoutOf(earliest), await layoutOf(fresh));
      });

      it('are used when a later version only added to them', async () => {
        const place = await empty(dialect);
        await start(place);
        await place.db('knex_migrations').insert({ name: '9999_tomorrow', batch: 2 });
        await start(place);
      });

      it('are refused when a newer or an unreleased version made them', async () => {
        const place = await empty(dialect);
        await start(place);
        const layout = await layoutOf(place);
        const applied = () => place.db('knex_migrations');
        await applied().insert({ name: '9999_tomorrow_contract', batch: 2 });
        await assert.rejects(start(place), /a version that is newer/);
        await applied()
          .where({ name: NAMES[1] ?? '' })
          .update({ name: '0002_identity' });
        await assert.rejects(start(place), /a version that is unreleased/);
        await applied().where({ name: '9999_tomorrow_contract' }).delete();
        await assert.rejects(start(place), /a version that is unreleased/);
        assert.deepEqual(await layoutOf(place), layout, 'a refused start changes no table');
      });
    });
  }
});
