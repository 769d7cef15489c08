import type { Migration } from '../migration.ts';

/** A row while the operator holds all money still; every process looks (choices operator.freeze). */
export const ledgerPause: Migration = {
  name: '0028_ledger_pause',
  async up(knex, { int, text, strict }) {
    await knex.raw(`
      CREATE TABLE ledger_pause (
        id ${int} PRIMARY KEY CHECK (id = 1),
        since ${int} NOT NULL,
        reason ${text} NOT NULL
      ) ${strict}`);
  },
};
