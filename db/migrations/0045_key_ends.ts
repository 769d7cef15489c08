import type { Migration } from '../migration.ts';

/** Records of calls that move no money are kept for a day (choices ledger.idempotency). */
export const keyEnds: Migration = {
  name: '0045_key_ends',
  async up(knex, { int }) {
    await knex.raw(`ALTER TABLE idempotency ADD COLUMN until ${int}`);
  },
};

export const keyEndsIndex: Migration = {
  name: '0045_key_ends_index',
  indexes: [
    {
      name: 'idempotency_until',
      sql: 'INDEX idempotency_until ON idempotency (until) WHERE until IS NOT NULL',
    },
  ],
};
