import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * The crawler. A target is an origin. A process claims the row of a target until a moment, so the
 * claim of a killed process ends. Feeds are lists elsewhere that propose addresses (choices
 * registry.crawl-feeds): their rows record where each pass stands and who proposed what.
 */
export const crawl: Migration = {
  name: '0013_crawl',
  async up(knex, words) {
    await targets(knex, words);
    await feeds(knex, words);
  },
};

async function targets(
  knex: Knex,
  { int, text, strict, strictKeyed }: DialectTypes,
): Promise<void> {
  await knex.raw(`
    CREATE TABLE crawl_targets (
      origin ${text} PRIMARY KEY,
      host ${text} NOT NULL,
      found_by ${text} NOT NULL
        CHECK (found_by IN ('submission', 'registry', 'link', 'hosted')),
      first_seen_at ${int} NOT NULL,
      hints ${text} NOT NULL,
      submissions ${int} NOT NULL,
      submitted_at ${int},
      back_off ${int} NOT NULL,
      next_look_at ${int} NOT NULL,
      regular_look_at ${int},
      failures ${int} NOT NULL,
      claim ${text},
      claimed_until ${int},
      last_look_at ${int},
      outcome ${text} CHECK (outcome IN ('listed', 'not-listed')),
      report ${text},
      robots ${text}
    ) ${strict}`);
  await knex.raw('CREATE INDEX crawl_targets_due ON crawl_targets (next_look_at)');
  await knex.raw('CREATE INDEX crawl_targets_host ON crawl_targets (host)');
  await knex.raw(`
    CREATE TABLE crawl_documents (
      url ${text} PRIMARY KEY,
      origin ${text} NOT NULL REFERENCES crawl_targets (origin) ON DELETE CASCADE,
      etag ${text},
      last_modified ${text},
      body ${text} NOT NULL,
      fetched_at ${int} NOT NULL
    ) ${strict}`);
  await knex.raw('CREATE INDEX crawl_documents_origin ON crawl_documents (origin)');
  await knex.raw(`
    CREATE TABLE crawl_hours (
      hour ${int} PRIMARY KEY,
      looks ${int} NOT NULL,
      submissions ${int} NOT NULL
    ) ${strict}`);
  await knex.raw(`
    CREATE TABLE fresh_checks (
      caller ${text} PRIMARY KEY,
      taken_at ${text} NOT NULL
    ) ${strictKeyed}`);
}

async function feeds(knex: Knex, { int, text, strict, strictKeyed }: DialectTypes): Promise<void> {
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
}
