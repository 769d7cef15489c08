import type { Knex } from 'knex';
import type { Migration, DialectTypes } from '../migration.ts';

/**
 * Bonuses and house work (choices bonuses.welcome). One passed trial and one bonus per account: a
 * race could break that, so it is an index or a key here.
 */
export const bonuses: Migration = {
  name: '0010_bonuses',
  async up(knex, words) {
    await welcomeTables(knex, words);
    await houseTables(knex, words);
    await caseTables(knex, words);
  },
};

async function welcomeTables(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE trials (
      task_id ${text} PRIMARY KEY REFERENCES tasks (id),
      account ${text} NOT NULL,
      site ${text} NOT NULL,
      answers ${text} NOT NULL,
      made_at ${int} NOT NULL,
      passed_at ${int}
    ) ${strict}`);
  await knex.raw('CREATE INDEX trials_account ON trials (account, made_at)');
  await knex.raw(
    'CREATE UNIQUE INDEX trials_passed ON trials (account) WHERE passed_at IS NOT NULL',
  );
  await knex.raw(`
    CREATE TABLE welcome_grants (
      account ${text} PRIMARY KEY,
      site ${text} NOT NULL,
      queued_at ${int} NOT NULL,
      paid_at ${int},
      transfer_id ${text} UNIQUE REFERENCES transfers (id),
      CHECK ((paid_at IS NULL) = (transfer_id IS NULL))
    ) ${strict}`);
  await knex.raw(`
    CREATE INDEX welcome_grants_queue ON welcome_grants (queued_at, account)
      WHERE paid_at IS NULL`);
  await knex.raw(`
    CREATE INDEX welcome_grants_site ON welcome_grants (site, paid_at) WHERE paid_at IS NOT NULL`);
  await knex.raw(`
    CREATE TABLE welcome_days (
      day ${int} PRIMARY KEY,
      paid ${int} NOT NULL CHECK (paid >= 0)
    ) ${strict}`);
}

async function houseTables(
  knex: Knex,
  { int, text, strict, strictKeyed }: DialectTypes,
): Promise<void> {
  await knex.raw(`ALTER TABLE tasks ADD COLUMN payout ${text}`);
  await knex.raw(`
    CREATE TABLE demand_tasks (
      listing_id ${text} NOT NULL,
      kind ${text} NOT NULL CHECK (kind IN ('crawl', 'classify', 'summarise')),
      task_id ${text} NOT NULL UNIQUE REFERENCES tasks (id),
      at ${int} NOT NULL,
      PRIMARY KEY (listing_id, kind, at)
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE TABLE demand_days (
      network ${text} NOT NULL REFERENCES networks (id),
      day ${int} NOT NULL,
      budget ${int} NOT NULL CHECK (budget >= 0),
      spent ${int} NOT NULL CHECK (spent BETWEEN 0 AND budget),
      PRIMARY KEY (network, day)
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE TABLE board_orders (
      id ${text} PRIMARY KEY,
      body ${text} NOT NULL,
      added_at ${int} NOT NULL,
      state ${text} NOT NULL CHECK (state IN ('waiting', 'published', 'refused')),
      task_id ${text} REFERENCES tasks (id),
      why ${text},
      CHECK ((state = 'published') = (task_id IS NOT NULL)),
      CHECK ((state = 'refused') = (why IS NOT NULL))
    ) ${strict}`);
  await knex.raw(`CREATE INDEX board_orders_waiting ON board_orders (id) WHERE state = 'waiting'`);
}

/**
 * Ways of earning (choices discovery.runs): one row for each shape, and how far the journal was
 * read.
 */
async function caseTables(
  knex: Knex,
  { int, text, strict, strictKeyed }: DialectTypes,
): Promise<void> {
  await knex.raw(`
    CREATE TABLE cases (
      id ${text} PRIMARY KEY,
      family ${text} NOT NULL,
      network_kind ${text} NOT NULL CHECK (network_kind IN ('real', 'test', 'play')),
      steps ${text} NOT NULL,
      step_count ${int} NOT NULL CHECK (step_count BETWEEN 1 AND 40),
      cut ${int} NOT NULL CHECK (cut IN (0, 1)),
      times ${int} NOT NULL CHECK (times > 0),
      accounts ${int} NOT NULL CHECK (accounts BETWEEN 1 AND times),
      first_at ${int} NOT NULL,
      last_at ${int} NOT NULL,
      best_net ${int} NOT NULL,
      best ${text} NOT NULL,
      source ${text} NOT NULL
    ) ${strict}`);
  await knex.raw('CREATE INDEX cases_last ON cases (last_at, id)');
  await knex.raw(`
    CREATE TABLE case_accounts (
      case_id ${text} NOT NULL REFERENCES cases (id),
      account ${text} NOT NULL,
      PRIMARY KEY (case_id, account)
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE TABLE case_runs (
      account ${text} PRIMARY KEY,
      ended_at ${int} NOT NULL
    ) ${strict}`);
  await knex.raw(`
    CREATE TABLE case_progress (
      one ${int} PRIMARY KEY CHECK (one = 1),
      read_to ${int} NOT NULL
    ) ${strict}`);
  await knex.raw('INSERT INTO case_progress (one, read_to) VALUES (1, 0)');
  await knex.raw('CREATE INDEX task_events_actor ON task_events (actor, at)');
}
