import type { Migration } from '../migration.ts';

/**
 * What keeps money on a chain safe when processes, blocks and databases change: the term of a lease
 * (choices rails.leases), the moment at which a credited deposit was seen to be missing (choices
 * rails.deposits), the branch of an address, and the height from which this database counts
 * transfers (choices rails.addresses).
 */
export const custody: Migration = {
  name: '0070_custody',
  async up(knex, { int, text }) {
    await knex.raw(`ALTER TABLE chain_leases ADD COLUMN token ${int} NOT NULL DEFAULT 0`);
    await knex.raw(`ALTER TABLE chain_deposits ADD COLUMN missing_since ${int}`);
    await knex.raw(`
      CREATE INDEX chain_deposits_missing ON chain_deposits (account, network)
        WHERE missing_since IS NOT NULL`);
    await knex.raw(`ALTER TABLE deposit_addresses ADD COLUMN path ${text}`);
    await knex.raw(`ALTER TABLE chain_cursors ADD COLUMN first_height ${int} NOT NULL DEFAULT 0`);
  },
};
