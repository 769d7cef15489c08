import type { Migration } from '../migration.ts';

/** The entry of `accepts` of each quote, for readers of x402 discovery (choices discovery.paid-resources). */
export const quotedAccepts: Migration = {
  name: '0182_quoted_accepts',
  async up(knex, { text }) {
    await knex.raw(`ALTER TABLE quotes ADD COLUMN accept ${text}`);
  },
};
