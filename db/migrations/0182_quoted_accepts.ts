import type { Migration } from '../migration.ts';

/** The entry of `accepts` of each quote (choices discovery.paid-resources). */
export const quotedAccepts: Migration = {
  name: '0182_quoted_accepts',
  async up(knex, { text }) {
    await knex.raw(`ALTER TABLE quotes ADD COLUMN accept ${text}`);
  },
};
