import type { Migration } from '../migration.ts';

/**
 * Notes that were deleted (choices memory.deleting). Processes keep the embeddings of a space and
 * load what changed in it since, so that a deletion is a change that they have to load as well.
 */
export const noteDeletions: Migration = {
  name: '0081_note_deletions',
  async up(knex, { int, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE note_deletions (
        space ${int} NOT NULL,
        changed ${int} NOT NULL,
        note ${int} NOT NULL,
        PRIMARY KEY (space, changed)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX memory_grants_grantee ON memory_grants (grantee, space)');
  },
};
