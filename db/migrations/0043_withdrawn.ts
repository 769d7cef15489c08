import type { Migration } from '../migration.ts';

/** Pulses and blocks that a wrong clock dated ahead and an operator withdrew (choices time.ahead). */
export const withdrawn: Migration = {
  name: '0043_withdrawn',
  async up(knex, { int, text, strict }) {
    await knex.raw(`
      CREATE TABLE time_withdrawn (
        digest ${text} PRIMARY KEY,
        kind ${text} NOT NULL CHECK (kind IN ('pulse', 'seal')),
        place ${int} NOT NULL CHECK (place >= 0),
        body ${text} NOT NULL,
        signature ${text} NOT NULL,
        withdrawn_at ${int} NOT NULL
      ) ${strict}`);
    await knex.raw('CREATE INDEX time_withdrawn_place ON time_withdrawn (kind, place)');
    // A withdrawn pulse has shown the next random, so that no draw may use it.
    await knex.raw(`
      ALTER TABLE time_chain ADD COLUMN next_shown ${int} NOT NULL DEFAULT 0
        CHECK (next_shown IN (0, 1))`);
  },
};
