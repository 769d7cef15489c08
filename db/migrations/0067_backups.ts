import type { Migration } from '../migration.ts';

/** When the newest backup was made, so that its age can be watched. */
export const backups: Migration = {
  name: '0067_backups',
  async up(knex, { int, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE backups (
        id ${int} NOT NULL PRIMARY KEY,
        made_at ${int} NOT NULL
      ) ${strictKeyed}`);
  },
};
