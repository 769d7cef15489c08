import type { Migration } from '../migration.ts';

/**
 * Answers that broke a rule of their caller, apart from the seller's rate, and the skills whose
 * output schema is a promise (choices router.refunds); the key that made a grant (choices
 * wallet.policies).
 */
export const verdicts: Migration = {
  name: '0042_verdicts',
  async up(knex, { int, text }) {
    await knex.raw(`
      ALTER TABLE call_attempts ADD COLUMN by_rule ${int} NOT NULL DEFAULT 0
        CHECK (by_rule IN (0, 1))`);
    await knex.raw(`ALTER TABLE listings ADD COLUMN skills_promised ${int} NOT NULL DEFAULT 0`);
    await knex.raw(`ALTER TABLE memory_grants ADD COLUMN made_by ${text}`);
  },
};

export const verdictsAttempts: Migration = {
  name: '0042_verdicts_attempts',
  rows: {
    table: 'call_attempts',
    where: `by_rule = 0 AND ended = 'failed' AND EXISTS (
      SELECT 1 FROM calls AS c WHERE c.id = call_attempts.call_id
        AND c.listing_id = call_attempts.listing_id AND c.unmet LIKE '{"by":"acceptance"%')`,
    set: 'by_rule = 1',
  },
};

const PROMISES = `FROM listing_skills AS s
  WHERE s.listing_id = listings.id AND s.output_schema IS NOT NULL`;

export const verdictsListings: Migration = {
  name: '0042_verdicts_listings',
  rows: {
    table: 'listings',
    where: `skills_promised = 0 AND EXISTS (SELECT 1 ${PROMISES})`,
    set: `skills_promised = (SELECT count(*) ${PROMISES})`,
  },
};
