import type { Migration } from '../migration.ts';

/** When the newest backup was made, and the secret by which the log names accounts. */
export const backups: Migration = {
  name: '0067_backups',
  async up(knex, { int, text, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE backups (
        id ${int} NOT NULL PRIMARY KEY,
        made_at ${int} NOT NULL
      ) ${strictKeyed}`);
    await knex.raw(`
      CREATE TABLE access_log_key (
        id ${int} NOT NULL PRIMARY KEY,
        secret ${text} NOT NULL
      ) ${strictKeyed}`);
  },
};
