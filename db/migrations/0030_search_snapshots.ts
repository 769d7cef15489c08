import type { Migration } from '../migration.ts';

/**
 * The newest snapshot of each form of the search index (choices search.snapshots): its last change
 * and its file. Until a claim ends, only the process that holds it writes the next snapshot.
 */
export const searchSnapshots: Migration = {
  name: '0030_search_snapshots',
  async up(knex, { int, text, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE search_snapshots (
        form ${text} PRIMARY KEY,
        seq ${int} NOT NULL,
        object ${text} REFERENCES file_contents (object),
        saved_at ${int} NOT NULL,
        claimed_until ${int} NOT NULL
      ) ${strictKeyed}`);
  },
};
