import type { Migration } from '../migration.ts';

/** Rewards that several winners divide, and the part of each (choices tasks.shares). */
export const shares: Migration = {
  name: '0038_shares',
  async up(knex, { int, text }) {
    await knex.raw(`ALTER TABLE tasks ADD COLUMN shares ${text}`);
    await knex.raw(`ALTER TABLE attempts ADD COLUMN place ${int} CHECK (place BETWEEN 1 AND 20)`);
    await knex.raw(`
      ALTER TABLE attempts ADD COLUMN share_bps ${int} CHECK (share_bps BETWEEN 1 AND 10000)`);
    await knex.raw(`ALTER TABLE attempts ADD COLUMN award ${int} CHECK (award > 0)`);
  },
};
