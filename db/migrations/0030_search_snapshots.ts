import type { Migration } from '../migration.ts';

/**
 * The newest snapshot of the search index in each form of it (choices search.snapshots): the last
 * change that it has, and its content in the file store. Before the end of a claim one process alone
 * writes the next one.
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
