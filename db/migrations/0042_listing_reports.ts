import type { Migration } from '../migration.ts';

/**
 * What accounts report of listings (choices registry.reporting). One report of an account counts for a
 * listing; what was withdrawn keeps its row. `open_reports` is the count of those that stand.
 */
export const listingReports: Migration = {
  name: '0042_listing_reports',
  async up(knex, { int, text, strict }) {
    await knex.raw(`
      CREATE TABLE listing_reports (
        id ${text} PRIMARY KEY,
        listing_id ${text} NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
        reporter ${text} NOT NULL,
        reason ${text} NOT NULL
          CHECK (reason IN ('inaccurate', 'broken', 'overcharges', 'hostile', 'impersonates')),
        body ${text},
        at ${int} NOT NULL,
        withdrawn_at ${int},
        answer ${text},
        answered_by ${text},
        answered_at ${int}
      ) ${strict}`);
    await knex.raw(`
      CREATE UNIQUE INDEX listing_reports_open ON listing_reports (listing_id, reporter)
       WHERE withdrawn_at IS NULL`);
    await knex.raw('CREATE INDEX listing_reports_listing ON listing_reports (listing_id, id)');
    await knex.raw('ALTER TABLE listings ADD COLUMN open_reports INTEGER NOT NULL DEFAULT 0');
  },
};
