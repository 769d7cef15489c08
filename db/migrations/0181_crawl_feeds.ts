import type { Migration } from '../migration.ts';

/**
 * Lists elsewhere that propose addresses to the crawler (choices registry.crawl-feeds), where each
 * pass stands, and who proposed what.
 */
export const crawlFeeds: Migration = {
  name: '0181_crawl_feeds',
  async up(knex, { int, text, strict, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE crawl_feeds (
        url ${text} PRIMARY KEY,
        kind ${text} NOT NULL CHECK (kind IN ('mcp-registry', 'x402', 'hub', 'list')),
        added_at ${int} NOT NULL,
        cursor ${text},
        complete_since ${int},
        pass_started_at ${int},
        pass ${text} NOT NULL,
        next_page_at ${int} NOT NULL,
        slot_at ${int} NOT NULL,
        day ${int} NOT NULL,
        day_names ${int} NOT NULL,
        etag ${text},
        failures ${int} NOT NULL,
        names ${int} NOT NULL,
        last_page_at ${int},
        last_pass_at ${int},
        fault ${text},
        refusal ${text},
        claim ${text},
        claimed_until ${int}
      ) ${strict}`);
    await knex.raw('CREATE INDEX crawl_feeds_due ON crawl_feeds (next_page_at)');
    await knex.raw(`
      CREATE TABLE crawl_proposals (
        feed ${text} NOT NULL REFERENCES crawl_feeds (url) ON DELETE CASCADE,
        url ${text} NOT NULL,
        origin ${text} NOT NULL,
        kind ${text},
        name ${text},
        first_at ${int} NOT NULL,
        last_at ${int} NOT NULL,
        PRIMARY KEY (feed, url)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX crawl_proposals_origin ON crawl_proposals (origin, feed)');
  },
};
