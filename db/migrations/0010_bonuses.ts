import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/** Keys allow an account one starter payment, trial and welcome bonus (choices bonuses.welcome). */
export const bonuses: Migration = {
  name: '0010_bonuses',
  async up(knex, words) {
    await welcome(knex, words);
    await house(knex, words);
  },
};

async function welcome(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE starter_grants (
      account ${text} PRIMARY KEY,
      task_id ${text} NOT NULL REFERENCES tasks (id),
      at ${int} NOT NULL
    ) ${strict}`);
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
  await knex.raw(`
    CREATE UNIQUE INDEX trials_passed ON trials (account)
      WHERE passed_at IS NOT NULL`);
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
    CREATE INDEX welcome_grants_site ON welcome_grants (site, paid_at)
      WHERE paid_at IS NOT NULL`);
  await knex.raw(`
    CREATE TABLE welcome_days (
      day ${int} PRIMARY KEY,
      paid ${int} NOT NULL CHECK (paid >= 0)
    ) ${strict}`);
}

async function house(knex: Knex, { int, text, strict, strictKeyed }: DialectTypes): Promise<void> {
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
