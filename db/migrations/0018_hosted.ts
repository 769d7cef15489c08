import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * Hosted listings: where their calls go, who called, and the calls that wait for a connected agent,
 * which may ask any process. A letter is deleted when it was answered or has expired. An agent that
 * was taken down stays with its totals, so that the fee is charged once (choices
 * hosted.taking-down).
 */
export const hosted: Migration = {
  name: '0018_hosted',
  async up(knex, words) {
    await agents(knex, words);
    await connections(knex, words);
  },
};

async function agents(knex: Knex, { int, text, strict, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE hosted_agents (
      key_id ${text} PRIMARY KEY,
      listing_id ${text} NOT NULL UNIQUE,
      network ${text} NOT NULL,
      name ${text} NOT NULL,
      via ${text} NOT NULL CHECK (via IN ('dial', 'connect')),
      endpoint ${text} NOT NULL,
      tools ${text} NOT NULL,
      transport ${text} NOT NULL,
      protocol_version ${text},
      live ${int} NOT NULL CHECK (live IN (0, 1)),
      why ${text} NOT NULL,
      checked_at ${int} NOT NULL,
      next_look_at ${int} NOT NULL,
      failures ${int} NOT NULL,
      steps ${text} NOT NULL,
      listed_at ${int} NOT NULL,
      changed_at ${int} NOT NULL,
      served ${int} NOT NULL DEFAULT 0,
      failed ${int} NOT NULL DEFAULT 0,
      refused ${int} NOT NULL DEFAULT 0,
      earned ${int} NOT NULL DEFAULT 0 CHECK (earned >= 0),
      taken_down_at ${int}
    ) ${strict}`);
  await knex.raw(`
    CREATE INDEX hosted_agents_due ON hosted_agents (next_look_at)
      WHERE taken_down_at IS NULL`);
  await knex.raw(`
    CREATE TABLE hosted_endpoints (
      endpoint ${text} PRIMARY KEY,
      key_id ${text} NOT NULL
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX hosted_endpoints_key ON hosted_endpoints (key_id)');
  await knex.raw(`
    CREATE TABLE hosted_calls (
      id ${text} PRIMARY KEY,
      key_id ${text} NOT NULL,
      at ${int} NOT NULL,
      caller ${text} NOT NULL,
      tool ${text} NOT NULL,
      price ${int} NOT NULL CHECK (price >= 0),
      outcome ${text} NOT NULL CHECK (outcome IN ('served', 'failed', 'refused', 'unknown')),
      why ${text} NOT NULL,
      duration_ms ${int} NOT NULL,
      receipt_id ${text}
    ) ${strict}`);
  await knex.raw('CREATE INDEX hosted_calls_key ON hosted_calls (key_id, id)');
}

async function connections(
  knex: Knex,
  { int, text, strict, strictKeyed }: DialectTypes,
): Promise<void> {
  await knex.raw(`
    CREATE TABLE hosted_connections (
      key_id ${text} PRIMARY KEY,
      since ${int} NOT NULL,
      until ${int} NOT NULL
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX hosted_connections_until ON hosted_connections (until)');
  await knex.raw(`
    CREATE TABLE hosted_letters (
      id ${text} PRIMARY KEY,
      key_id ${text} NOT NULL,
      request ${text} NOT NULL,
      is_taken ${int} NOT NULL DEFAULT 0,
      answer ${text},
      expires_at ${int} NOT NULL
    ) ${strict}`);
  await knex.raw('CREATE INDEX hosted_letters_key ON hosted_letters (key_id, is_taken, id)');
  await knex.raw('CREATE INDEX hosted_letters_expiry ON hosted_letters (expires_at)');
}
