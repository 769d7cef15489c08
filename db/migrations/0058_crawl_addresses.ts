import type { Migration } from '../migration.ts';

/** The last time that the crawler asked each address, and when its next turn is. */
export const crawlAddresses: Migration = {
  name: '0058_crawl_addresses',
  async up(knex, { int, text, strict }) {
    await knex.raw(`
      CREATE TABLE crawl_addresses (
        url ${text} PRIMARY KEY,
        origin ${text} NOT NULL REFERENCES crawl_targets (origin) ON DELETE CASCADE,
        asked_at ${int} NOT NULL,
        due_at ${int} NOT NULL,
        failures ${int} NOT NULL,
        answered ${int} NOT NULL CHECK (answered IN (0, 1)),
        listing_id ${text},
        steps ${text} NOT NULL
      ) ${strict}`);
    await knex.raw('CREATE INDEX crawl_addresses_origin ON crawl_addresses (origin)');
  },
};
