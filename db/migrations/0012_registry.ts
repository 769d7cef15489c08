import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * The registry (choices registry.listings). `listings` has the values of a page in columns, so that
 * lists read an index and no text. The probes of a listing are one short text, since sixty thousand
 * listings are probed several times a day.
 */
export const registry: Migration = {
  name: '0012_registry',
  async up(knex, words) {
    await listings(knex, words);
    await skills(knex, words);
    await measurements(knex, words);
    await reports(knex, words);
    await mcpServers(knex, words);
  },
};

async function listings(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
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
      claimed_at ${int},
      open_reports ${int} NOT NULL DEFAULT 0,
      CHECK ((verification IS NULL) = (passport_key_id IS NULL))
    ) ${strict}`);
  await knex.raw(`
    CREATE INDEX listings_rank
      ON listings (answers DESC, karma DESC, reach DESC, id)`);
  await knex.raw('CREATE INDEX listings_rank_all ON listings (karma DESC, reach DESC, id)');
  await knex.raw('CREATE INDEX listings_changed ON listings (changed_at, id)');
  await knex.raw('CREATE INDEX listings_origin ON listings (origin, kind)');
  await knex.raw('CREATE INDEX listings_host ON listings (host, id)');
  await knex.raw('CREATE INDEX listings_group ON listings (agent_group)');
  await knex.raw('CREATE INDEX listings_operator ON listings (operator_id, id)');
  await knex.raw(`
    CREATE INDEX listings_passport ON listings (passport_key_id, id)
      WHERE passport_key_id IS NOT NULL`);
  await knex.raw('CREATE INDEX listings_endpoint ON listings (endpoint)');
  await knex.raw(`
    CREATE INDEX listings_counted
      ON listings (availability, access, kind, quotes_x402, verified_open, skill_count,
        skills_priced, first_seen_at, missing_since)`);
  await knex.raw('CREATE INDEX listings_checked ON listings (last_checked_at)');
  await knex.raw('CREATE INDEX listings_used ON listings (id) WHERE calls_30d > 0');
}

/** `argument_line` is the arguments of a tool in one line, so that lists read no schemas. */
async function skills(knex: Knex, { int, text, strictKeyed }: DialectTypes): Promise<void> {
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
      argument_line ${text} NOT NULL DEFAULT '',
      PRIMARY KEY (listing_id, place)
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX listing_skills_name ON listing_skills (name, listing_id)');
  await knex.raw(`
    CREATE INDEX listing_skills_probed ON listing_skills (access_checked_at)
      WHERE access_checked_at IS NOT NULL`);
  await knex.raw(`
    CREATE INDEX listing_skills_id ON listing_skills (skill_id, listing_id)
      WHERE skill_id <> name`);
  await knex.raw(`
    CREATE TABLE listing_aliases (
      code ${text} PRIMARY KEY,
      listing_id ${text} NOT NULL REFERENCES listings (id) ON DELETE CASCADE
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX listing_aliases_listing ON listing_aliases (listing_id)');
}

/**
 * `listing_counts` has a row for each change of how many listings are listed, are live and quote a
 * price over x402 (choices predictions.checks). `accept` is the entry of `accepts` of a quote
 * (choices discovery.paid-resources).
 */
async function measurements(
  knex: Knex,
  { int, text, serial, strict, strictKeyed }: DialectTypes,
): Promise<void> {
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
      accept ${text},
      PRIMARY KEY (endpoint, tool)
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX quotes_cheapest ON quotes (amount, endpoint, tool)');
  await knex.raw('CREATE INDEX quotes_listing ON quotes (listing_id)');
  await knex.raw(`
    CREATE TABLE listing_counts (
      id ${serial},
      at ${int} NOT NULL,
      listed ${int} NOT NULL,
      live ${int} NOT NULL,
      x402 ${int} NOT NULL
    ) ${strict}`);
  await knex.raw('CREATE INDEX listing_counts_at ON listing_counts (at)');
}

/**
 * Reports by accounts (choices registry.reporting). An account has one open report for each
 * listing, and a withdrawn one keeps its row. Reports of a hosted listing that is taken down wait,
 * without a foreign key, until the key publishes again (choices hosted.taking-down).
 */
async function reports(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
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
  await knex.raw(`
    CREATE INDEX listing_reports_aside_listing
      ON listing_reports_aside (listing_id)`);
}

/**
 * MCP servers as the registry API of MCP lists them (choices registry.mcp-registry), one row for
 * each version with its `server.json`. The index covers the columns that lists filter by.
 */
async function mcpServers(knex: Knex, { int, text, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE mcp_servers (
      name ${text} NOT NULL,
      version ${text} NOT NULL,
      listing_id ${text} NOT NULL,
      server ${text} NOT NULL,
      is_latest ${int} NOT NULL,
      listed ${int} NOT NULL,
      live ${int} NOT NULL,
      access ${text} NOT NULL,
      published_at ${int} NOT NULL,
      updated_at ${int} NOT NULL,
      PRIMARY KEY (name, version)
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE INDEX mcp_servers_listed
      ON mcp_servers (listed, name, version, is_latest, live, access)`);
  await knex.raw('CREATE INDEX mcp_servers_updated ON mcp_servers (updated_at, name, version)');
  await knex.raw('CREATE INDEX mcp_servers_listing ON mcp_servers (listing_id, is_latest)');
}
