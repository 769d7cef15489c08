import type { Migration } from '../migration.ts';

/**
 * What lets a process remember the index (choices search.caches): `changed` of a term moves with
 * its postings, a document's row says how much each of its terms weighs there and so never changes,
 * and `search_index` counts up, so that no id and no change is given twice. The index is made again
 * from what it is about.
 */
export const searchWords: Migration = {
  name: '0015_search_words',
  async up(knex, { int, strict }) {
    for (const table of ['postings', 'documents', 'shortened', 'terms']) {
      await knex.raw(`DELETE FROM search_${table}`);
    }
    await knex.raw(`ALTER TABLE search_terms ADD COLUMN changed ${int} NOT NULL DEFAULT 0`);
    await knex.raw(`
      CREATE TABLE search_index (
        id ${int} PRIMARY KEY CHECK (id = 1),
        documents ${int} NOT NULL,
        changes ${int} NOT NULL
      ) ${strict}`);
    await knex.raw('INSERT INTO search_index (id, documents, changes) VALUES (1, 0, 0)');
    for (const kind of ['listing', 'task', 'comment']) {
      await knex.raw(`
        INSERT INTO search_queue (kind, ref, stamp) SELECT '${kind}', id, 1 FROM ${kind}s WHERE true
          ON CONFLICT (kind, ref) DO UPDATE SET stamp = search_queue.stamp + 1`);
    }
  },
};
