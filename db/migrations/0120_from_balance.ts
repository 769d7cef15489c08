import type { Migration } from '../migration.ts';

/** Payments that paid from what their wallet had left, and were not sent (choices router.x402). */
export const fromBalance: Migration = {
  name: '0120_from_balance',
  async up(knex, { int }) {
    await knex.raw(`ALTER TABLE x402_payments ADD COLUMN from_balance ${int} NOT NULL DEFAULT 0`);
  },
};
