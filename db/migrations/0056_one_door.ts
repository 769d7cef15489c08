import type { Migration } from '../migration.ts';

/** Transfers are written by the batch (`db/ledger/post.ts`), so the view that wrote them goes. */
export const oneDoor: Migration = {
  name: '0056_one_door',
  async up(knex) {
    await knex.raw('DROP VIEW IF EXISTS postings');
  },
};
