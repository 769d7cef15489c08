import type { Migration } from '../migration.ts';

/** Answers that broke a rule of their caller, apart from the seller's rate (choices router.records). */
export const verdicts: Migration = {
  name: '0042_verdicts',
  async up(knex, { int }) {
    await knex.raw(`
      ALTER TABLE call_attempts ADD COLUMN by_rule ${int} NOT NULL DEFAULT 0
        CHECK (by_rule IN (0, 1))`);
    await knex.raw(`
      UPDATE call_attempts SET by_rule = 1 WHERE ended = 'failed' AND EXISTS (
        SELECT 1 FROM calls AS c WHERE c.id = call_attempts.call_id
          AND c.listing_id = call_attempts.listing_id AND c.unmet LIKE '{"by":"acceptance"%')`);
  },
};
