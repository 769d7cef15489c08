import type { Migration } from '../migration.ts';

/**
 * Why the call of an x402 payment was refused. The payment stays open until its authorization has
 * ended, because others who saw it can still send it (choices router.x402).
 */
export const declinedPayments: Migration = {
  name: '0040_declined_payments',
  async up(knex, { text }) {
    await knex.raw(`ALTER TABLE x402_payments ADD COLUMN declined ${text}`);
  },
};
