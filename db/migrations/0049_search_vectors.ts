import type { Migration } from '../migration.ts';

/**
 * Vectors of the texts of listings, for search by meaning (choices search.meaning). A text is known
 * by its digest and has one vector of a model, whatever listings have it. The changes of a model's
 * vectors are counted, so that each process reads those that it lacks; one that is gone stays as a
 * row without its numbers until all processes have read that.
 */
export const searchVectors: Migration = {
  name: '0049_search_vectors',
  async up(knex, { int, text, serial, strict, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE search_models (
        model ${text} PRIMARY KEY,
        seen ${int} NOT NULL,
        changed ${int} NOT NULL,
        vectors ${int} NOT NULL CHECK (vectors >= 0),
        used_at ${int} NOT NULL,
        hour ${int} NOT NULL,
        asked ${int} NOT NULL,
        claimed_until ${int} NOT NULL
      ) ${strictKeyed}`);
    await knex.raw(`
      CREATE TABLE search_texts (
        model ${text} NOT NULL,
        ref ${text} NOT NULL,
        digest ${text} NOT NULL,
        due_at ${int},
        faults ${int} NOT NULL,
        PRIMARY KEY (model, ref)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX search_texts_digest ON search_texts (model, digest)');
    await knex.raw(`
      CREATE INDEX search_texts_due ON search_texts (model, due_at) WHERE due_at IS NOT NULL`);
    await knex.raw(`
      CREATE TABLE search_vectors (
        no ${serial},
        model ${text} NOT NULL,
        digest ${text} NOT NULL,
        changed ${int} NOT NULL,
        vector ${text}
      ) ${strict}`);
    await knex.raw('CREATE UNIQUE INDEX search_vectors_of ON search_vectors (model, digest)');
    await knex.raw('CREATE UNIQUE INDEX search_vectors_changed ON search_vectors (model, changed)');
  },
};
