import type { Migration } from '../migration.ts';

/**
 * Hosted listings that their holder took down (choices hosted.taking-down). The row of the agent
 * stays with its totals, so that the fee is charged once. Reports of the listing are set aside and
 * return when the key publishes again: they have no foreign key to a listing that is gone.
 */
export const hostedTakenDown: Migration = {
  name: '0150_hosted_taken_down',
  async up(knex, { int, text, strict }) {
    await knex.raw(`ALTER TABLE hosted_agents ADD COLUMN taken_down_at ${int}`);
    await knex.raw('DROP INDEX hosted_agents_due');
    await knex.raw(`
      CREATE INDEX hosted_agents_due ON hosted_agents (next_look_at) WHERE taken_down_at IS NULL`);
    await knex.raw(`
      CREATE TABLE listing_reports_aside (
        id ${text} PRIMARY KEY,
        listing_id ${text} NOT NULL,
        reporter ${text} NOT NULL,
        reason ${text} NOT NULL,
        body ${text},
        at ${int} NOT NULL,
        withdrawn_at ${int},
        answer ${text},
        answered_by ${text},
        answered_at ${int}
      ) ${strict}`);
    await knex.raw(
      'CREATE INDEX listing_reports_aside_listing ON listing_reports_aside (listing_id)',
    );
  },
};
