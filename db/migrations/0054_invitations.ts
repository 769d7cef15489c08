import type { Migration } from '../migration.ts';

/** Tasks that are offered to named accounts first (choices tasks.invitations). */
export const invitations: Migration = {
  name: '0054_invitations',
  async up(knex, { text, strictKeyed }) {
    await knex.raw(`ALTER TABLE tasks ADD COLUMN invited ${text}`);
    await knex.raw(`
      CREATE TABLE task_invitations (
        account ${text} NOT NULL,
        task_id ${text} NOT NULL REFERENCES tasks (id),
        PRIMARY KEY (account, task_id)
      ) ${strictKeyed}`);
  },
};
