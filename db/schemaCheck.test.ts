import assert from 'node:assert/strict';
import { hubsOnBothDatabases } from '../conformance/harness/hubsOnBothDatabases.ts';
import type { Fixture } from '../conformance/harness/fixture.ts';
import { describedTables } from './batch/tables.ts';
import { linkOf } from './connection.ts';
import { checkSchema } from './schemaCheck.ts';

/** Tables by name, without the parts of a divided one. */
const TABLES = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  postgres: `SELECT relname AS name FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace`,
} as const;

class Undone extends Error {}

const CHANGES: readonly (readonly [changes: readonly string[], difference: RegExp])[] = [
  // The tables of the ledger have texts of their own and are compared like the others.
  [
    ['ALTER TABLE transfers RENAME memo TO was', 'ALTER TABLE transfers ADD memo INT8'],
    /transfers\.memo is (integer|bigint), not text$/,
  ],
  [['ALTER TABLE commitments RENAME remaining TO rest'], /commitments has no column remaining$/],
  [['DROP TABLE poker_hands'], /it has no table poker_hands$/],
  [['ALTER TABLE trials DROP COLUMN site'], /trials has no column site$/],
  [
    ['ALTER TABLE trials RENAME passed_at TO was', 'ALTER TABLE trials ADD passed_at TEXT'],
    /trials\.passed_at is text, not (integer|bigint)$/,
  ],
  [
    ['ALTER TABLE trials DROP COLUMN site', 'ALTER TABLE trials ADD site TEXT'],
    /trials\.site may be empty$/,
  ],
  [
    [
      'ALTER TABLE loans RENAME due_at TO was',
      'ALTER TABLE loans ADD due_at INT8 NOT NULL DEFAULT 0',
    ],
    /loans\.due_at is never empty$/,
  ],
];

hubsOnBothDatabases('a start compares the tables with their descriptions', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
  });

  for (const [changes, difference] of CHANGES) {
    it(`names the first difference after ${changes.join('; ')}`, async () => {
      await assert.rejects(
        world.hub.running.hub.store.write(async (tx) => {
          const { dialect } = linkOf(tx);
          await checkSchema(tx.knex, dialect);
          const whole = dialect === 'sqlite' ? 'INTEGER' : 'BIGINT';
          for (const change of changes) await tx.knex.raw(change.replace('INT8', whole));
          await assert.rejects(checkSchema(tx.knex, dialect), difference);
          throw new Undone();
        }),
        Undone,
      );
    });
  }

  it('knows each table but those of the migrations', async () => {
    const names = await world.hub.running.hub.store.read(async (db) => {
      const { dialect } = linkOf(db);
      const answer: unknown = await db.knex.raw(TABLES[dialect]);
      const rows = dialect === 'sqlite' ? answer : (answer as { readonly rows: unknown }).rows;
      return (rows as readonly { readonly name: string }[]).map(({ name }) => name);
    });
    const known = new Set(describedTables.map(({ table }) => table));
    const others = names.filter((name) => !known.has(name)).sort();
    assert.deepEqual(others, ['knex_migrations', 'knex_migrations_lock']);
  });

  it('lets a later version add a column that may be empty, but none that must be filled', async () => {
    await assert.rejects(
      world.hub.running.hub.store.write(async (tx) => {
        const { dialect } = linkOf(tx);
        await tx.knex.raw(`ALTER TABLE trials ADD later TEXT`);
        await tx.knex.raw(`ALTER TABLE trials ADD counted TEXT NOT NULL DEFAULT ''`);
        await checkSchema(tx.knex, dialect);
        await tx.knex.raw('DROP TABLE memory_rents');
        const whole = `${dialect === 'sqlite' ? 'INTEGER' : 'BIGINT'} NOT NULL`;
        await tx.knex.raw(`CREATE TABLE memory_rents (account TEXT NOT NULL, day ${whole},
          bytes ${whole}, amount ${whole}, transfer_id TEXT NOT NULL,
          later TEXT NOT NULL, PRIMARY KEY (account, day))`);
        const difference = /memory_rents\.later must be filled, and no insert does$/;
        await assert.rejects(checkSchema(tx.knex, dialect), difference);
        throw new Undone();
      }),
      Undone,
    );
  });
});
