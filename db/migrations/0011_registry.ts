import type { Knex } from 'knex';
import type { Migration, DialectTypes } from '../migration.ts';

/**
 * The registry (choices registry.listings). `listings` has what a page shows in columns of its own,
 * so that lists and feeds read an index and no text; the looks of a listing are one short text,
 * since sixty thousand listings are looked at several times a day.
 */
export const registry: Migration = {
  name: '0011_registry',
  async up(knex, words) {
    await listings(knex, words);
    await measurements(knex, words);
    await crawl(knex, words);
  },
};

async function listings(
  knex: Knex,
  { int, text, strict, strictKeyed }: DialectTypes,
): Promise<void> {
  await knex.raw(`
    CREATE TABLE listings (
      id ${text} PRIMARY KEY,
      kind ${text} NOT NULL CHECK (kind IN ('a2a', 'mcp')),
      origin ${text} NOT NULL,
      host ${text} NOT NULL,
      endpoint ${text} NOT NULL,
      agent_group ${text} NOT NULL,
      operator_id ${text} NOT NULL,
      transport ${text} NOT NULL,
      protocol_version ${text},
      tenant ${text},
      name ${text} NOT NULL,
      description ${text},
      version ${text},
      provider ${text},
      documentation_url ${text},
      summary ${text},
      topic ${text},
      access ${text} NOT NULL
        CHECK (access IN ('open', 'paid', 'auth-required', 'closed', 'unknown')),
      access_note ${text},
      auth_schemes ${text} NOT NULL,
      verified_open ${int} NOT NULL CHECK (verified_open IN (0, 1)),
      price_amount ${int} CHECK (price_amount >= 0),
      price_asset ${text},
      price_network ${text},
      price_pay_to ${text},
      quotes_x402 ${int} NOT NULL CHECK (quotes_x402 IN (0, 1)),
      availability ${text} NOT NULL
        CHECK (availability IN ('live', 'unstable', 'not-speaking', 'unreachable', 'unknown')),
      availability_note ${text} NOT NULL,
      answers ${int} NOT NULL CHECK (answers IN (0, 1)),
      uptime_bps ${int} NOT NULL CHECK (uptime_bps BETWEEN 0 AND 10000),
      card_quality_bps ${int} NOT NULL CHECK (card_quality_bps BETWEEN 0 AND 10000),
      latency_ms ${int} NOT NULL CHECK (latency_ms >= 0),
      last_checked_at ${int} NOT NULL,
      first_seen_at ${int} NOT NULL,
      last_seen_at ${int} NOT NULL,
      missing_since ${int},
      card_violations ${text} NOT NULL,
      injection_signals ${text} NOT NULL,
      skill_count ${int} NOT NULL,
      skills_priced ${int} NOT NULL,
      skills_digest ${text} NOT NULL,
      verification ${text}
        CHECK (verification IN ('dns', 'well-known', 'endpoint', 'hosted')),
      passport_key_id ${text},
      karma ${int} NOT NULL DEFAULT 0,
      calls_30d ${int} NOT NULL DEFAULT 0,
      callers_30d ${int} NOT NULL DEFAULT 0,
      reach ${int} NOT NULL,
      changed_at ${int} NOT NULL,
      CHECK ((verification IS NULL) = (passport_key_id IS NULL))
    ) ${strict}`);
  await knex.raw(
    'CREATE INDEX listings_rank ON listings (answers DESC, karma DESC, reach DESC, id)',
  );
  await knex.raw('CREATE INDEX listings_rank_all ON listings (karma DESC, reach DESC, id)');
  await knex.raw('CREATE INDEX listings_changed ON listings (changed_at, id)');
  await knex.raw('CREATE INDEX listings_origin ON listings (origin, kind)');
  await knex.raw('CREATE INDEX listings_host ON listings (host, id)');
  await knex.raw('CREATE INDEX listings_group ON listings (agent_group)');
  await knex.raw('CREATE INDEX listings_operator ON listings (operator_id, id)');
  await knex.raw(`CREATE INDEX listings_passport ON listings (passport_key_id, id)
    WHERE passport_key_id IS NOT NULL`);
  await knex.raw('CREATE INDEX listings_endpoint ON listings (endpoint)');
  await knex.raw(`
    CREATE TABLE listing_skills (
      listing_id ${text} NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
      place ${int} NOT NULL,
      skill_id ${text} NOT NULL,
      name ${text} NOT NULL,
      description ${text} NOT NULL,
      tags ${text} NOT NULL,
      input_schema ${text},
      descriptor_hash ${text} NOT NULL,
      access ${text} NOT NULL
        CHECK (access IN ('open', 'paid', 'auth-required', 'closed', 'unknown')),
      access_checked_at ${int},
      verdict ${text} NOT NULL,
      why ${text} NOT NULL,
      duration_ms ${int},
      price_amount ${int} CHECK (price_amount >= 0),
      price_asset ${text},
      price_network ${text},
      price_pay_to ${text},
      PRIMARY KEY (listing_id, place)
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX listing_skills_name ON listing_skills (name, listing_id)');
  await knex.raw(`
    CREATE TABLE listing_aliases (
      code ${text} PRIMARY KEY,
      listing_id ${text} NOT NULL REFERENCES listings (id) ON DELETE CASCADE
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX listing_aliases_listing ON listing_aliases (listing_id)');
}

async function measurements(knex: Knex, { int, text, serial, strict, strictKeyed }: DialectTypes) {
  await knex.raw(`
    CREATE TABLE listing_looks (
      listing_id ${text} PRIMARY KEY REFERENCES listings (id) ON DELETE CASCADE,
      looks ${text} NOT NULL
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE TABLE listing_changes (
      id ${serial},
      listing_id ${text} NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
      at ${int} NOT NULL,
      path ${text} NOT NULL,
      change ${text} NOT NULL CHECK (change IN ('added', 'removed', 'changed')),
      before ${text},
      after ${text}
    ) ${strict}`);
  await knex.raw('CREATE INDEX listing_changes_listing ON listing_changes (listing_id, id)');
  await knex.raw(`
    CREATE TABLE quotes (
      endpoint ${text} NOT NULL,
      tool ${text} NOT NULL,
      kind ${text} NOT NULL CHECK (kind IN ('http', 'mcp', 'a2a')),
      origin ${text} NOT NULL,
      listing_id ${text} REFERENCES listings (id) ON DELETE SET NULL,
      amount ${int} NOT NULL CHECK (amount >= 0),
      asset ${text} NOT NULL,
      network ${text} NOT NULL,
      x402_version ${int} NOT NULL,
      scheme ${text} NOT NULL,
      pay_to ${text} NOT NULL,
      pay_to_changed_at ${int},
      quoted_at ${int} NOT NULL,
      quotes ${int} NOT NULL CHECK (quotes >= 1),
      PRIMARY KEY (endpoint, tool)
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX quotes_cheapest ON quotes (amount, endpoint, tool)');
  await knex.raw('CREATE INDEX quotes_listing ON quotes (listing_id)');
}

/** A target is an origin: whoever looks at it claims its row until a moment, and a kill lets go. */
async function crawl(knex: Knex, { int, text, strict, strictKeyed }: DialectTypes): Promise<void> {
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
