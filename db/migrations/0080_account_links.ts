import type { Migration } from '../migration.ts';

/**
 * What links accounts (choices tasks.linked): accounts with one `shared` text are one party. A row
 * needs the consent of both sides, so `domain_provers` and `payout_addresses`, which one side wrote
 * alone, link no more.
 */
export const accountLinks: Migration = {
  name: '0080_account_links',
  async up(knex, { int, text, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE account_links (
        account ${text} NOT NULL,
        shared ${text} NOT NULL,
        at ${int} NOT NULL,
        PRIMARY KEY (account, shared)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX account_links_shared ON account_links (shared, account)');
  },
};
