import type { Migration } from '../migration.ts';

/** The key that made a webhook, which ends with it (choices wallet.policies). */
export const webhookMakers: Migration = {
  name: '0041_webhook_makers',
  async up(knex, { text }) {
    await knex.raw(`ALTER TABLE webhooks ADD COLUMN made_by ${text}`);
  },
};
