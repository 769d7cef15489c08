import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * Calls through the router and the reviews that they allow (choices registry.reviews,
 * router.money). The constraints hold what a race or a kill could break: an ended call holds no
 * money, a cost has the transfer that paid it, and a settlement allows one review.
 */
export const router: Migration = {
  name: '0015_router',
  async up(knex, words) {
    await calls(knex, words);
    await memory(knex, words);
    await reviews(knex, words);
  },
};

async function calls(knex: Knex, { int, text, strict, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE calls (
      id ${text} PRIMARY KEY,
      caller ${text} NOT NULL,
      network ${text} NOT NULL REFERENCES networks (id),
      operation ${text} NOT NULL,
      max_price ${int},
      at ${int} NOT NULL,
      resolve_at ${int} NOT NULL,
      ended_at ${int},
      outcome ${text} NOT NULL CHECK (outcome IN
        ('running', 'served', 'priced', 'failed', 'none-suitable', 'unknown')),
      why ${text} NOT NULL,
      listing_id ${text},
      endpoint ${text},
      listed_price ${int},
      quoted_price ${int},
      cost ${int} NOT NULL CHECK (cost >= 0),
      duration_ms ${int} NOT NULL CHECK (duration_ms >= 0),
      response_hash ${text},
      response_bytes ${int} NOT NULL CHECK (response_bytes >= 0),
      refused ${text} NOT NULL,
      considered ${text} NOT NULL,
      hold_id ${text} UNIQUE,
      held ${int} NOT NULL CHECK (held >= 0),
      paid_to ${text},
      transfer_id ${text} UNIQUE REFERENCES transfers (id),
      CHECK ((outcome = 'running') = (ended_at IS NULL)),
      CHECK ((hold_id IS NULL) = (held = 0)),
      CHECK (hold_id IS NULL OR outcome = 'running'),
      CHECK ((cost = 0) = (transfer_id IS NULL)),
      CHECK ((cost = 0) = (paid_to IS NULL)),
      CHECK (cost = 0 OR outcome = 'served')
    ) ${strict}`);
  await knex.raw('CREATE INDEX calls_caller ON calls (caller, network, id)');
  await knex.raw(`CREATE INDEX calls_running ON calls (resolve_at) WHERE outcome = 'running'`);
  await knex.raw(`
    CREATE TABLE call_attempts (
      call_id ${text} NOT NULL REFERENCES calls (id),
      n ${int} NOT NULL,
      listing_id ${text} NOT NULL,
      operation ${text} NOT NULL,
      caller ${text} NOT NULL,
      linked ${int} NOT NULL CHECK (linked IN (0, 1)),
      ended ${text} NOT NULL CHECK (ended IN ('ok', 'failed', 'timedOut', 'quoted', 'keyNeeded')),
      latency_ms ${int} NOT NULL CHECK (latency_ms >= 0),
      at ${int} NOT NULL,
      PRIMARY KEY (call_id, n)
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX call_attempts_listing ON call_attempts (listing_id, at)');
  await knex.raw('CREATE INDEX call_attempts_at ON call_attempts (at)');
}

/** The router loses a few calls and no money when these rows are lost. */
async function memory(knex: Knex, { int, text, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE call_breakers (
      endpoint ${text} PRIMARY KEY,
      faults ${int} NOT NULL CHECK (faults > 0),
      rests_until ${int}
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE TABLE call_quotes (
      listing_id ${text} NOT NULL,
      operation ${text} NOT NULL,
      amount ${int} NOT NULL CHECK (amount >= 0),
      asset ${text} NOT NULL,
      quoted_on ${text},
      pay_to ${text},
      at ${int} NOT NULL,
      PRIMARY KEY (listing_id, operation)
    ) ${strictKeyed}`);
}

async function reviews(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE reviews (
      id ${text} PRIMARY KEY,
      listing_id ${text} NOT NULL,
      reviewer ${text} NOT NULL,
      payee ${text} NOT NULL,
      rating ${int} NOT NULL CHECK (rating BETWEEN 1 AND 5),
      transfer_id ${text} NOT NULL UNIQUE REFERENCES transfers (id),
      reason ${text} NOT NULL CHECK (reason IN ('call.charge', 'task.reward', 'pay')),
      amount ${int} NOT NULL CHECK (amount >= 10000),
      network ${text} NOT NULL REFERENCES networks (id),
      settled_at ${int} NOT NULL,
      operation ${text},
      at ${int} NOT NULL,
      CHECK (reviewer <> payee)
    ) ${strict}`);
  await knex.raw('CREATE INDEX reviews_listing ON reviews (listing_id, id)');
}
