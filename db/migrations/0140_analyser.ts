import type { Migration } from '../migration.ts';

/**
 * Another analyser of texts (choices search.analyser). An entry of a note's words names the
 * analyser that made it, 0 for those before this migration. The notes that are there are analysed
 * again by a job, in small units: of a space those whose change is above `done` and not above
 * `until` wait for it and are found by their former entries. Then former entries that are left are
 * removed, up to the last entry of the space; `stem`, `whole` and `note` are how far that is.
 * Listings, tasks and comments go through the queue of their index, as after every change.
 */
export const analyser: Migration = {
  name: '0140_analyser',
  async up(knex, { int, text, strictKeyed }) {
    await knex.raw(`ALTER TABLE note_words ADD COLUMN analyser ${int} NOT NULL DEFAULT 0`);
    await knex.raw(`
      CREATE TABLE note_reindexing (
        space ${int} PRIMARY KEY,
        done ${int} NOT NULL,
        until ${int} NOT NULL,
        stem ${text} NOT NULL,
        whole ${text} NOT NULL,
        note ${int} NOT NULL
      ) ${strictKeyed}`);
    await knex.raw(`
      INSERT INTO note_reindexing (space, done, until, stem, whole, note)
        SELECT no, 0, changes, '', '', 0 FROM memory_spaces WHERE notes > 0`);
    for (const kind of ['listing', 'task', 'comment']) {
      await knex.raw(`
        INSERT INTO search_queue (kind, ref, stamp) SELECT '${kind}', id, 1 FROM ${kind}s WHERE true
          ON CONFLICT (kind, ref) DO UPDATE SET stamp = search_queue.stamp + 1`);
    }
  },
};
