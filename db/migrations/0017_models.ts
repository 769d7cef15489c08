import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * Calls of the model desk, their measurements and the spending of a day (choices models.charging).
 * The constraints hold what a race or a kill could break: an ended call holds no money and a failed
 * one costs nothing. `service` names the paid service that made the call, and `borne` is what the
 * hub pays for it (choices services.rewriting).
 */
export const models: Migration = {
  name: '0017_models',
  async up(knex, words) {
    await calls(knex, words);
    await days(knex, words);
  },
};

async function calls(knex: Knex, { int, text, strict, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE model_calls (
      id ${text} PRIMARY KEY,
      payer ${text} NOT NULL,
      network ${text} NOT NULL REFERENCES networks (id),
      door ${text} NOT NULL CHECK (door IN ('api', 'v1')),
      api_key_hint ${text},
      model ${text} NOT NULL,
      max_tokens ${int} NOT NULL CHECK (max_tokens > 0),
      at ${int} NOT NULL,
      held ${int} NOT NULL CHECK (held >= 0),
      resolve_at ${int} NOT NULL,
      ended_at ${int},
      outcome ${text} NOT NULL CHECK (outcome IN
        ('running', 'completed', 'closed-early', 'failed')),
      reason ${text},
      finish_reason ${text},
      input_tokens ${int} NOT NULL CHECK (input_tokens >= 0),
      output_tokens ${int} NOT NULL CHECK (output_tokens >= 0),
      usage_source ${text} NOT NULL CHECK (usage_source IN ('provider', 'counted')),
      charged ${int} NOT NULL CHECK (charged >= 0),
      hold_id ${text} UNIQUE,
      duration_ms ${int} NOT NULL CHECK (duration_ms >= 0),
      first_token_ms ${int},
      served_by ${text},
      price_input ${int} NOT NULL,
      price_output ${int} NOT NULL,
      refused ${text} NOT NULL,
      transfer_id ${text} UNIQUE REFERENCES transfers (id),
      service ${text},
      borne ${int} NOT NULL DEFAULT 0 CHECK (borne >= 0),
      CHECK ((outcome = 'running') = (ended_at IS NULL)),
      CHECK (hold_id IS NULL OR outcome = 'running'),
      CHECK (outcome <> 'running' OR (hold_id IS NULL) = (held = 0)),
      CHECK (charged <= held),
      CHECK (charged = 0 OR transfer_id IS NOT NULL),
      CHECK (charged = 0 OR outcome IN ('completed', 'closed-early'))
    ) ${strict}`);
  await knex.raw('CREATE INDEX model_calls_payer ON model_calls (payer, network, id)');
  await knex.raw(`
    CREATE INDEX model_calls_running ON model_calls (resolve_at)
      WHERE outcome = 'running'`);
  await knex.raw(`
    CREATE TABLE model_attempts (
      call_id ${text} NOT NULL REFERENCES model_calls (id),
      n ${int} NOT NULL,
      model ${text} NOT NULL,
      provider ${text} NOT NULL,
      ok ${int} NOT NULL CHECK (ok IN (0, 1)),
      first_token_ms ${int},
      tokens ${int} NOT NULL CHECK (tokens >= 0),
      tokens_ms ${int} NOT NULL CHECK (tokens_ms >= 0),
      at ${int} NOT NULL,
      PRIMARY KEY (call_id, n)
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX model_attempts_model ON model_attempts (model, at)');
}

/** A call counts at its maximum cost, so concurrent calls cannot pass a ceiling together. */
async function days(knex: Knex, { int, text, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE model_spend (
      day ${int} NOT NULL,
      payer ${text} NOT NULL,
      network ${text} NOT NULL REFERENCES networks (id),
      amount ${int} NOT NULL CHECK (amount >= 0),
      PRIMARY KEY (day, payer, network)
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE TABLE model_borne (
      day ${int} NOT NULL,
      payer ${text} NOT NULL,
      network ${text} NOT NULL REFERENCES networks (id),
      amount ${int} NOT NULL CHECK (amount >= 0),
      PRIMARY KEY (day, payer, network)
    ) ${strictKeyed}`);
}
