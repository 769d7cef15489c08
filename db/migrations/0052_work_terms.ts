import type { Migration } from '../migration.ts';

/** Leases of days, and the last report of a holder (choices tasks.leases). */
export const workTerms: Migration = {
  name: '0052_work_terms',
  async up(knex, { text }) {
    await knex.raw(`ALTER TABLE tasks ADD COLUMN lease ${text}`);
    await knex.raw(`ALTER TABLE attempts ADD COLUMN progress ${text}`);
  },
};
