import type { Migration } from '../migration.ts';

/** The name that a server gives itself, where lists leave marks of the hub out of it. */
export const givenNames: Migration = {
  name: '0060_given_names',
  async up(knex, { text }) {
    await knex.raw(`ALTER TABLE listings ADD COLUMN given_name ${text}`);
  },
};
