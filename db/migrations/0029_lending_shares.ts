import type { Migration } from '../migration.ts';

/**
 * What bounds lending (choices credit.shares): the part of an advance that no fees vouched for, and
 * the network address block that asked. Advances of before count as vouched for.
 */
export const lendingShares: Migration = {
  name: '0029_lending_shares',
  async up(knex, { int, text }) {
    await knex.raw(`
      ALTER TABLE loans ADD COLUMN on_trust ${int} NOT NULL DEFAULT 0 CHECK (on_trust >= 0)`);
    await knex.raw(`ALTER TABLE loans ADD COLUMN site ${text} NOT NULL DEFAULT ''`);
    await knex.raw(
      `CREATE INDEX loans_window ON loans (network, taken_at) WHERE state <> 'repaid'`,
    );
    await knex.raw(`CREATE INDEX loans_unpaid_task ON loans (task_id) WHERE state <> 'repaid'`);
  },
};
