import assert from 'node:assert/strict';
import knex from 'knex';
import { upTo } from './migrate.ts';
import type { Migration } from './migration.ts';

const tables: Migration = {
  name: '9001_moods',
  up: async (db) => {
    await db.raw('CREATE TABLE moods (id INTEGER PRIMARY KEY, mood TEXT)');
    await db.raw(`INSERT INTO moods (mood) VALUES (NULL), ('sad'), (NULL)`);
  },
};
const rows: Migration = {
  name: '9002_filled',
  rows: { table: 'moods', where: 'mood IS NULL', set: `mood = 'fine'` },
};

describe('migrations of SQLite', () => {
  it('change the rows that wait, in the transaction of all of them', async () => {
    const db = knex({ client: 'sqlite3', connection: ':memory:', useNullAsDefault: true });
    try {
      await db.transaction((trx) => upTo([tables, rows], trx, 'sqlite'));
      const found = await db<{ id: number; mood: string }>('moods').orderBy('id').pluck('mood');
      assert.deepEqual(found, ['fine', 'sad', 'fine']);
    } finally {
      await db.destroy();
    }
  });
});
