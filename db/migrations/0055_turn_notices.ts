import type { Migration } from '../migration.ts';

/** Claims whose holder was warned before they lapse, by the end that the warning named. */
export const turnNotices: Migration = {
  name: '0055_turn_notices',
  async up(knex, { int, text, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE turn_notices (
        attempt_id ${text} NOT NULL REFERENCES attempts (id),
        ends_at ${int} NOT NULL,
        PRIMARY KEY (attempt_id, ends_at)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX turn_notices_ends_at ON turn_notices (ends_at)');
  },
};
