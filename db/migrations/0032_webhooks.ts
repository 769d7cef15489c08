import type { Migration } from '../migration.ts';

/**
 * Webhooks of an account, their cursor into its events and their attempts (choices webhooks.order).
 * `settled`, the sum of the cursor's numbers, finds webhooks with something to send.
 */
export const webhooks: Migration = {
  name: '0032_webhooks',
  async up(knex, { int, text, strict }) {
    await knex.raw(`
      CREATE TABLE webhooks (
        id ${text} PRIMARY KEY,
        account ${text} NOT NULL,
        url ${text} NOT NULL,
        types ${text} NOT NULL,
        state ${text} NOT NULL CHECK (state IN ('active', 'paused', 'disabled')),
        why ${text},
        created_at ${int} NOT NULL,
        cursor ${text} NOT NULL,
        settled ${int} NOT NULL,
        dropped ${int} NOT NULL,
        failures ${int} NOT NULL,
        failed_sequence ${text},
        next_at ${int} NOT NULL,
        failing_since ${int},
        pace_ms ${int} NOT NULL,
        key_id ${text} NOT NULL,
        version ${int} NOT NULL,
        former_key_id ${text},
        former_version ${int},
        former_until ${int},
        revision ${int} NOT NULL,
        claim ${text},
        claimed_until ${int},
        CHECK ((state = 'disabled') = (why IS NOT NULL)),
        CHECK ((claim IS NULL) = (claimed_until IS NULL))
      ) ${strict}`);
    await knex.raw('CREATE INDEX webhooks_account ON webhooks (account, id)');
    await knex.raw("CREATE INDEX webhooks_active ON webhooks (id) WHERE state = 'active'");
    await knex.raw(`
      CREATE TABLE webhook_deliveries (
        id ${text} PRIMARY KEY,
        webhook_id ${text} NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
        account ${text} NOT NULL,
        message_id ${text} NOT NULL,
        kind ${text} NOT NULL,
        outcome ${text} NOT NULL CHECK (outcome IN ('delivered', 'failed', 'dead')),
        attempt ${int} NOT NULL CHECK (attempt > 0),
        status ${int},
        fault ${text},
        duration_ms ${int} NOT NULL,
        at ${int} NOT NULL,
        body ${text} NOT NULL,
        CHECK ((outcome = 'delivered') = (fault IS NULL))
      ) ${strict}`);
    await knex.raw(
      'CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, outcome, id)',
    );
    await knex.raw('CREATE INDEX webhook_deliveries_account ON webhook_deliveries (account, id)');
  },
};
